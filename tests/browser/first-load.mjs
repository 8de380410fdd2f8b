// first-load.mjs: what a browser that was never here loads for the home page, as it comes over the wire.
import { equal, ok, run } from './harness.mjs';

const LIMIT = 200 * 1024;
const tests = {};

for (const [size, language] of [['desktop', 'en'], ['phone', 'fr']])
  tests[`the first load of home is at most 200 KB on a ${size}`] = async (world) => {
    const page = await world.device({ size, language, open: false });
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const paths = new Map();
    let total = 0;
    session.on('Network.responseReceived', (e) => paths.set(e.requestId, new URL(e.response.url).pathname));
    session.on('Network.loadingFinished', (e) => {
      total += e.encodedDataLength;
      if (process.env.VERBOSE) console.log(`# ${e.encodedDataLength} ${paths.get(e.requestId)}`);
    });
    await page.goto('/', { waitUntil: 'networkidle' });
    await page.evaluate(() => document.fonts.ready);
    console.log(`# ${size}: ${paths.size} requests, ${(total / 1024).toFixed(1)} KB`);
    ok(paths.size > 5, 'requests were seen');
    ok(total <= LIMIT, `${total} bytes`);
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
