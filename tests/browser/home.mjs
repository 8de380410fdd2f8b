// home.mjs: the first page: three languages, three sizes, codes, settings, what it says of the tables one has.
import { accessible, becomes, equal, examined, fits, ok, run, sizes } from './harness.mjs';
import { api, kept, playOut } from './room.mjs';

const lead = { en: 'Games under the sea', fr: 'Des jeux sous la mer', nl: 'Spellen onder zee' };
const tests = {};

for (const language of ['en', 'fr', 'nl'])
  for (const size of Object.keys(sizes))
    tests[`home in ${language} on a ${size}`] = async (world) => {
      const page = await world.device({ language, size });
      await page.getByRole('heading', { level: 1, name: lead[language] }).waitFor();
      await becomes(() => page.getByRole('article').count(), 3, 'games');
      await world.shot(page, `home-${size}-${language}`);
      await fits(page, 'home');
      if (examined[size] === language) await accessible(page, 'home');
    };

tests['the language is chosen with the switch and kept'] = async (world) => {
  const page = await world.device();
  await page.getByRole('radio', { name: 'NL' }).click();
  await page.getByRole('heading', { level: 1, name: lead.nl }).waitFor();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: lead.nl }).waitFor();
  await becomes(() => page.evaluate(() => document.documentElement.lang), 'nl', 'lang');
};

tests['a pasted code fills six fields, whatever its case and dashes'] = async (world) => {
  const page = await world.device();
  await page.evaluate(() => navigator.clipboard.writeText(' m7k-4qx '));
  await page.getByLabel('Character 1 of 6').focus();
  await page.keyboard.press('Control+V');
  const fields = page.locator('.code input');
  await becomes(() => fields.evaluateAll((f) => f.map((i) => i.value).join('')), 'M7K4QX', 'fields');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: /M7K–4QX/ }).waitFor();
  await world.shot(page, 'no-such-table');
  await accessible(page, 'no such table');
};

tests['a code is typed sign by sign; signs that no code has are passed over'] = async (world) => {
  const page = await world.device({ size: 'phone' });
  await page.getByLabel('Character 1 of 6').click();
  await page.keyboard.type('m0o17');
  await becomes(() => page.locator('.code input').evaluateAll((f) => f.map((i) => i.value).join('')), 'M7', 'fields');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await becomes(() => page.locator('.code input').evaluateAll((f) => f.map((i) => i.value).join('')), '', 'fields after two times back');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('A code has six characters.').first().waitFor();
};

