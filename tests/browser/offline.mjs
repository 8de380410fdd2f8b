// offline.mjs: a second visit without a network and without a server: the service worker has kept the page.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playTurns } from '../../games/soumsoum/tests/whole.mjs';
import { accessible, becomes, equal, fits, ok, PACE, run, serve, until } from './harness.mjs';
import { cutOff, keptBy } from './room.mjs';
import { games, mixtures, playedWhole, whole } from './whole.mjs';

const tests = {};
const dist = process.env.DIST ?? 'web/dist';

/** What the worker has kept: the paths of all files. */
const keptFiles = (page) =>
  page.evaluate(async () => {
    const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map((r) => new URL(r.url).pathname);
  });

const playing = {
  en: { banner: 'No connection to the server. You can play against bots on this device. Tables with people wait.', needs: 'Needs the server', lesson: 'Learn' },
  fr: { banner: 'Pas de connexion au serveur. Vous pouvez jouer contre des bots sur cet appareil. Les tables avec d’autres personnes attendent.', needs: 'A besoin du serveur', lesson: 'Apprendre' },
  nl: { banner: 'Geen verbinding met de server. Je kunt op dit apparaat tegen bots spelen. Tafels met andere mensen wachten.', needs: 'Heeft de server nodig', lesson: 'Leren' },
};
const plate = (page, name) => page.getByRole('article', { name, exact: true });

for (const [n, [size, language]] of mixtures([['laptop', 'en'], ['laptop', 'fr'], ['phone', 'nl']]).entries())
  tests[`without a connection home says what can be played, lessons and rules open, and games are played to their end, in ${language} on a ${size}`] = async (world) => {
    const page = await cutOff(world, { size, language, pace: PACE });
    const words = playing[language];
    await becomes(async () => (await page.locator('.banner p').innerText()).replace(/\s+/g, ' '), words.banner, 'the banner');
    await page.getByRole('heading', { name: words.needs }).first().waitFor();
    equal(await page.getByRole('article').count(), 3, 'games');
    await fits(page, 'home');
    await accessible(page, 'home without a connection');
    await world.shot(page, `offline-home-${size}-${language}`);

    for (const { id, shown } of games) {
      await page.goto(`/#/learn/${id}`);
      await shown(page).first().waitFor();
    }
    await page.goto('/#/rules/divercity');
    await page.locator('main h2').first().waitFor();
    await page.goto('/#/settle/soumsoum');
    await page.locator('main a[href*="/settle/soumsoum/"]').first().click();
    await page.getByRole('grid').waitFor();

    await page.goto('/#/');
    for (const game of playedWhole(n)) await whole(page, game);
    ok(!(await keptFiles(page)).some((path) => path.startsWith('/api')), 'nothing of /api is kept');
  };

tests['Try again finds the server once it is back'] = async (world) => {
  const page = await world.device({ keeps: true, fresh: true });
  await keptBy(page);
  await page.context().setOffline(true);
  await page.reload();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.toast', { hasText: 'There is still no connection.' }).waitFor();
  await page.route('**/api/tables', (route) => route.abort(), { times: 1 }); // the browser's own word that it is back comes first
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('.banner').waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Open tables' }).waitFor();
  await page.getByRole('form', { name: 'Have a code?' }).waitFor();
};

tests['home offers to install Fathom where the browser does, and asks once'] = async (world) => {
  const page = await cutOff(world, { size: 'phone' });
  equal(await page.getByRole('button', { name: 'Install' }).count(), 0, 'not offered yet');
  await page.evaluate(() => {
    window.asked = 0;
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: async () => window.asked++ }));
  });
  await page.getByText('Keep Fathom on your home screen').waitFor();
  await page.goto('/#/settings');
  await page.getByRole('button', { name: 'Install' }).waitFor();
  await page.goto('/#/');
  await world.shot(page, 'offline-install-phone');
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByRole('button', { name: 'Install' }).waitFor({ state: 'detached' });
  equal(await page.evaluate(() => window.asked), 1, 'asked');
};

/* ---- newer versions ---- */

