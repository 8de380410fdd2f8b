// puzzles.mjs: puzzles: missed, tried again and solved; what was solved is kept; and all of it in
// wide, narrow and low windows, by day and by night.
import { readdirSync, readFileSync } from 'node:fs';
import { accessible, becomes, equal, fits, ok, run, sizes } from './harness.mjs';

const tests = {};
const folder = new URL('../../games/soumsoum/puzzles/', import.meta.url);
const all = readdirSync(folder)
  .sort()
  .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
/** One whose answer is to send a diver: not to send one is wrong there. */
const diver = all.findIndex((p) => p.best.do === 'diver') + 1;

const heading = (page, name) => page.getByRole('heading', { name });
/** What the strip above the board says. */
const asked = (page) => page.getByText(/^Your turn\. One choice is clearly the best/);
const percent = (share) => new RegExp(`${Math.round(100 * share)}\\s?%`);

/** Sends a diver to a place. */
async function dive(page, [row, column]) {
  const place = page.locator(`.ce[data-place="${5 * row + column}"]`);
  await place.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Send a diver here' }).click(); // once the engine has said what it would be worth
}

tests['a puzzle is missed, tried again and solved'] = async (world) => {
  const { best, candidates } = all[diver - 1];
  const page = await world.device();
  await page.goto('/#/puzzles/soumsoum');
  await page.getByRole('link', { name: `Puzzle ${diver}`, exact: true }).press('Enter');
  await heading(page, new RegExp(`^Puzzle ${diver}\\b`)).waitFor();
  await asked(page).waitFor();

  await page.getByRole('button', { name: 'No diver' }).click();
  await heading(page, 'There was a better one').waitFor();
  await becomes(() => page.evaluate(() => document.activeElement.textContent.trim()), 'There was a better one', 'the focus is on the answer');
  const options = page.getByRole('listitem').filter({ has: page.getByRole('button', { pressed: true }) });
  ok(/best/.test(await options.first().innerText()), 'the best is pointed at');
  equal(await page.locator('.ce.looked').getAttribute('data-place'), String(5 * best.at[0] + best.at[1]), 'and shown on the board');
  await page.getByText(percent(candidates[0].value)).first().waitFor();
  await accessible(page, 'an answer');

  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await asked(page).waitFor();
  await dive(page, best.at);
  await heading(page, 'That is it!').waitFor();
  await page.keyboard.press('PageDown');
  await heading(page, new RegExp(`^Puzzle ${(diver % all.length) + 1}\\b`)).waitFor();
  await page.getByRole('link', { name: 'All puzzles' }).press('Enter');
  await page.getByText(`1 of ${all.length} solved`).waitFor();
  await page.getByRole('link', { name: `Puzzle ${diver} solved` }).waitFor();
};

tests['the answer is shown to who asks for it, and the game goes on from there'] = async (world) => {
  const page = await world.device();
  await page.goto('/');
  await page.getByRole('link', { name: 'Puzzles' }).click();
  await page.getByRole('link', { name: 'Begin with the first' }).click();
  await page.getByRole('button', { name: 'Show the answer' }).click();
  await heading(page, 'The answer').waitFor();
  await page.getByRole('button', { name: 'Play on from here' }).click();
  await page.waitForURL(/#\/table\/0{16}/);
};

for (const game of ['soumsoum', 'divercity'])
  tests[`${game}: wide, narrow and low windows`] = async (world) => {
    const page = await world.device();
    for (const name of ['laptop', 'phone', 'landscape']) {
      await page.setViewportSize(sizes[name]);
      await page.goto(`/#/puzzles/${game}`);
      await page.getByText(/of \d+ solved/).waitFor();
      await fits(page, `the puzzles of ${game}, ${name}`);
      if (name === 'phone') await accessible(page, `the puzzles of ${game}`);
      await world.shot(page, `${game}-${name}-all`);
      await page.goto(`/#/puzzles/${game}/1`);
      await page.getByRole('button', { name: 'Show the answer' }).waitFor();
      await fits(page, `a puzzle of ${game}, ${name}`);
      if (name === 'phone') await accessible(page, `a puzzle of ${game}`);
      await world.shot(page, `${game}-${name}-asked`);
      await page.getByRole('button', { name: 'Show the answer' }).click();
      await heading(page, 'The answer').waitFor();
      await fits(page, `an answer of ${game}, ${name}`);
      await world.shot(page, `${game}-${name}-answered`);
    }
  };

await run(tests);
