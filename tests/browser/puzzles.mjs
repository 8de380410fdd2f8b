// puzzles.mjs: puzzles by keys alone and without a connection: missed, tried again and solved; what was solved is kept; and all
// of it in wide, narrow and low windows.
import { readdirSync, readFileSync } from 'node:fs';
import { accessible, becomes, equal, fits, ok, run, sizes } from './harness.mjs';
import { cutOff } from './room.mjs';

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

/** Until the board listens: a step that has just begun takes no key, so that whoever presses twice does not decide twice. */
const listens = (page) => page.locator('.btn:text-is("No diver"):not([aria-disabled="true"])').waitFor();

const here = (page) => page.evaluate(() => Number(document.activeElement.closest('[data-place]')?.dataset.place ?? -1));

/** Goes from the place that has the focus to another, by the arrows. */
async function walk(page, [row, column]) {
  await page.keyboard.press('ArrowDown'); // into the board
  for (let at = await here(page); at !== 5 * row + column; at = await here(page)) {
    const [r, c] = [Math.floor(at / 5), at % 5];
    await page.keyboard.press(r < row ? 'ArrowDown' : r > row ? 'ArrowUp' : c < column ? 'ArrowRight' : 'ArrowLeft');
    ok((await here(page)) !== at, `an arrow does not lead away from place ${at}`);
  }
}

tests['a puzzle is missed, tried again and solved, by keys alone and without a connection'] = async (world) => {
  const { best, candidates } = all[diver - 1];
  const page = await cutOff(world);
  await page.goto('/#/puzzles/soumsoum');
  await page.getByRole('link', { name: `Puzzle ${diver}`, exact: true }).press('Enter');
  await heading(page, new RegExp(`^Puzzle ${diver}\\b`)).waitFor();
  await asked(page).waitFor();

  await listens(page);
  await page.keyboard.press('n');
  await heading(page, 'There was a better one').waitFor();
  await becomes(() => page.evaluate(() => document.activeElement.textContent.trim()), 'There was a better one', 'the focus is on the answer');
  const options = page.getByRole('listitem').filter({ has: page.getByRole('button', { pressed: true }) });
  ok(/best/.test(await options.first().innerText()), 'the best is pointed at');
  equal(await page.locator('.ce.looked').getAttribute('data-place'), String(5 * best.at[0] + best.at[1]), 'and shown on the board');
  await page.getByText(percent(candidates[0].value)).first().waitFor();
  await accessible(page, 'an answer');

  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await asked(page).waitFor();
  await listens(page);
  await walk(page, best.at);
  await page.keyboard.press('d');
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

for (const game of ['soumsoum', 'divercity', 'dive'])
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