tests['play now seats the player with bots and goes straight to the game'] = async (world) => {
  const page = await world.device();
  await page.getByRole('button', { name: /Play now.*Soum Soum/ }).click();
  await page.waitForURL(/#\/table\//);
  const id = page.url().split('/table/')[1];
  const table = await api(page, 'GET', `/tables/${id}`);
  equal([table.state, table.seats.length, typeof table.seats[1].bot], ['playing', 2, 'string'], 'table');
  ok(['Puffin', 'Otter', 'Tern', 'Kittiwake', 'Sandpiper'].includes(table.seats[0].name), `a name for who gave none: ${table.seats[0].name}`);
  await page.goto('/#/');
  await page.getByText(/Soum Soum with Bream/).waitFor();
  await page.getByText(/They are waiting for you|Waiting for/).waitFor(); // whose turn it is
  await world.shot(page, 'home-mine');
  await accessible(page, 'home with a table');
};

tests['A5 the card of each game leads to its own lesson'] = async (world) => {
  const page = await world.device();
  for (const game of ['Dive', 'DiverCity', 'Soum Soum']) {
    const link = page.getByRole('link', { name: `Learn: ${game}`, exact: true });
    equal(await link.getAttribute('href'), `#/learn/${game.toLowerCase().replace(' ', '')}`, game);
  }
  await page.getByRole('link', { name: 'Learn: Dive', exact: true }).click();
  await page.getByRole('heading', { name: 'Learn Dive' }).waitFor();
};

tests['A20 the gear stands beside the languages in a window of 360'] = async (world) => {
  const page = await world.device({ size: 'phone', language: 'fr' });
  await page.setViewportSize({ width: 360, height: 640 });
  const middle = async (where) => (({ y, height }) => y + height / 2)(await where.boundingBox());
  const gear = page.getByRole('link', { name: 'Réglages' });
  await gear.waitFor();
  await becomes(async () => Math.abs((await middle(gear)) - (await middle(page.getByRole('radio', { name: 'FR' })))) < 12, true, 'one row');
  await fits(page, 'home at 360');
};

tests['B14 play now seats divers beside a diver, never the industrialist’s bot'] = async (world) => {
  const page = await world.device();
  await page.getByRole('button', { name: /Play now.*DiverCity/ }).click();
  await page.waitForURL(/#\/table\//);
  const { seats } = await api(page, 'GET', `/tables/${page.url().split('/table/')[1]}`);
  equal(seats.slice(1).map((s) => s.bot), ['ranger'], 'bots');
};

tests['a first game tells its goal and three actions, once; help tells it again; it offers the lesson and sound'] = async (world) => {
  const page = await world.device({ newcomer: true, size: 'phone' });
  await page.getByRole('button', { name: /Play now.*Soum Soum/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Your first Soum Soum' });
  await dialog.waitFor();
  equal(await dialog.locator('ol li').count(), 3, 'actions');
  equal(await dialog.getByRole('link', { name: 'Take the lesson' }).getAttribute('href'), '#/learn/soumsoum', 'the lesson');
  await accessible(page, 'a first game');
  await fits(page, 'a first game');
  await dialog.getByRole('switch', { name: 'Play with sound and vibration' }).click();
  await dialog.getByRole('button', { name: 'Start playing' }).click();
  await dialog.waitFor({ state: 'detached' });
  equal(await page.evaluate(() => JSON.parse(localStorage.getItem('fathom.settings')).sound), true, 'sound is kept');
  await page.reload();
  await page.getByRole('button', { name: 'What can I do?' }).click();
  equal(await dialog.count(), 0, 'it comes once');
  await page.getByRole('button', { name: 'The goal and the three actions' }).click();
  await dialog.waitFor();
};

tests['no overlay of a first game while a clock runs'] = async (world) => {
  const page = await world.device({ newcomer: true });
  const { table, host: right } = await api(page, 'POST', '/tables', { game: 'dive', options: { divers: 2, clock: 600 } });
  const { seat, token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana' });
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot: 'random' }, right);
  await api(page, 'POST', `/tables/${table}/start`, {}, right);
  await page.goto(`/#/s/${table}/${seat}/${token}`);
  await page.getByText('Everyone dives in').first().waitFor();
  equal(await page.getByRole('dialog').count(), 0, 'overlays');
  await page.getByRole('button', { name: 'What can I do?' }).click();
  await page.getByRole('button', { name: 'The goal and the three actions' }).click();
  await page.getByRole('dialog', { name: 'Your first dive' }).waitFor();
};

tests['B20 the × of a table asks first and says what goes; finished games are a history; more than four tables are shown'] = async (world) => {
  const page = await world.device();
  const made = [];
  for (let n = 0; n < 6; n++) made.push(await api(page, 'POST', '/tables', { game: 'soumsoum', options: {} }));
  const seats = [];
  for (const { table } of made.slice(0, 2)) seats.push(await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 }));
  const [over] = made;
  await api(page, 'POST', `/tables/${over.table}/bots`, { seat: 1, bot: 'random' }, over.host);
  await api(page, 'POST', `/tables/${over.table}/start`, {}, over.host);
  await playOut(page, over.table, [seats[0].token]);
  await page.evaluate((all) => localStorage.setItem('fathom.tables', JSON.stringify(all)), made.map(({ table, host }, n) => ({ table, host, game: 'soumsoum', seats: seats[n] ? [{ ...seats[n], name: 'Ana' }] : [], at: Date.now() - n })));
  await page.reload();
  const history = page.locator('details', { hasText: 'Finished games' });
  await history.locator('summary').click();
  await history.getByRole('link', { name: 'See the result' }).waitFor();
  await page.getByRole('button', { name: 'Show 1 more table' }).click();
  await becomes(() => page.getByRole('link', { name: 'Return' }).count(), 5, 'tables');
  await page.getByRole('button', { name: 'Remove this table' }).first().click();
  await page.getByRole('dialog').getByText('You lose Ana’s seat').waitFor();
  await page.getByRole('dialog').getByText('You also give up hosting it').waitFor();
  await world.shot(page, 'home-forget');
  await accessible(page, 'forgetting a table');
  await page.getByRole('button', { name: 'Cancel' }).click();
  equal((await kept(page)).length, 6, 'nothing is gone');
  await page.getByRole('button', { name: 'Remove this table' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await becomes(async () => (await kept(page)).some((m) => m.table === made[1].table), false, 'the table is gone');
};

await run(tests);
