// reactions.mjs: eight drawings that people show each other: everybody sees them, a seat can be muted, and a closed panel says why.
import { accessible, becomes, equal, fits, run } from './harness.mjs';
import { api } from './room.mjs';

const tests = {};

/** A started game of two, each on a device of their own, opened by the seats' links. */
async function two(world, game, options, sizes) {
  const first = await world.device({ size: sizes[0], open: false });
  const second = await world.device({ size: sizes[1], open: false });
  const { table, host } = await api(first, 'POST', '/tables', { game, options });
  for (const [i, page] of [first, second].entries()) {
    const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: ['Ana', 'Bram'][i] });
    page.token = token;
    page.link = `/#/s/${table}/${i}/${token}`;
  }
  await api(first, 'POST', `/tables/${table}/start`, {}, host);
  for (const page of [first, second]) {
    await page.goto(page.link);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
  }
  return { ana: first, bram: second, table };
}

const bubbles = (page) => page.locator('.bubbles li');
const react = async (page, name) => {
  await page.getByRole('button', { name: 'React', exact: true }).click();
  await page.getByRole('button', { name, exact: true }).click();
};

tests['a reaction is seen by all at the table, said once, and shown large on the table screen'] = async (world) => {
  const { ana, bram, table } = await two(world, 'soumsoum', { players: 2 }, ['phone', 'desktop']);
  const screen = await world.device();
  await screen.goto(`/#/screen/${table}`);
  await screen.getByRole('main').waitFor();
  await react(ana, 'Well spotted');
  for (const page of [ana, bram, screen]) await bubbles(page).getByText('Well spotted').waitFor();
  await bram.locator('[aria-live=polite]', { hasText: 'Ana: Well spotted' }).waitFor({ state: 'attached' });
  await world.shot(ana, 'react-phone');
  await world.shot(bram, 'react');
  await world.shot(screen, 'react-screen');
  equal(await ana.getByRole('button', { name: 'Good game' }).getAttribute('aria-disabled'), 'true', 'only at the end');
  equal(await ana.getByRole('button', { name: 'Wow' }).getAttribute('aria-disabled'), 'true', 'one in three seconds');
  await fits(ana, 'reactions');
  await accessible(ana, 'reactions');
  await becomes(() => bubbles(bram).count(), 0, 'it goes again');
};

tests['a wave, which other programs may send, is drawn as hello'] = async (world) => {
  const { ana, bram, table } = await two(world, 'soumsoum', { players: 2 }, ['desktop', 'desktop']);
  await bram.evaluate(
    ([id, token]) => {
      const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
      socket.onopen = () => [{ hello: token }, { react: 'wave' }].forEach((said) => socket.send(JSON.stringify(said)));
    },
    [table, bram.token],
  );
  await bubbles(ana).filter({ hasText: 'Hello' }).locator('img[src$="#react-hello"]').waitFor();
};

tests['a seat that is muted is not seen here; nobody is told, and a reload keeps it so'] = async (world) => {
  const { ana, bram } = await two(world, 'soumsoum', { players: 2 }, ['desktop', 'desktop']);
  await ana.getByRole('button', { name: 'React', exact: true }).click();
  await ana.getByRole('switch', { name: 'Bram' }).click();
  await becomes(() => ana.getByRole('switch', { name: 'Bram' }).getAttribute('aria-checked'), 'false', 'muted');
  await ana.reload();
  await ana.getByRole('button', { name: 'Menu' }).waitFor();
  await react(bram, 'Oops');
  await bubbles(bram).getByText('Oops').waitFor();
  await react(ana, 'Thanks'); // comes after it on the same stream
  await bubbles(ana).getByText('Thanks').waitFor();
  equal(await bubbles(ana).getByText('Oops').count(), 0, 'muted');
};

tests['C13 in DiverCity the panel is closed and says why'] = async (world) => {
  const { ana } = await two(world, 'divercity', { divers: 2 }, ['phone', 'phone']);
  await ana.getByRole('button', { name: 'React', exact: true }).click();
  await ana.getByRole('heading', { name: 'Reactions are off' }).waitFor();
  await ana.getByText('silence is a rule').waitFor();
  equal(await ana.getByRole('button', { name: 'Wow' }).getAttribute('aria-disabled'), 'true', 'closed');
  await world.shot(ana, 'react-closed');
  await accessible(ana, 'closed reactions');
};

await run(tests);
