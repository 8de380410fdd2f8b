// readme.mjs: the pictures of the README, taken from games that are really played; see tools/page-pictures.
import { run } from '../harness.mjs';
import { api } from '../room.mjs';

/** Sits down alone with bots, starts, and opens the board. */
async function begin(page, game, options, bots, name = 'Ana') {
  const made = await api(page, 'POST', '/tables', { game, options });
  const seat = await api(page, 'POST', `/tables/${made.table}/seats`, { name });
  for (const [i, bot] of bots.entries()) await api(page, 'POST', `/tables/${made.table}/bots`, { seat: i + 1, bot }, made.host);
  await api(page, 'POST', `/tables/${made.table}/start`, {}, made.host);
  await page.goto(`/#/s/${made.table}/${seat.seat}/${seat.token}`);
  await page.waitForSelector('main');
  await page.waitForLoadState('networkidle');
  return made;
}

await run({
  home: async (world) => {
    const page = await world.device();
    await page.waitForLoadState('networkidle');
    await world.shot(page, 'page-home');
  },
  dive: async (world) => {
    const page = await world.device();
    const made = await begin(page, 'dive', { divers: 4, flashlight: true }, ['steady', 'steady', 'steady']);
    await page.locator('.dive.plan').waitFor();
    await page.waitForTimeout(3000);
    for (const key of ['2', '1', '1', '2', '3', '2', '5', '3']) await page.keyboard.press(key);
    await page.waitForTimeout(2500);
    await world.shot(page, 'page-dive');
    const screen = await world.device();
    await screen.setViewportSize({ width: 1920, height: 1080 });
    await screen.goto(`/#/screen/${made.table}`);
    await screen.waitForTimeout(4000);
    await world.shot(screen, 'page-screen');
  },
  divercity: async (world) => {
    const page = await world.device();
    await begin(page, 'divercity', { divers: 3, first: 1 }, ['ranger', 'ranger']);
    await page.waitForTimeout(9000);
    await world.shot(page, 'page-divercity');
  },
  soumsoum: async (world) => {
    const page = await world.device();
    await begin(page, 'soumsoum', { players: 4, first: 1 }, ['greedy', 'greedy', 'greedy']);
    await page.waitForTimeout(12000);
    await page.keyboard.press('1');
    for (const key of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
    await page.waitForTimeout(1500);
    await world.shot(page, 'page-soumsoum');
  },
});
