// fair.mjs: what a device keeps before a deal and holds against what the server says afterwards; and a seat that is
// asked for once, though its answer is lost.
import { accessible, becomes, equal, examined, fits, ok, run } from './harness.mjs';
import { api, host, join, kept, playOut } from './room.mjs';

const tests = {};

/** A finished game of a person and a bot. */
async function over(world, page, name) {
  const table = await api(page, 'POST', '/tables', { game: 'soumsoum' });
  await page.goto(`/#/t/${table.code}`);
  await page.getByRole('button', { name: name.sit, exact: true }).first().click();
  await page.getByRole('textbox').fill('Ana');
  await page.getByRole('dialog').getByRole('button', { name: name.sit, exact: true }).click();
  await page.getByRole('heading', { name: 'Ana' }).waitFor();
  await api(page, 'POST', `/tables/${table.table}/bots`, { seat: 1, bot: 'random' }, table.host);
  await api(page, 'POST', `/tables/${table.table}/start`, {}, table.host);
  await playOut(page, table.table, [(await kept(page))[0].seats[0].token]);
  return table.table;
}

/** From now on the server lies: `change` alters what it answers to a path. */
const lie = (page, path, change) =>
  page.route(`**/api/tables/${path}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: change(await answer.json()) });
  });

/** The check, opened anew: from home, which must be there first. */
async function check(page, table) {
  await page.goto('/#/');
  await page.getByRole('article').first().waitFor();
  await page.goto(`/#/verify/${table}`);
}

const words = {
  en: { sit: 'Sit down', seal: 'The seal is not the one you were shown when you sat down.', chance: 'What this device contributed is not in the deal.', deck: 'The cards are not the ones you sat down to play with.', kept: 'Your own contribution is included, exactly as this device saved it.' },
  fr: { sit: 'S’asseoir', seal: 'Le sceau n’est pas celui qui vous a été montré quand vous vous êtes assis.', chance: 'Le hasard que cet appareil a ajouté n’est pas dans la donne.', deck: 'Les cartes ne sont pas celles avec lesquelles vous pensiez jouer.', kept: 'La contribution de cet appareil au mélange y figure, telle qu’il l’a gardée.' },
  nl: { sit: 'Ga zitten', seal: 'Het zegel is niet het zegel dat je zag toen je ging zitten.', chance: 'Het toeval dat dit apparaat heeft toegevoegd, zit er niet in.', deck: 'Het zijn niet de kaarten waarmee je ging spelen.', kept: 'De bijdrage van je apparaat aan het schudden zit erin, precies zoals het die heeft bewaard.' },
};

for (const [language, size] of [['en', 'desktop'], ['fr', 'phone'], ['nl', 'phone']])
  tests[`W06 a server that lies about the deal is found out, and how is said, in ${language} on a ${size}`] = async (world) => {
    const page = await world.device({ language, size });
    const table = await over(world, page, words[language]);
    await check(page, table);
    await page.getByText(words[language].kept).waitFor();
    equal(await page.getByRole('alert').count(), 0, 'alerts about an honest server');
    await fits(page, 'verify');
    if (examined[size] === language) await accessible(page, 'verify');

    await lie(page, table, (info) => ({ ...info, commitment: 'ab'.repeat(32) }));
    await check(page, table);
    await page.getByRole('alert').filter({ hasText: words[language].seal }).waitFor();
    await fits(page, 'verify of a lie');
    await page.unrouteAll();

    await lie(page, table, (info) => ({ ...info, deck: { ...info.deck, hash: 'cd'.repeat(32) } }));
    await check(page, table);
    await page.getByRole('alert').filter({ hasText: words[language].deck }).waitFor();
    await page.unrouteAll();

    await page.evaluate(() => {
      const deals = JSON.parse(localStorage.getItem('fathom.deals'));
      deals[0].chance[0] = '00'.repeat(32); // as if this device had added something else
      localStorage.setItem('fathom.deals', JSON.stringify(deals));
    });
    await check(page, table);
    await page.getByRole('alert').filter({ hasText: words[language].chance }).waitFor();
    if (examined[size] === language) await accessible(page, 'verify of a lie');
  };

tests['this device replays the record itself: a server that says all is well about another game is not believed'] = async (world) => {
  const page = await world.device();
  const [table, other] = [await over(world, page, words.en), await over(world, page, words.en)];
  let asked = 0;
  await page.route('**/verify', (route) => {
    asked++;
    return route.abort();
  });
  await check(page, table);
  await page.getByText('This browser replayed the record itself').waitFor();
  equal([asked, await page.getByRole('alert').count()], [0, 0], 'questions about it and alerts');

  const record = await (await page.request.get(`/api/tables/${other}/record`)).text();
  await page.route(`**/api/tables/${table}/record`, (route) => route.fulfill({ body: record }));
  await check(page, table);
  await page.getByRole('alert').filter({ hasText: 'line 1' }).waitFor();

  await page.unroute(`**/api/tables/${table}/record`);
  await page.route(`**/api/tables/${table}/record`, async (route) => {
    const honest = await (await route.fetch()).text();
    await route.fulfill({ body: honest.replace(/"card":(\d)/, (_, n) => `"card":${(Number(n) + 1) % 3}`) });
  });
  await check(page, table);
  await page.getByRole('alert').filter({ hasText: 'The record was altered or is incomplete.' }).waitFor();
  equal(asked, 0, 'questions to the server');
};

tests['W06 everybody who follows adds to the deal of a rematch'] = async (world) => {
  const ana = await world.device();
  const first = await host(ana, 'soumsoum', 'Ana');
  const bram = await world.device();
  await join(bram, first.code, 'Bram');
  await api(ana, 'POST', `/tables/${first.table}/start`, {}, first.host);
  const tokens = [(await kept(ana))[0].seats[0].token, (await kept(bram))[0].seats[0].token];
  await playOut(ana, first.table, tokens);
  const { table } = await api(ana, 'POST', `/tables/${first.table}/rematch`, {}, tokens[0]);
  const chance = (page) =>
    page.evaluate((id) => Object.values(JSON.parse(localStorage.getItem('fathom.deals') ?? '[]').find((d) => d.table === id)?.chance ?? {}), table);
  for (const page of [ana, bram]) {
    await page.reload(); // the end, at once
    await page.getByRole('button', { name: 'Join it' }).click();
    await becomes(async () => (await chance(page)).length, 1, 'chance that was added');
  }
  await api(ana, 'POST', `/tables/${table}/start`, {}, first.host);
  await playOut(ana, table, tokens);
  const record = await (await ana.request.get(`/api/tables/${table}/record`)).text();
  const { entropy } = JSON.parse(record.split('\n')[0]);
  equal(entropy, [...(await chance(ana)), ...(await chance(bram))], 'what the record says was added');
  await ana.goto(`/#/verify/${table}`);
  await ana.getByText(words.en.kept).waitFor();
};

tests['W12 a seat whose answer is lost is asked for again, and nobody sits twice'] = async (world) => {
  const page = await world.device();
  const table = await api(page, 'POST', '/tables', { game: 'soumsoum' });
  let lost = 0;
  await page.route(`**/api/tables/${table.table}/seats`, async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch(); // the server does it, the page never hears of it
    await route.abort();
  });
  await page.goto(`/#/t/${table.code}`);
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ana');
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await becomes(async () => (await kept(page))[0]?.seats.length, 1, 'seats that this device has');
  ok(lost > 1, 'the seat was asked for again');
  equal((await api(page, 'GET', `/tables/${table.table}`)).seats.map((s) => s.name), ['Ana', null], 'who sits');
};

await run(tests);
