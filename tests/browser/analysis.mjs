// analysis.mjs: an analysed replay: by roles, names and keys alone, without a connection; stopped; in every window.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { playOut as playSoum } from '../../games/soumsoum/tests/whole.mjs';
import { built, bundle, module } from '../wasm/bundle.mjs';
import { accessible, becomes, equal, fits, ok, run, sizes, until } from './harness.mjs';
import { api, cutOff, playOut } from './room.mjs';

const tests = {};
const program = process.env.FATHOM ?? 'build/fathom';
const dir = mkdtempSync(join(tmpdir(), 'fathom-analysis-'));
process.on('exit', () => rmSync(dir, { recursive: true }));

/** A game of random bots, which has flaws enough, and what the program says of it. */
function game(id, ...flags) {
  const file = join(dir, `${id}.jsonl`);
  execFileSync(program, ['sim', id, '--seed', '5', '--bots', 'random', ...flags, '--games', '1', '--jobs', '1', '--record', file]);
  const analyse = () => JSON.parse(execFileSync(program, ['analyse', file, '--budget', 'quick', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));
  return { file, record: readFileSync(file, 'utf8'), analyse };
}

const soumsoum = () => game('soumsoum', '--players', '2');
const divercity = () => game('divercity', '--divers', '3');

/** Dive: what the page's own modules say of it, since its pictures differ from the program's by a few pixels. */
function dive() {
  const made = game('dive', '--divers', '2', '--bots', 'minnow');
  const analyse = async () => {
    const { Analyst, Ocean, analyse: whole } = await bundle('analysis', 'analyse', 'ocean');
    const ocean = async () => new Ocean(module('ocean.wasm'), inflateSync(readFileSync(built('drawings.bin'))));
    return JSON.parse(await whole(new Analyst(module('analysis.wasm')), ocean, { record: made.record, seat: null, budget: 'quick', water: null }));
  };
  return { ...made, analyse };
}

/** Opens a record on this device: it is sent nowhere. */
async function open(page, file) {
  await page.goto('/#/replay');
  await page.locator('input[type=file]').setInputFiles(file);
  await page.waitForURL(/#\/replay\/0{16}/);
  await analysed(page).waitFor();
}

const analysed = (page) => page.getByRole('switch', { name: 'Analysis' });
const decisions = (page) => page.getByRole('table', { name: 'All decisions' });

/** What has the focus, as a screen reader would name it. */
const focused = (page) =>
  page.evaluate(() => {
    const e = document.activeElement;
    return { role: e.getAttribute('role') ?? e.localName, name: e.getAttribute('aria-label') ?? e.textContent.trim() };
  });

/** Tab until something with this role and name has the focus. */
async function tabTo(page, role, name, key = 'Tab') {
  for (let i = 0; i < 400; i++) {
    const here = await focused(page);
    if (here.role === role && name.test(here.name)) return here;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never reached a ${role} ${name}`);
}

const signed = (share) => {
  const n = Math.round(100 * share) || 0;
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
};
const cells = (row) => row.getByRole('cell').allTextContents();
const clean = (text) => text.replace(/\s+/g, ' ').trim();

/** Whether the row that holds a button shows all of it. */
const inSight = (e) => {
  const [own, row] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
  return own.left >= row.left - 1 && own.right <= row.right + 1;
};

for (const [id, make, size] of [['soumsoum', soumsoum, 'laptop'], ['divercity', divercity, 'phone'], ['dive', dive, 'laptop']])
  tests[`${id}: a blind user's path through an analysed game, by keys alone, without a connection, on a ${size}`] = async (world) => {
    const { file, analyse } = make();
    const wanted = await analyse();
    const page = await cutOff(world, { size, analyses: true });
    await open(page, file);

    await tabTo(page, 'switch', /^Analysis$/);
    await page.keyboard.press('Space');
    await decisions(page).waitFor();
    const own = wanted.decisions.filter((d) => d.seat === 0);
    const rows = decisions(page).getByRole('row');
    equal(await rows.count(), own.length + 1, 'a row for each decision of the seat, and the head');
    if (size === 'phone') await until('the chosen seat is in sight', () => page.getByRole('radiogroup', { name: 'Seen by' }).getByRole('radio', { checked: true }).evaluate(inSight));

    // The totals of every seat, as the program has them.
    const totals = page.getByRole('table', { name: 'The whole game' }).getByRole('row');
    for (const s of wanted.seats) {
      const [accuracy, lost, luck] = (await cells(totals.nth(s.seat + 1))).map(clean);
      equal([lost, luck], [signed(-s.lost), signed(s.luck)], `totals of seat ${s.seat}`);
      equal(accuracy, s.accuracy === null ? '–' : `${Math.round(s.accuracy)}%`, `accuracy of seat ${s.seat}`);
    }

    // From the table to the worst decision: the focus goes to its heading, and what follows says all of it.
    const worst = own.reduce((a, b) => (b.lost > a.lost ? b : a));
    ok(worst.mark !== '', 'random bots blunder');
    const row = rows.nth(own.indexOf(worst) + 1);
    const name = await row.getByRole('button').getAttribute('aria-label');
    ok((await row.innerText()).includes(signed(-worst.lost)), 'what it lost stands in its row');
    await tabTo(page, 'button', new RegExp(`^${name}$`));
    await page.keyboard.press('Enter');
    await becomes(async () => (await focused(page)).role, 'h2', 'the focus is on the decision');
    const panel = page.getByRole('complementary', { name: 'Analysis' });
    const word = { slip: 'Slip', mistake: 'Mistake', blunder: 'Blunder' }[worst.mark];
    await panel.getByText(new RegExp(`${word}\\. The best choice here had a chance of ${Math.round(100 * worst.best_value)}\\s?%`)).waitFor();
    const options = panel.getByRole('listitem');
    ok(/best/.test(await options.first().innerText()), 'the best comes first');
    ok((await options.filter({ hasText: 'played' }).count()) === 1, 'what was played is among them');

    // Another choice can be pointed at, and the next flaw is a key away.
    await tabTo(page, 'button', /best/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    equal(await options.nth(1).getByRole('button').getAttribute('aria-pressed'), 'true', 'the second choice is pointed at');
    await tabTo(page, 'button', /^(Previous|Next) flaw$/, 'Shift+Tab');
    const before = await panel.getByRole('heading', { level: 2 }).first().innerText();
    await page.keyboard.press('Enter');
    await until('another decision', async () => (await panel.getByRole('heading', { level: 2 }).first().innerText()) !== before || (await decisions(page).getByRole('row').filter({ hasText: /Slip|Mistake|Blunder/ }).count()) === 1);
    await accessible(page, `${id} analysed`);
    await fits(page, `${id} analysed`);
    if (id === 'dive') await diveShown(page, panel);
    await inAnyWindow(world, page, id);
  };

/** What was known of each level, and the program that is pointed at on the board. */
async function diveShown(page, panel) {
  await panel.getByRole('button', { name: /best/ }).first().click();
  const levels = panel.locator('.knew ol > li');
  ok((await levels.count()) >= 1, 'levels that could be looked at');
  ok(/Average eyes/.test(await levels.first().innerText()), 'what average eyes make of it');
  await panel.getByText('The chances of all eight kinds of sheet').click();
  const eight = panel.getByRole('table', { name: 'Average eyes' });
  equal(await eight.getByRole('columnheader').count(), 8, 'eight kinds');
  await page.locator('.dive .risk').getByText(/Best program\. Chance to win \d+\s?%/).waitFor();
  equal(await page.getByText('Drop a token here').count(), 0, 'nothing can be laid in a replay');
}

/** What is known stays when a closer look is stopped. */
async function stopped(page) {
  await page.getByRole('button', { name: /^Deep look/ }).click();
  await page.getByRole('progressbar').waitFor();
  await page.getByText(/Decision \d+ of \d+/).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('progressbar').waitFor({ state: 'detached' });
  ok(await decisions(page).isVisible(), 'the quick look is still there');
  await analysed(page).click();
  await page.getByRole('complementary', { name: 'What happens here' }).waitFor({ state: 'attached' });
  await page.keyboard.press('End');
  await analysed(page).click();
  await decisions(page).waitFor();
}

/** The board shows the chances of places, and the log and the timeline the flaws. */
async function onTheBoard(page, analyse) {
  const laid = analyse().decisions.find((d) => d.seat === 0 && d.played.do === 'place' && d.mark !== '');
  await page.getByRole('button', { name: `Step ${laid.step}`, exact: true }).click();
  const place = ([r, c]) => r * 5 + c;
  await becomes(() => page.locator('.ce.looked').getAttribute('data-place'), String(place(laid.best.at)), 'the better place');
  equal(await page.locator('.ce.did').getAttribute('data-place'), String(place(laid.played.at)), 'the place that was played');
  equal(clean(await page.locator('.ce.looked .snd').innerText()), String(Math.round(100 * laid.best_value)), 'its chance');
  ok((await page.locator('.plot .flaw').count()) > 0, 'flaws on the timeline');
  await analysed(page).click();
  await page.keyboard.press('ArrowRight');
  await page.locator('.log .now .flaw').waitFor();
  await analysed(page).click();
  await decisions(page).waitFor();
}

tests['soumsoum: flaws on the board, in the log and on the timeline; a closer look is stopped; a game is taken up before a decision, goes on against bots, and leaves no record'] = async (world) => {
  const { file, record, analyse } = soumsoum();
  const page = await world.device({ analyses: true });
  await open(page, file);
  await analysed(page).click();
  await decisions(page).waitFor();
  await onTheBoard(page, analyse);
  await stopped(page);
  await takenUp(page, record);
};

/** A game of Soum Soum against a bot at a table of the server, which is over. */
async function finished(world) {
  const page = await world.device({ open: false, analyses: true });
  const { table, host } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 2, first: 0 } });
  const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot: 'greedy' }, host);
  await api(page, 'POST', `/tables/${table}/start`, {}, host);
  await page.goto('/');
  await playOut(page, table, [token]);
  return { page, table, token };
}

