// home.mjs: the first page: three languages, three sizes, codes, settings, what it says of the tables one has.
import { accessible, becomes, equal, examined, fits, run, sizes } from './harness.mjs';
import { api } from './room.mjs';

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
  equal([table.state, table.seats.length, table.seats[0].name, typeof table.seats[1].bot], ['playing', 2, 'Diver', 'string'], 'table');
  await page.goto('/#/');
  await page.getByText(/Soum Soum with Bream/).waitFor();
  await page.getByText(/They are waiting for you|Waiting for/).waitFor(); // whose turn it is
  await world.shot(page, 'home-mine');
  await accessible(page, 'home with a table');
};

await run(tests);
