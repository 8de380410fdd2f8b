// alone.mjs: a game without a server: the engine in the page keeps the table.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { asked, button, cell, freePlaces } from '../../games/soumsoum/tests/table.mjs';
import { equal, ok, run } from './harness.mjs';

const tests = {};

/** A device that cannot ask the server anything any more; the page's own files still come. */
async function cutOff(world, size) {
  const page = await world.device({ size, language: 'en', fresh: true });
  const stats = { asked: 0, sockets: 0 };
  await page.route('**/api/**', (route) => {
    stats.asked++;
    return route.abort();
  });
  page.on('websocket', () => stats.sockets++);
  return { page, stats };
}

/** Places the chosen card on the first free place, and sends a diver every second turn. */
async function turn(page, n, touch) {
  const press = (what) => (touch ? what.tap() : what.click());
  await press(page.getByRole('group', { name: 'Your hand' }).getByRole('button').first());
  const [place] = await freePlaces(page, false);
  await press(cell(page, place));
  await press(button(page, 'Place it here'));
  if ((await asked(page)) !== 'diver') return;
  if (n % 2 === 0) return press(button(page, 'No diver'));
  const [card] = await freePlaces(page, true);
  await press(cell(page, card));
  await press(button(page, 'Send a diver here'));
}

for (const size of ['laptop', 'phone'])
  tests[`Soum Soum is played to its end without a server, replayed, verified and saved, on a ${size}`] = async (world) => {
    const { page, stats } = await cutOff(world, size);
    await page.getByRole('article').filter({ hasText: 'Soum Soum' }).getByRole('button').first().click();
    await page.getByRole('grid').waitFor();
    ok(/#\/table\/0{16}[0-9a-f]{16}$/.test(page.url()), page.url());
    for (let n = 0; (await asked(page)) !== 'over'; n++) await turn(page, n, size === 'phone');
    await button(page, 'See the result').click();
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('a[download][href^="blob:"]').click()]);
    const file = await saved.path();
    ok(readFileSync(file, 'utf8').endsWith('\n'), 'a whole record');
    execFileSync(process.env.FATHOM ?? 'build/fathom', ['replay', file]);
    const id = page.url().split('/').at(-1);
    await page.goto(`/#/replay/${id}/0/3`);
    await page.getByRole('grid').waitFor();
    await page.goto(`/#/verify/${id}`);
    await page.locator('.foot code').waitFor();
    equal(stats.sockets, 0, 'streams of a server');
    ok(stats.asked > 0, 'the server was asked first');
  };

tests['DiverCity begins without a server'] = async (world) => {
  const { page, stats } = await cutOff(world, 'laptop');
  await page.getByRole('button', { name: /Play now.*: DiverCity$/ }).click();
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  ok(/#\/table\/0{16}/.test(page.url()), page.url());
  equal(stats.sockets, 0, 'streams of a server');
};

await run(tests);
