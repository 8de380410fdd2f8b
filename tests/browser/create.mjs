// create.mjs: every option of every game can be set, what does not go together is closed with its reason.
import { accessible, becomes, equal, fits, ok, run, sizes } from './harness.mjs';
import { api } from './room.mjs';

const tests = {};

for (const size of Object.keys(sizes))
  for (const game of ['dive', 'divercity', 'soumsoum'])
    tests[`create ${game} on a ${size}`] = async (world) => {
      const page = await world.device({ size, language: size === 'phone' ? 'fr' : size === 'tablet' ? 'nl' : 'en' });
      await page.goto(`/#/new/${game}`);
      await page.getByRole('switch').first().waitFor();
      for (const d of await page.locator('details').all()) await d.evaluate((e) => (e.open = true));
      await world.shot(page, `create-${game}-${size}`);
      await fits(page, 'create');
      await accessible(page, 'create');
    };

const made = async (page) => {
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.waitForURL(/#\/table\//);
  return (await api(page, 'GET', `/tables/${page.url().split('/table/')[1]}`)).options;
};

tests['every option of Dive reaches the table'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/new/dive');
  await page.getByRole('button', { name: 'One more' }).click();
  await page.getByRole('radio', { name: 'Ten' }).click();
  await page.getByRole('switch', { name: 'The village chief' }).click();
  await page.getByRole('switch', { name: 'Flashlight' }).click();
  await page.getByLabel('Seconds').fill('75');
  await page.keyboard.press('Tab');
  await page.getByRole('switch', { name: 'Public' }).click();
  equal(await page.getByText('Youngest first').count(), 0, 'A15 ages are not asked for before anybody sits');
  equal(await made(page), { divers: 3, chief: true, children: false, companions: 'ten', flashlight: true, clock: 75, ages: [2, 1, 0], deck: 'dive-reef' }, 'options');
  equal((await api(page, 'GET', '/tables')).tables.length, 1, 'it is listed');
  equal(await page.locator('.seats .chip.note').allTextContents(), ['Oldest', 'Age order: 2', 'Youngest'], 'A15 the seats of the lobby say whose they are');
};

for (const [language, title, words] of [['en', 'Water', ['Clear', 'Reef', 'Murky']], ['fr', 'Eau', ['Limpide', 'Récif', 'Trouble']], ['nl', 'Water', ['Helder', 'Rif', 'Troebel']]])
  tests[`the water is chosen and shown in the lobby, ${language}`] = async (world) => {
    const page = await world.device({ language });
    await page.goto('/#/new/dive');
    const group = page.getByRole('radiogroup', { name: title, exact: true });
    await group.waitFor();
    equal((await group.getByRole('radio').allTextContents()).map((w) => w.trim()), words, 'the clearest first:');
    equal(await group.getByRole('radio', { checked: true }).textContent(), words[1], 'reef unless told otherwise:');
    await group.getByRole('radio', { name: words[2] }).click();
    await page.locator('main .btn.go').click();
    await page.waitForURL(/#\/table\//);
    equal((await api(page, 'GET', `/tables/${page.url().split('/table/')[1]}`)).water, 'murky', 'the water of the table:');
    await page.locator('.chip', { hasText: words[2] }).waitFor();
    await page.goto('/#/new/soumsoum');
    await page.getByRole('switch').first().waitFor();
    equal(await group.count(), 0, 'a game without water:');
  };

tests['every option of DiverCity reaches the table'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/new/divercity');
  await page.getByRole('radio', { name: /Cousteau/ }).click();
  await page.getByRole('radio', { name: 'Full team' }).click();
  await page.getByRole('switch', { name: 'Industrialist' }).click();
  await page.getByRole('switch', { name: 'Realistic' }).click();
  await page.getByText('More options').click();
  await page.getByRole('switch', { name: 'Diver cards on any turn' }).click();
  await page.getByRole('radio', { name: 'You lose' }).click();
  await page.getByRole('radio', { name: 'Seat 2' }).click();
  await page.getByText('The industrialist can’t go first').waitFor();
  await becomes(() => page.getByRole('radio', { name: 'Seat 3' }).getAttribute('aria-disabled'), 'true', 'seat 3 is closed');
  const want = { divers: 2, level: 'cousteau', diver_cards: 'full-team', beginners: false, simple_corporations: false, face_up: false, industrialist: true, realistic: true, any_turn: true, empty_deck: 'loss', first: 1, deck: 'divercity-mini' };
  equal(await made(page), want, 'options');
};

tests['every option of Soum Soum reaches the table'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/new/soumsoum');
  await page.getByRole('button', { name: 'One more' }).click();
  await page.getByRole('button', { name: 'One more' }).click();
  await page.locator('[aria-label="One more"][aria-disabled=true]').waitFor(); // four is the most
  await page.getByRole('switch', { name: 'Open market' }).click();
  await page.getByText('More options').click();
  await page.getByRole('radio', { name: 'Seat 4' }).click();
  equal(await made(page), { players: 4, market: true, first: 3, deck: 'soumsoum-lagoon' }, 'options');
};

tests['what does not go together is closed, with the reason'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/new/dive');
  await page.getByRole('radio', { name: 'Seven' }).click();
  await page.getByText('The children’s version is played without companions.').waitFor();
  await page.getByRole('switch', { name: 'Children’s version' }).click({ force: true });
  equal(await page.getByRole('switch', { name: 'Children’s version' }).getAttribute('aria-checked'), 'false', 'it stays off');
  await becomes(() => page.getByRole('button', { name: 'One fewer' }).getAttribute('aria-disabled'), 'true', 'one diver alone');
  await page.getByRole('switch', { name: 'The village chief' }).click();
  await page.getByRole('button', { name: 'One fewer' }).click();
  await page.locator('output', { hasText: '1' }).waitFor();
  await page.goto('/#/new/divercity');
  await page.getByRole('switch', { name: 'Beginners' }).click();
  await page.getByRole('radio', { name: /Freediving/ }).click();
  await becomes(() => page.getByRole('radio', { name: 'None' }).getAttribute('aria-checked'), 'true', 'beginners have no diver cards');
  await becomes(() => page.getByRole('switch', { name: 'Simple corporations' }).getAttribute('aria-checked'), 'true', 'and simple corporations');
  await page.getByRole('button', { name: 'One fewer' }).click();
  await page.getByText('A solo diver has nobody to make signs to.').waitFor();
};

tests['no reason stays English in French'] = async (world) => {
  const page = await world.device({ language: 'fr' });
  for (const [game, clicks] of [['dive', ['Sept', 'Le chef du village']], ['divercity', ['Un de moins']]]) {
    await page.goto('/#/');
    await page.getByRole('article').first().waitFor();
    await page.goto(`/#/new/${game}`);
    await page.getByRole('switch').first().waitFor();
    for (const name of clicks) await page.locator(`[aria-label="${name}"], [role=radio]:has-text("${name}")`).first().click();
    await page.locator('.why, fieldset p').first().waitFor();
    const said = (await page.locator('.why, fieldset p').allTextContents()).join(' ');
    ok(said !== '' && !/ the | is | only | goes | version of /.test(said), `${game}: ${said}`);
  }
};

tests['home to start with the keyboard alone'] = async (world) => {
  const page = await world.device();
  const tabTo = async (name, limit = 60) => {
    for (let i = 0; i < limit; i++) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate(() => {
        const e = document.activeElement;
        return e === null ? '' : (e.getAttribute('aria-label') ?? e.textContent ?? '').trim();
      });
      if (name.test(text)) return;
    }
    throw new Error(`Tab never came to ${name}`);
  };
  await page.getByRole('heading', { level: 1 }).waitFor();
  await tabTo(/^Create a table: Soum Soum$/);
  await page.keyboard.press('Enter');
  await page.getByRole('switch', { name: 'Open market' }).waitFor();
  await tabTo(/^Open market$/);
  await page.keyboard.press('Space');
  await page.locator('[aria-label="Open market"][aria-checked=true]').waitFor();
  await tabTo(/^Open the table/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sit down' }).waitFor();
  await tabTo(/^Sit down$/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.getByRole('textbox', { name: 'Your name' }).focus();
  await page.keyboard.type('Ana');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ana' }).waitFor();
  await tabTo(/^Fill with bots$/);
  await page.keyboard.press('Enter');
  await page.getByText('Everybody is here.').waitFor();
  await tabTo(/^Start the game$/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Menu' }).waitFor();
};

await run(tests);
