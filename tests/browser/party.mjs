// party.mjs: many phones behind one address open an invitation at the same time, and a server that is too busy is waited for.
// Forty at once, without browsers, are in tests/server/connections.py.
import { becomes, equal, ok, run, until } from './harness.mjs';
import { api } from './room.mjs';

const PHONES = 10;
const SEATS = 5;
const tests = {};

/** Tables with room for all, and a phone for each seat: its page, and the code that it opens. */
async function invited(world, address = world.address, fresh = false) {
  const all = [];
  for (let left = PHONES; left > 0; left -= SEATS) {
    const { table, code } = await api({ address }, 'POST', '/tables', { game: 'divercity', options: { divers: SEATS } });
    for (let n = 0; n < Math.min(SEATS, left); n++) all.push({ table, code, name: `Diver ${n}`, page: await world.device({ size: 'phone', open: false, fresh, address }) });
  }
  return all;
}

/** Opens the link and sits down, as somebody does who only waits and taps. */
async function sit({ page, code, name }) {
  await page.goto(`/#/t/${code}`);
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name }).waitFor();
}

const seated = async (address, phones) => {
  let n = 0;
  for (const table of new Set(phones.map((p) => p.table))) n += (await api({ address }, 'GET', `/tables/${table}`)).seats.filter((s) => s.name !== null).length;
  return n;
};

tests[`W16 ${PHONES} phones of one address open an invitation together, and all sit`] = async (world) => {
  const phones = await invited(world);
  await Promise.all(phones.map(sit));
  equal(await seated(world.address, phones), PHONES, 'seats that are taken');
  for (const { page } of phones) equal(page.seen.failed.filter((f) => / (429|503)$/.test(f)), [], 'what was refused');
};

tests[`W16 ${PHONES} phones wait for a server that is too busy, say so, and all sit`] = async (world) => {
  const address = await world.serve('--rate', '4');
  const phones = await invited(world, address, true);
  for (const { page } of phones)
    await page.addInitScript(() => {
      window.waited = 0;
      new MutationObserver(() => (window.waited += document.querySelector('.busy .toast') ? 1 : 0)).observe(document, { childList: true, subtree: true });
    });
  // What waits is the page, so it must be there first; this part of it asks the server for files only.
  for (const { page } of phones) equal((await page.goto('/#/settings')).status(), 200, 'the page itself');
  const refused = () => phones.filter(({ page }) => page.seen.failed.some((f) => /: (429|503)$/.test(f)));
  // On a slow machine ten phones alone are too slow to be refused: somebody else asks as well until one of them is.
  const crowd = until('a phone that is refused', async () => {
    await Promise.all(Array.from({ length: 8 }, () => fetch(`${address}/api/tables`).catch(() => undefined)));
    return refused().length > 0;
  });
  await Promise.all([crowd, ...phones.map(sit)]);
  equal(await seated(address, phones), PHONES, 'seats that are taken');
  const said = await Promise.all(refused().map(({ page }) => page.evaluate(() => window.waited)));
  ok(said.some((n) => n > 0), 'no page said that it waits');
};

for (const [language, words] of Object.entries({ en: 'The server is busy.', fr: 'Le serveur est très sollicité.', nl: 'De server heeft het druk.' }))
  tests[`W16 what meets a 429 or a 503 waits for Retry-After and is asked again, in ${language}`] = async (world) => {
    const page = await world.device({ language, open: false });
    const asked = { list: [], part: [] };
    // The list of tables is refused twice, a part of the page once.
    await page.route('**/api/tables', (route) => {
      asked.list.push(Date.now());
      return asked.list.length > 2 ? route.continue() : route.fulfill({ status: asked.list.length === 1 ? 429 : 503, headers: { 'Retry-After': '2' }, json: { error: { code: 'busy', message: '' } } });
    });
    await page.route('**/assets/tables-*.js', (route) => {
      asked.part.push(Date.now());
      return asked.part.length > 1 ? route.continue() : route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, body: '' });
    });
    await page.goto('/');
    await page.getByText(words).waitFor();
    await becomes(() => asked.list.length, 3, 'how often the list was asked for');
    await page.getByText(words).waitFor({ state: 'detached' });
    ok(asked.list[1] - asked.list[0] >= 1900 && asked.list[2] - asked.list[1] >= 1900, `it did not wait two seconds: ${asked.list}`);
    await page.goto('/#/new/soumsoum');
    await page.getByRole('switch').first().waitFor();
    await becomes(() => asked.part.length, 2, 'how often the part was asked for');
  };

await run(tests);
