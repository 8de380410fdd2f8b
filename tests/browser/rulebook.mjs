// rulebook.mjs: what the rules of the games hold beside the rules, in three languages: species, hand signs, sharks and decoys,
// worked examples and rulings on the board.
import { readFileSync } from 'node:fs';
import { accessible, becomes, equal, fits, ok, run } from './harness.mjs';

const languages = ['en', 'fr', 'nl'];
const species = ['nudibranch', 'crab', 'hammerhead', 'porcupinefish', 'mandarin', 'manta', 'lobster', 'eel', 'octopus', 'turtle', 'oyster', 'starfish'];
const signs = Array.from({ length: 16 }, (_, n) => `sign-${n}`);
const art = JSON.parse(readFileSync(new URL('../../data/art/art.json', import.meta.url), 'utf8'));
const drawings = (...roles) => (art.drawings ?? art).filter((d) => roles.includes(d.role)).length;
const tests = {};

/** The section of the rules with this name, once its heading has the focus. */
async function section(page, game, id) {
  await page.goto(`/#/rules/${game}/${id}`);
  await page.waitForFunction((at) => document.activeElement?.getAttribute('data-at') === at, id);
  return page.locator('.rules section').filter({ has: page.locator(`[data-at="${id}"]`) });
}

/** Each picture of a section is there: it is scrolled to, and drawn once it has come. Answers the section's text. */
async function drawn(section, n) {
  const pictures = section.locator('.pics img');
  await becomes(() => pictures.count(), n, 'pictures');
  return section.evaluate(async (section) => {
    for (const picture of section.querySelectorAll('.pics img')) {
      picture.scrollIntoView({ block: 'nearest', behavior: 'instant' });
      await picture.decode(); // one that cannot be drawn fails the test
    }
    return section.textContent.trim();
  });
}

for (const language of languages)
  tests[`every species and hand sign opens in the rules in ${language}`] = async (world) => {
    const page = await world.device({ language });
    const texts = new Set();
    for (const id of [...species.map((s) => `species-${s}`), ...signs]) {
      texts.add(await drawn(await section(page, 'divercity', id), 1));
    }
    ok(texts.size === species.length + signs.length, 'each has a text of its own');
    ok([...texts].every((text) => text.length > 30), 'none is empty');
    if (language === 'en') await accessible(page, 'hand signs'); // their structure has no language
    await world.shot(page, `rulebook-signs-${language}`);
    await section(page, 'divercity', 'species');
    await world.shot(page, `rulebook-species-${language}`);
  };

for (const [language, size] of [['en', 'desktop'], ['fr', 'phone'], ['nl', 'tablet']])
  tests[`a species on the ladder is explained, ${language}, ${size}`] = async (world) => {
    const page = await world.device({ language, size });
    await page.goto('/#/learn/divercity');
    const tokens = page.locator('.ladder button.tk');
    await becomes(() => tokens.count(), species.length, 'tokens on the ladder:');
    const texts = new Set();
    for (let i = 0; i < species.length; i++) {
      await tokens.nth(i).focus();
      await page.keyboard.press('Enter');
      const sheet = page.locator('dialog[open]');
      const source = sheet.locator('em');
      await source.waitFor();
      texts.add(await source.locator('..').textContent());
      if (i === 0) {
        await fits(page, 'a species');
        await accessible(page, 'a species');
        await world.shot(page, `rulebook-ladder-${language}`);
      }
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'detached' });
    }
    ok(texts.size === species.length, 'each species has a text of its own');
  };

for (const language of languages)
  tests[`three drawings are sharks and the others are not, ${language}`] = async (world) => {
    const page = await world.device({ language, size: language === 'en' ? 'desktop' : 'phone' });
    await drawn(await section(page, 'dive', 'sharks-three'), drawings('shark'));
    await drawn(await section(page, 'dive', 'sharks-decoys'), drawings('whale', 'decoration'));
    await fits(page, 'sharks');
    if (language !== 'nl') await accessible(page, `sharks, ${language}`); // a desktop and a phone
    await world.shot(page, `rulebook-sharks-${language}`);
  };

/* ---- worked examples and rulings ---- */

const next = (page) => page.locator('aside .btn.go').first();
const at = (page) => page.locator('main.board').getAttribute('data-at');

for (const [n, [language, size]] of [['en', 'desktop'], ['fr', 'phone'], ['nl', 'tablet']].entries())
  tests[`every worked example opens on the board, ${language}, ${size}`] = async (world) => {
    const page = await world.device({ language, size });
    for (const [i, [game, examples]] of [['dive', 7], ['divercity', 3], ['soumsoum', 1]].entries()) {
      await page.goto(`/#/rules/${game}`);
      const links = page.locator('.rules a.settle');
      await becomes(() => links.count(), examples, `${game}: examples`);
      const addresses = await links.evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      for (const address of addresses) {
        await page.goto(`/${address}`);
        const refused = /Y3_/.test(address); // such a card never occurs: the referee says so
        await page.locator(refused ? 'aside [role=alert]' : 'main.board > *').first().waitFor();
        ok((await page.locator('aside .caption').textContent()).length > 30, `${address}: no text`);
        await world.shot(page, `settle-${language}-${address.split('/').at(-1)}`);
      }
      await fits(page, `${game}, ${language}`);
      if (i === n) await accessible(page, `${game}, an example, ${language}`); // each game on one kind of device
    }
  };

tests['a worked example is played to its end by keyboard'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/settle/dive/X4_complete_round');
  await page.locator('main.board > *').first().waitFor();
  for (let move = 1; move <= 6; move++) {
    await page.keyboard.press('PageDown');
    await becomes(() => at(page), String(move), 'moves played:');
  }
  ok(await next(page).isDisabled(), 'there is no seventh move');
  await becomes(async () => /23/.test(await page.locator('aside .log').textContent()), true, 'A reaches 23:');
  await world.shot(page, 'settle-x4-end');
  await page.keyboard.press('PageUp');
  await becomes(() => at(page), '5', 'one back:');
};

tests['a ruling is opened, changed and settled'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/settle/divercity');
  await accessible(page, 'rulings');
  await world.shot(page, 'settle-list');
  await page.locator('a[href="#/settle/divercity/C10_walkie_to_an_empty_hand"]').click();
  await page.locator('main.board > *').first().waitFor();
  await next(page).click();
  const said = page.locator('aside [role=alert]');
  await said.waitFor(); // the hand is empty: refused
  equal(await at(page), '0', 'the position stands:');
  await page.locator('aside summary').click();
  const box = page.locator('aside textarea');
  const scenario = JSON.parse(await box.inputValue());
  await box.fill('{');
  await page.getByRole('button', { name: 'Ask the referee' }).click();
  await becomes(async () => /JSON/.test(await said.textContent()), true, 'it is no JSON:');
  scenario.setup.hands = scenario.setup.hands.map((hand) => (hand.length === 0 ? ['crab'] : hand));
  await box.fill(JSON.stringify(scenario));
  await page.getByRole('button', { name: 'Ask the referee' }).click();
  await becomes(() => at(page), '1', 'with a card in that hand it is allowed:');
  await becomes(() => said.count(), 0, 'refusals');
  await accessible(page, 'a settled ruling');
  await world.shot(page, 'settle-ruling');
};

await run(tests);
