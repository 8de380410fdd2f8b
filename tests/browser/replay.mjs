// replay.mjs: a finished game step by step: what is marked at a moment, what is shown from each seat, and that it fits.
import { becomes, equal, ok, run } from './harness.mjs';
import { api, playOut } from './room.mjs';

const tests = {};

/** A finished game of a person and a bot, and its steps as the first seat saw them. */
async function finished(world, game, options, bot) {
  const page = await world.device({ open: false });
  const { table, host } = await api(page, 'POST', '/tables', { game, options });
  const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot }, host);
  await api(page, 'POST', `/tables/${table}/start`, {}, host);
  await page.goto('/');
  await playOut(page, table, [token]);
  const { steps } = await api(page, 'GET', `/tables/${table}/replay/0`);
  const open = async (who, step) => {
    await page.goto('about:blank'); // the same address again would not be a new visit
    await page.goto(`/#/replay/${table}/${who}/${step}`);
    await page.locator('.replay main').waitFor();
  };
  return { page, table, steps, open };
}

tests['B7 B8 Soum Soum: a link to a moment marks what that moment did; all hands are open, and nothing is asked'] = async (world) => {
  const { page, steps, open } = await finished(world, 'soumsoum', { players: 2, first: 0 }, 'greedy');
  const place = ([row, column]) => row * 5 + column;
  const marked = () => page.locator('.ce.fresh').evaluateAll((all) => all.map((c) => Number(c.dataset.place)).sort((a, b) => a - b));
  /** What a step marks: what it laid, and the divers that it made worth something else. */
  const expected = (n) => {
    const laid = steps[n].events.filter((e) => e.event === 'placed' || e.event === 'dived').map((e) => place(e.at));
    const before = new Map(steps[n - 1].view.tokens.map((k) => [place(k.at), k.worth]));
    const other = steps[n].view.tokens.filter((k) => before.has(place(k.at)) && before.get(place(k.at)) !== k.worth);
    return [...new Set([...laid, ...other.map((k) => place(k.at))])].sort((a, b) => a - b);
  };
  const late = steps.length - 4;
  const at = steps.findIndex((s, n) => n >= late && s.events.some((e) => e.event === 'placed'));
  await open(0, at);
  await becomes(marked, expected(at), 'marks after a link');
  ok(expected(at).length < 6, 'few are');
  await page.keyboard.press('Home');
  await becomes(marked, [], 'marks at the start');
  await page.keyboard.press('End');
  await becomes(marked, expected(steps.length - 1), 'marks after a jump');
  equal(await page.locator('.acts').count(), 0, 'buttons');

  await open('open', 0);
  await becomes(() => page.locator('.group.all').count(), 2, 'hands');
  equal(await page.locator('.group.all .hcard').count(), 6, 'cards in them');
};

tests['what was chosen last is shown, though an earlier choice is answered later'] = async (world) => {
  const { page, table, open } = await finished(world, 'soumsoum', { players: 2, first: 0 }, 'greedy');
  let release;
  const held = new Promise((done) => (release = done));
  await page.route(`**/api/tables/${table}/replay/open`, async (route) => {
    await held;
    await route.continue();
  });
  await open('table', 0);
  const late = page.waitForResponse((r) => r.url().endsWith('/replay/open'));
  const chosen = () => page.getByRole('radiogroup', { name: 'Seen by' }).getByRole('radio', { checked: true }).innerText();
  await page.getByRole('radio', { name: 'Everything open' }).click();
  await page.getByRole('radio', { name: 'Ana' }).click();
  await becomes(chosen, 'Ana', 'what is chosen');
  release();
  await (await late).finished();
  await page.evaluate(() => fetch('/healthz').then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))));
  equal(await chosen(), 'Ana', 'after the late answer');
  equal(await page.locator('.group.all').count(), 0, 'hands that are open');
};

tests['B7 B8 DiverCity: a link to a moment marks what that moment did, and nothing is asked'] = async (world) => {
  const { page, steps, open } = await finished(world, 'divercity', { divers: 2 }, 'random');
  const at = steps.findLastIndex((s) => s.view.phase === 'action' && s.view.active === 0);
  const moved = steps[at].events.filter((e) => e.event === 'moved').length;
  await open(0, at);
  await page.locator('.tk').first().waitFor();
  ok((await page.locator('.tk.moved').count()) <= moved, `only what this step moved glows: ${moved}`);
  equal(await page.getByText('just built').count(), steps[at].events.filter((e) => e.event === 'built').length, 'islands that were just built');
  equal(await page.getByText('Choose one action').count(), 0, 'questions');
};

await run(tests);
