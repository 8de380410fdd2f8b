// why.mjs: "Why?" on a bot's move: in DiverCity's strip, in the log, and in a replay; where there is nothing to ask, nothing is offered.
import { accessible, equal, fits, ok, run, until } from './harness.mjs';
import { api, playOut } from './room.mjs';

const tests = {};

/** A started table with a person on seat 0 and bots on the others. */
async function table(world, game, options, bot, seats) {
  const page = await world.device({ open: false });
  const { table, host } = await api(page, 'POST', '/tables', { game, options });
  const person = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
  for (let seat = 1; seat < seats; seat++) await api(page, 'POST', `/tables/${table}/bots`, { seat, bot }, host);
  await api(page, 'POST', `/tables/${table}/start`, {}, host);
  await page.goto('/');
  return { page, table, token: person.token };
}

/** The answer in the dialogue, as it stands there. */
async function read(page) {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('.from') });
  await dialog.locator('.from').waitFor();
  const shares = await dialog.locator('.chance').allTextContents();
  ok(shares.length >= 1 && shares.length <= 3, `one to three moves: ${shares}`);
  ok(shares.every((s) => /^\d{1,3}\s?%$/.test(s)), `chances: ${shares}`);
  equal(await dialog.locator('li.played').count(), 1, 'the move that was played');
  const reason = await dialog.locator('.reason').textContent();
  ok(reason.length > 10 && !/[{}]|\.why\./.test(reason), `a sentence: ${reason}`);
  const options = await dialog.locator('.what b').allTextContents();
  ok(options.every((o) => o.length > 3 && !/[{}]|\.why\./.test(o)), `moves in words: ${options}`);
  return { dialog, reason, title: await dialog.getByRole('heading', { level: 2 }).textContent(), from: await dialog.locator('.from').textContent() };
}

tests['DiverCity: the strip answers from what one can see, after a reload too, by keyboard and in the log'] = async (world) => {
  const { page, table: id, token } = await table(world, 'divercity', { divers: 3 }, 'ranger', 3);
  await playOut(page, id, [token], 9);
  for (const visit of ['first', 'reload']) {
    await page.goto('about:blank');
    await page.goto(`/#/s/${id}/0/${token}`);
    const ask = page.locator('[data-part=moves] .why');
    await ask.waitFor();
    await page.getByRole('button', { name: 'Start' }).or(ask).first().waitFor();
    await until('the strip can be used', async () => {
      const go = page.locator('dialog[open] .btn.go');
      if (await go.count()) await go.first().click();
      return (await page.locator('dialog[open]').count()) === 0;
    });
    ok(/^Why\? Turn \d+, .+$/.test(await ask.getAttribute('aria-label')), 'its name says whose move it is');
    await ask.focus();
    await page.keyboard.press('Enter');
    const { title, from, dialog } = await read(page);
    ok(/^Why did .+\?$/.test(title), `${visit}: ${title}`);
    equal(from, 'Your team’s chance of winning after each move, worked out from what you can see. Your own cards stay secret.', 'what it is made from');
    if (visit === 'first') await accessible(page, 'why');
    await fits(page, 'why');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    ok(await ask.evaluate((b) => b === document.activeElement), 'the focus is back');
  }
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'What happened' }).click();
  const asks = page.locator('ol[reversed]').getByRole('button', { name: /^Why\?/ });
  await asks.first().waitFor();
  await asks.first().click();
  await read(page);
};

tests['Soum Soum: the log asks about a bot, and not about a person'] = async (world) => {
  const { page, table: id, token } = await table(world, 'soumsoum', { players: 2, first: 0 }, 'greedy', 2);
  await playOut(page, id, [token], 14);
  await page.goto(`/#/s/${id}/0/${token}`);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  await until('the board can be used', async () => {
    const go = page.locator('dialog[open] .btn.go');
    if (await go.count()) await go.first().click();
    return (await page.locator('dialog[open]').count()) === 0;
  });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'What happened' }).click();
  const asks = page.locator('ol[reversed]').getByRole('button', { name: /^Why\?/ });
  await asks.first().waitFor();
  const names = await asks.evaluateAll((all) => all.map((b) => b.getAttribute('aria-label')));
  ok(names.every((n) => !n.includes('Ana')), `only bots: ${names}`);
  await asks.first().click();
  const { from } = await read(page);
  ok(from.endsWith('worked out from what you can see. Nothing secret was used.'), from);
};

tests['Dive: a program is explained once the game is over, in every language'] = async (world) => {
  const page = await world.device({ open: false });
  await page.goto('/');
  const { table: id, host } = await api(page, 'POST', '/tables', { game: 'dive', options: { divers: 2 } });
  for (const seat of [0, 1]) await api(page, 'POST', `/tables/${id}/bots`, { seat, bot: 'steady' }, host);
  await api(page, 'POST', `/tables/${id}/start`, {}, host);
  await until('the game is over', async () => (await api(page, 'GET', `/tables/${id}`)).state === 'over');
  const { steps } = await api(page, 'GET', `/tables/${id}/replay/table`);
  const at = steps.findIndex((s) => s.events.some((e) => e.event === 'shown'));
  for (const [language, sure, ask] of [
    ['en', /^What .+ expected: .+% sure/, 'Why?'],
    ['fr', /^Ce qu(e |’).+ pensait trouver/, 'Pourquoi\u202f?'],
    ['nl', /^Wat .+ verwachtte/, 'Waarom?'],
  ]) {
    await page.evaluate((l) => localStorage.setItem('fathom.language', JSON.stringify(l)), language);
    await page.goto('about:blank');
    await page.goto(`/#/replay/${id}/table/${at}`);
    const button = page.locator('.log .why').first();
    await button.waitFor();
    ok((await button.textContent()).trim().startsWith(ask), `${language}: the button`);
    await button.click();
    const { reason } = await read(page);
    ok(sure.test(reason), `${language}: ${reason}`);
    await page.keyboard.press('Escape');
  }
};

await run(tests);