/** The Worker of an analysis takes so many ms longer for each thing that it tells. */
const slowDown = (page, ms) =>
  page.route(/analysis-worker.*\.js/, async (route) => {
    const answer = await route.fetch();
    const wait = `{ const tell = postMessage.bind(self); self.postMessage = (m) => { for (const end = performance.now() + ${ms}; performance.now() < end; ); tell(m); }; }`;
    await route.fulfill({ response: answer, body: `${wait}\n${await answer.text()}` });
  });

tests['a device that is slow leaves a quick look to the server, and says so'] = async (world) => {
  const { page, table } = await finished(world);
  await slowDown(page, 800);
  const asked = page.waitForResponse((r) => r.url().endsWith(`/api/tables/${table}/analysis`));
  await page.goto(`/#/replay/${table}/0/0/analysis`);
  await page.getByText('This device would take long, so the server works it out.').waitFor();
  const { seats, decisions: all } = await (await asked).json();
  await decisions(page).waitFor();
  equal(await decisions(page).getByRole('row').count(), all.filter((d) => d.seat === 0).length + 1, 'rows');
  const totals = page.getByRole('table', { name: 'The whole game' }).getByRole('row');
  equal((await cells(totals.nth(1))).map(clean).slice(1, 3), [signed(-seats[0].lost), signed(seats[0].luck)], 'the totals are the server’s');
};

