// whole.mjs: a game against bots on this device, from home to its saved record. Each game says how it is played (tests/whole.mjs).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { equal, ok } from './harness.mjs';

/** WHOLE=all plays whole games on each size in each language, else only in `some` of these. */
export const mixtures = (some) =>
  process.env.WHOLE === 'all' ? ['laptop', 'phone'].flatMap((size) => ['en', 'fr', 'nl'].map((language) => [size, language])) : some;

/**
 * The games that are played to their end in the n-th mixture: all with WHOLE=all, else one after the other. What a mixture
 * and a game do to each other is tested where there is a server (games/NAME/tests/page.mjs).
 */
export const playedWhole = (n) => (process.env.WHOLE === 'all' ? games : [games[n % games.length]]);

export const games = await Promise.all(
  readFileSync('games/list', 'utf8')
    .split('\n')
    .filter((line) => /^\w+$/.test(line))
    .map(async (id) => ({ id, ...(await import(`../../games/${id}/tests/whole.mjs`)) })),
);

/** Home is shown. Plays from *Play now* to the end; saves and replays the record, and verifies it. `home`: its address. */
export async function whole(page, { id: game, shown, playOut }, home = '/') {
  await page.locator(`article[aria-labelledby="g-${game}"] .acts button`).click();
  const first = page.locator('dialog[open] .btn.go'); // what a newcomer is told
  await first.or(shown(page)).first().waitFor();
  if (await first.isVisible()) await first.click();
  await shown(page).first().waitFor();
  ok(/#\/table\/0{16}[0-9a-f]{16}$/.test(page.url()), page.url());
  await playOut(page);
  await page.locator('.strip .btn').last().click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('a[download][href^="blob:"]').click()]);
  execFileSync(process.env.FATHOM ?? 'build/fathom', ['replay', await saved.path()]);
  const id = page.url().split('/').at(-1);
  await page.goto(`${home}#/replay/${id}/0/0`);
  await shown(page).first().waitFor();
  await page.goto(`${home}#/verify/${id}`);
  await page.locator('.foot code').waitFor();
  equal(await page.getByRole('alert').count(), 0, 'alerts about the record');
  equal(await page.locator('.sign.ok').count(), 4, 'steps that are right');
  await page.goto(`${home}#/`);
  await page.getByRole('article').first().waitFor();
}
