// first-load.mjs: what a browser that was never here loads, as it comes over the wire.
import { equal, ok, run } from './harness.mjs';
import { api } from './room.mjs';

const LIMIT = 200 * 1024;
const REQUESTS = 15;
/** Up to a seat, and then the game's script, style and words. */
const INVITED = 18;
const tests = {};

/** What comes over the wire until the page is at rest: each path with its bytes. */
async function loaded(page, path, ready) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const [paths, all] = [new Map(), []];
  session.on('Network.responseReceived', (e) => !e.response.url.startsWith('data:') && paths.set(e.requestId, new URL(e.response.url).pathname));
  session.on('Network.webSocketCreated', (e) => all.push([new URL(e.url).pathname, 0]));
  session.on('Network.loadingFinished', (e) => paths.has(e.requestId) && all.push([paths.get(e.requestId), e.encodedDataLength]));
  await page.goto(path);
  await ready();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  if (process.env.VERBOSE) for (const [name, bytes] of all) console.log(`# ${bytes} ${name}`);
  return { requests: all.length, bytes: all.reduce((sum, [, n]) => sum + n, 0) };
}

for (const [size, language] of [['desktop', 'en'], ['phone', 'fr']])
  tests[`W16 a first visit of home makes at most ${REQUESTS} requests and 200 KB on a ${size}`] = async (world) => {
    const page = await world.device({ size, language, open: false, fresh: true });
    const { requests, bytes } = await loaded(page, '/', () => page.getByRole('article').nth(2).waitFor());
    console.log(`# home, ${size}: ${requests} requests, ${(bytes / 1024).toFixed(1)} KB`);
    ok(requests > 5, 'requests were seen');
    ok(requests <= REQUESTS, `${requests} requests`);
    ok(bytes <= LIMIT, `${bytes} bytes`);
  };

for (const game of ['dive', 'divercity', 'soumsoum'])
  tests[`W16 a first visit by an invitation to ${game} makes at most ${INVITED} requests, the game’s among them`] = async (world) => {
    const { code } = await api(world, 'POST', '/tables', { game, options: {} });
    const page = await world.device({ size: 'phone', open: false, fresh: true });
    const words = page.waitForResponse((r) => new RegExp(`/assets/words-en-${game}-`).test(r.url()));
    const { requests, bytes } = await loaded(page, `/#/t/${code}`, () => Promise.all([words, page.getByRole('button', { name: 'Sit down' }).waitFor()]));
    console.log(`# invitation to ${game}: ${requests} requests, ${(bytes / 1024).toFixed(1)} KB`);
    ok(requests > 5, 'requests were seen');
    ok(requests <= INVITED, `${requests} requests`);
  };

tests['the page asks nobody but its own server'] = async (world) => {
  const page = await world.device();
  const foreign = [];
  page.on('request', (r) => !r.url().startsWith(world.address) && !r.url().startsWith('data:') && foreign.push(r.url()));
  await page.reload({ waitUntil: 'networkidle' });
  equal(foreign, [], 'foreign requests');
};

tests['the page can be installed: manifest and icons are there'] = async (world) => {
  const page = await world.device();
  const manifest = await (await page.request.get('/manifest.webmanifest')).json();
  equal([manifest.name, manifest.display], ['Fathom', 'standalone'], 'manifest');
  for (const { src } of manifest.icons) {
    const icon = await page.request.get(src);
    ok(icon.ok() && icon.headers()['content-type'] === 'image/png', src);
  }
};

await run(tests);