/** A server that serves a copy of the page, which the test may change. */
async function serveCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-page-'));
  cpSync(dist, folder, { recursive: true });
  const server = await serve({ flags: ['--data', folder] });
  const port = new URL(server.address).port;
  return {
    folder,
    address: server.address,
    /** The server reads its files when it starts. */
    async upgrade() {
      await this.stopServer();
      this.stopServer = (await serve({ flags: ['--data', folder, '--port', port] })).stop;
    },
    stopServer: server.stop,
    async stop() {
      await this.stopServer();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes another version of the page: another worker, another title, and one script gets another name. */
function change(folder) {
  const replace = (file, from, to) => {
    const text = readFileSync(join(folder, file), 'utf8');
    ok(from.test(text), `${file} has ${from}`);
    writeFileSync(join(folder, file), text.replace(from, to));
  };
  replace('index.html', /<meta name="description"/, '<meta name="newer" content="yes" /><meta name="description"');
  replace('sw.js', /"version":"\w+"/, '"version":"newer"');
}

const isNewer = (page) => page.evaluate(() => document.querySelector('meta[name=newer]') !== null);
const versions = (page) => page.evaluate(async () => (await caches.keys()).map((name) => name.split(' ').at(-1)));

tests['a new version waits until the game was left, and an open table goes on'] = async (world) => {
  const copy = await serveCopy();
  const page = await world.device({ keeps: true, fresh: true, address: copy.address });
  await keptBy(page);
  await page.context().setOffline(true);
  await page.reload();
  await plate(page, 'Soum Soum').getByRole('button').click();
  await page.getByRole('grid').waitFor();
  await playTurns(page, 1);
  const [before] = await versions(page);

  change(copy.folder);
  await copy.upgrade();
  await page.context().setOffline(false);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await until('the new version was kept', async () => (await versions(page)).includes('newer'));
  await playTurns(page, 1);
  equal(await page.getByText('A new version is ready.').count(), 0, 'said during a game');
  equal(await isNewer(page), false, 'reloaded');
  ok((await versions(page)).includes(before), 'the files of the open page stay');
  // A part of the older page that was not loaded yet.
  await page.goto('/#/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByText('A new version is ready.').waitFor();
  await world.shot(page, 'offline-newer');
  await page.getByRole('button', { name: 'Reload' }).click();
  await until('the new page', () => isNewer(page).catch(() => false));

  const context = page.context();
  await page.goto('about:blank');
  const next = await context.newPage();
  await next.goto('/');
  ok(await isNewer(next), 'the new page is the one that is kept');
  await becomes(() => versions(next), ['newer'], 'versions, once no window was open');
  await copy.stop();
};

tests['a worker that has gone wrong is removed by reset.html, which it cannot answer for'] = async (world) => {
  const page = await world.device({ keeps: true, fresh: true });
  await keptBy(page);
  await page.evaluate(() => localStorage.setItem('fathom.name', '"Ana"'));
  await page.goto('/reset.html');
  await page.getByText('The copy of the page on this device was removed.').waitFor();
  equal(await page.evaluate(async () => [(await navigator.serviceWorker.getRegistrations()).length, (await caches.keys()).length]), [0, 0], 'workers and caches');
  equal(await page.evaluate(() => localStorage.getItem('fathom.name')), '"Ana"', 'settings');
};

tests['a browser that saves data keeps the start of the page, and the rest as it is used'] = async (world) => {
  const page = await world.device({ keeps: true, fresh: true, open: false });
  const source = readFileSync(join(dist, 'sw.js'), 'utf8');
  await page.context().route('**/sw.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `Object.defineProperty(navigator, 'connection', { value: { saveData: true } });${source}` }),
  );
  await page.goto('/');
  await keptBy(page);
  const few = await keptFiles(page);
  ok(few.length < 8, `kept: ${few}`);
  await page.reload();
  await until('what was used is kept', async () => (await keptFiles(page)).some((path) => path.includes('words-en')));
  ok(!(await keptFiles(page)).some((path) => path.endsWith('.wasm')), 'the engine was not used');
};

await run(tests);
