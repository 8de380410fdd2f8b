// static.mjs: the folder that tools/static writes, served by Python's web server below a path: there is no fathom at all.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asked } from '../../games/soumsoum/tests/table.mjs';
import { accessible, becomes, equal, examined, fits, ok, PACE, run } from './harness.mjs';
import { mixtures, playedWhole, whole } from './whole.mjs';

const tests = {};

const root = mkdtempSync(join(tmpdir(), 'fathom-static-'));
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
execFileSync('tools/static', [join(root, 'some/path')]);

/** The copy below /some/path/ of a web server that knows nothing of games. */
async function publish() {
  const child = spawn('python3', ['-u', '-m', 'http.server', '--bind', '127.0.0.1', '--directory', root, '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const port = await new Promise((done, fail) => {
    child.stdout.on('data', (text) => done(/port (\d+)/.exec(String(text))?.[1]));
    child.on('error', fail);
  });
  return {
    address: `http://127.0.0.1:${port}/some/path/`,
    stop: () =>
      new Promise((done) => {
        child.on('exit', done);
        child.kill();
      }),
  };
}

/** Home says that there is no server. That comes a moment later and moves what is below, so a press before might be lost. */
const alone = (page) => page.getByText(new RegExp(Object.values(said).map(([sentence]) => sentence).join('|'))).waitFor();

/** A device that opens the copy, and what it asked for outside of the copy's folder. */
async function visit(world, site, how) {
  const page = await world.device({ ...how, fresh: true, open: false, address: site.address });
  page.strayed = [];
  page.on('request', (r) => !r.url().startsWith(site.address) && !/^(data|blob):/.test(r.url()) && page.strayed.push(r.url()));
  page.on('websocket', (socket) => page.strayed.push(socket.url()));
  await page.goto(site.address);
  await alone(page);
  return page;
}

const plate = (page, name) => page.getByRole('article', { name, exact: true });

for (const [n, [size, language]] of mixtures([['phone', 'nl']]).entries())
  tests[`games are played to their end in a static copy, in ${language} on a ${size}`] = async (world) => {
    const site = await publish();
    const page = await visit(world, site, { size, language, pace: PACE });
    const played = playedWhole(n + 1);
    for (const game of played) await whole(page, game, site.address);
    await page.locator('details.paper summary').last().click();
    await becomes(() => page.locator('a[href*="/replay/"]').count(), played.length, 'games that can be seen again');
    equal(await page.locator('.chip.wait').count(), 0, 'games that wait for a server');
    await fits(page, 'home after games');
    await world.shot(page, `static-played-${size}-${language}`);
    equal(page.strayed, [], 'requests outside of the folder');
    await site.stop();
  };

tests['a record from elsewhere is shown in a static copy'] = async (world) => {
  const site = await publish();
  const page = await visit(world, site, { size: 'laptop', language: 'en' });
  await page.goto(`${site.address}#/replay`);
  await page.locator('input[type=file]').setInputFiles('games/soumsoum/tests/golden/2-greedy-market.jsonl');
  await page.getByRole('grid').waitFor();
  equal(page.strayed, [], 'requests outside of the folder');
  await site.stop();
};

const said = {
  en: ['This copy of Fathom has no server: you play against bots, on your own device.', 'Needs a Fathom server'],
  fr: ['Cette copie de Fathom n’a pas de serveur\u202f: vous jouez contre des bots, sur votre appareil.', 'A besoin d’un serveur Fathom'],
  nl: ['Deze kopie van Fathom heeft geen server: je speelt tegen bots, op je eigen apparaat.', 'Heeft een Fathom-server nodig'],
};

for (const [size, language] of Object.entries(examined))
  tests[`a static copy says what it can do, and games, lessons, rules and the referee open, in ${language} on a ${size}`] = async (world) => {
    const site = await publish();
    const page = await visit(world, site, { size, language, pace: PACE });
    const [sentence, needs] = said[language];
    await page.getByText(sentence).waitFor();
    await page.getByRole('heading', { name: needs }).waitFor();
    equal(await page.locator('.banner').count(), 0, 'a lost server');
    equal(await page.locator('form').count(), 0, 'a field for codes');
    await fits(page, 'home');
    await accessible(page, 'home of a static copy');
    await world.shot(page, `static-home-${size}-${language}`);

    await page.goto(`${site.address}#/learn/soumsoum`);
    await page.getByRole('grid').waitFor();
    await page.goto(`${site.address}#/rules/dive`);
    await page.locator('main h2').first().waitFor();
    await page.goto(`${site.address}#/settle/soumsoum`);
    await page.locator('main a[href*="/settle/soumsoum/"]').first().click();
    await page.locator('.soum').waitFor();
    await page.goto(site.address);
    await alone(page);
    await plate(page, 'DiverCity').getByRole('button').click();
    await page.locator('.dc.board .hands').waitFor();
    equal(page.strayed, [], 'requests outside of the folder');
    await site.stop();
  };

tests['a static copy opens again when its web server is gone'] = async (world) => {
  const site = await publish();
  const page = await visit(world, site, { keeps: true, size: 'phone' });
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map((r) => r.scope)), [site.address], 'what the worker governs');
  await site.stop();
  await page.reload();
  await alone(page);
  await plate(page, 'Soum Soum').getByRole('button').click();
  await page.getByRole('grid').waitFor();
  equal(await asked(page), 'place', 'the step');
};

tests['tools/static writes only into folders that are new, empty or its own'] = async () => {
  const write = (...flags) => spawnSync('tools/static', flags, { encoding: 'utf8' });
  const folder = join(root, 'other');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const refused = write(folder);
  equal([refused.status, refused.stderr], [1, `static: ${folder} is not empty and was not written by tools/static: nothing was changed\n`], 'a foreign folder');
  equal(readdirSync(folder), ['mine.txt'], 'its files');
  rmSync(join(folder, 'mine.txt'));
  equal(write(folder).status, 0, 'an empty folder');
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  equal(write(folder).status, 0, 'its own folder');
  ok(readdirSync(folder).includes('mine.txt'), 'what somebody put beside it stays');
  const file = write(join(folder, 'mine.txt'));
  equal([file.status, file.stderr], [1, `static: ${join(folder, 'mine.txt')} is not a folder\n`], 'a file');
  equal([write().status, write('a', 'b').status, write('--what').status, write('--help').status], [2, 2, 2, 0], 'misuse, and help');
};

await run(tests);