tests['after a game a sentence says what choices cost, and leads to the decisions, which have an address of their own'] = async (world) => {
  const { page, table, token } = await finished(world);
  const file = join(dir, 'server.jsonl');
  writeFileSync(file, await (await fetch(`${page.address}/api/tables/${table}/record`)).text());
  const { seats } = JSON.parse(execFileSync(program, ['analyse', file, '--seat', '0', '--budget', 'quick', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 }));
  const [lost, luck] = [seats[0].lost, seats[0].luck].map((n) => Math.round(100 * n) || 0);
  await page.goto(`/#/s/${table}/0/${token}`);
  const said = page.locator('[data-part=chances]');
  await said.waitFor();
  const text = clean(await said.innerText());
  if (lost > 0) ok(text.includes(`cost you ${lost}%`), `${text}: ${lost}`);
  else ok(/cost you (next to )?nothing/.test(text), text);
  if (luck !== 0) ok(text.includes(`You were ${luck > 0 ? 'lucky' : 'unlucky'} by ${Math.abs(luck)}%`), `${text}: ${luck}`);
  await fits(page, 'the end');
  await page.getByRole('link', { name: 'See each decision' }).click();
  await decisions(page).waitFor();
  await page.goto('/');
  await page.goto(`/#/replay/${table}/0/0/analysis`);
  await decisions(page).waitFor();
  ok((await decisions(page).getByRole('row').count()) > 10, 'decisions');
};

/** A game is taken up before a decision, goes on against bots, and leaves no record. */
async function takenUp(page, record) {
  const laid = record.split('\n').findLastIndex((l) => /"seat":0,"do":"place"/.test(l));
  await page.getByRole('button', { name: `Step ${laid}`, exact: true }).click();
  const before = await page.locator('.replay .ce.has').count();
  await page.getByRole('button', { name: 'With the cards as they lay' }).click();
  await page.waitForURL(/#\/table\/0{16}/);
  const free = page.locator('.ce.free');
  await free.first().waitFor();
  equal(await page.locator('.ce.has').count(), before, 'cards on the board');
  await playSoum(page);
  await page.getByRole('button', { name: 'See the result' }).click();
  await page.getByText('Taken up in the middle of another game: no record is kept.').waitFor();
  equal(await page.getByRole('link', { name: 'Save the record' }).count(), 0, 'nothing to save');
  equal(await page.locator('[data-part=chances]').count(), 0, 'no sentence on choices that somebody else made');
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('article').first().waitFor();
  await until('it is gone', () => page.evaluate(() => new Promise((done) => {
    const asked = indexedDB.open('fathom');
    asked.onsuccess = () => {
      const all = asked.result.transaction('tables').objectStore('tables').getAll();
      all.onsuccess = () => done(all.result.every((t) => t.from === undefined) && (asked.result.close(), true));
    };
  })));
}

/** Buttons of the panel that a finger could miss. */
const small = (page) =>
  page.locator('.panel button').evaluateAll((all) =>
    all.filter((b) => b.checkVisibility() && (b.offsetHeight < 44 || b.offsetWidth < 44)).map((b) => `${b.className} ${b.textContent.trim().slice(0, 20)} ${b.offsetWidth}×${b.offsetHeight}`),
  );

/** Everything fits and can be touched. */
async function inAnyWindow(world, page, id) {
  for (const [width, height] of [[320, 568], [360, 640], [390, 844], [600, 960], [834, 1112], [844, 390], [1024, 700], [1100, 620], [1366, 620], [1366, 768], [1920, 1080]]) {
    await page.setViewportSize({ width, height });
    await fits(page, `${width}×${height}`);
    equal(await small(page), [], `${width}×${height}: small targets`);
  }
  for (const size of ['desktop', 'phone'])
    for (const theme of ['light', 'dark']) {
      await page.setViewportSize(sizes[size]);
      await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
      await world.shot(page, `analysis-${id}-${size}-${theme}`);
    }
}

await run(tests);
