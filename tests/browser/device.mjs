// device.mjs: tables that this device keeps: they outlive a reload, a Worker that ends and a second tab, and can be handed in.
import { execFileSync } from 'node:child_process';
import { asked, button, cell, firstFree } from '../../games/soumsoum/tests/table.mjs';
import { accessible, becomes, equal, fits, ok, PACE, run, until } from './harness.mjs';

const tests = {};
const SILENT = 'the server cannot be reached';

/** A device that cannot ask the server anything; the page's own files still come. */
async function cutOff(world, how = {}) {
  const page = await world.device({ size: 'laptop', fresh: true, pace: PACE, ...how });
  await page.route('**/api/**', (route) => route.abort());
  return page;
}

const playNow = async (page) => {
  await page.getByRole('button', { name: /: Soum Soum$/ }).click();
  await page.getByRole('grid').waitFor();
  return page.url().split('/').at(-1);
};

/** Places the first card on the first free place. */
async function place(page) {
  await page.getByRole('group', { name: 'Your hand' }).getByRole('button').first().click();
  await cell(page, await firstFree(page)).click();
  await button(page, 'Place it here').click();
}

/** The same without a diver. Answers false when the game is over. */
async function turn(page) {
  if ((await asked(page)) === 'over') return false;
  await place(page);
  if ((await asked(page)) === 'diver') await button(page, 'No diver').click();
  return true;
}

const toTheEnd = async (page) => {
  while (await turn(page));
};

/** What the device keeps: its tables, and the lines of one. */
const kept = (page, id) =>
  page.evaluate(
    (id) =>
      new Promise((done, fail) => {
        const opening = indexedDB.open('fathom');
        opening.onerror = fail;
        opening.onsuccess = () => {
          const db = opening.result;
          const read = db.transaction(['tables', 'lines']);
          const tables = read.objectStore('tables').getAll();
          const lines = read.objectStore('lines').getAll(IDBKeyRange.bound([id, 0], [id, Infinity]));
          read.oncomplete = () => {
            db.close();
            done({ tables: tables.result, lines: lines.result.map((l) => l.text) });
          };
        };
      }),
    id,
  );

/** Waits until seat 0 is to place a card and more than so many lines are kept; answers these. */
async function myTurn(page, id, lines = 0) {
  let now;
  await until('my turn', async () => {
    now = await kept(page, id);
    const { view } = now.tables.find((t) => t.id === id);
    return now.lines.length > lines && view.active === 0 && view.phase === 'place';
  });
  return now.lines;
}

/** The board in words, when a card is to be placed. */
const seen = async (page) => {
  await until('the step', async () => (await asked(page)) === 'place');
  return page.locator('[data-place]').evaluateAll((all) => all.map((c) => c.getAttribute('aria-label') ?? c.textContent));
};

const hidden = async (page) => equal(await page.getByText(SILENT).count(), 0, 'words about the server');

tests['a game goes on after a reload, and from home, with the same board and the same history'] = async (world) => {
  const page = await cutOff(world);
  const id = await playNow(page);
  await page.locator('.chip', { hasText: 'On this device' }).waitFor();
  for (let i = 0; i < 2; i++) await turn(page);
  const lines = await myTurn(page, id, 4);
  const board = await seen(page);
  await page.reload();
  await page.getByRole('grid').waitFor();
  equal(await seen(page), board, 'the board');
  equal((await kept(page, id)).lines, lines, 'the lines');

  await page.goto('/#/');
  const row = page.getByRole('listitem').filter({ hasText: 'Soum Soum' });
  await row.getByText(/On this device · \d+ against \d+ · your turn/).waitFor();
  await world.shot(page, 'device-home-laptop');
  await page.reload();
  await row.getByRole('link', { name: 'Go on' }).click();
  await page.getByRole('grid').waitFor();
  equal(await seen(page), board, 'the board from home');
  await turn(page);
  await hidden(page);
};

tests['a Worker that ends without a word is replaced, and the move that it never answered is made once'] = async (world) => {
  const page = await cutOff(world);
  const id = await playNow(page);
  await turn(page);
  const lines = await myTurn(page, id, 2);
  const board = await seen(page);
  await page.workers()[0].evaluate(() => self.close());
  await place(page);
  await button(page, 'No diver').click();
  const now = await myTurn(page, id, lines.length);
  await until('the board goes on', async () => JSON.stringify(await seen(page)) !== JSON.stringify(board));
  equal(now.slice(0, lines.length), lines, 'what was kept before');
  equal(now.filter((l) => l.includes('"seat":0') && l.includes('"do":"place"')).length, 2, 'cards that were placed');
};

tests['a second tab says where the table is open, and can take it over: there is one history'] = async (world) => {
  const page = await cutOff(world);
  const id = await playNow(page);
  await turn(page);
  const n = (await myTurn(page, id, 2)).length;
  const board = await seen(page);
  const other = await page.context().newPage();
  await other.route('**/api/**', (route) => route.abort());
  await other.goto(page.url());
  const where = { name: 'This table is open in another tab' };
  await other.getByRole('heading', where).waitFor();
  await fits(other, 'another tab');
  equal(await page.getByRole('heading', where).count(), 0, 'the first tab plays on');

  await other.getByRole('button', { name: 'Play here' }).click();
  await other.getByRole('grid').waitFor();
  equal(await seen(other), board, 'the board in the second tab');
  await page.getByRole('heading', where).waitFor();
  await turn(other);
  await myTurn(page, id, n);
  await becomes(async () => JSON.stringify(await seen(other)) === JSON.stringify(board), false, 'the board is as before');
  const later = await seen(other);

  await page.getByRole('button', { name: 'Play here' }).click();
  await page.getByRole('grid').waitFor();
  await becomes(() => seen(page), later, 'the first tab has what the second did');
  await other.getByRole('heading', where).waitFor();
  await turn(page);
  const { lines } = await kept(page, id);
  const sums = lines.map((l) => JSON.parse(l).sum);
  equal(new Set(sums).size, sums.length, 'lines that are there twice');
  await other.close();
};

tests['a device without room says so, the game goes on, and what was kept stays'] = async (world) => {
  const page = await cutOff(world);
  const id = await playNow(page);
  await turn(page);
  const lines = await myTurn(page, id, 2);
  /** Browsers refuse at once, or later, when the transaction is to be written. */
  const fill = (how) =>
    page.workers()[0].evaluate((how) => {
      self.add ??= IDBObjectStore.prototype.add;
      const refuse = {
        'at once': () => { throw new DOMException('no room', 'QuotaExceededError'); },
        later(...line) {
          const request = self.add.apply(this, line);
          this.transaction.abort();
          return request;
        },
      };
      IDBObjectStore.prototype.add = refuse[how] ?? self.add;
    }, how);
  await fill('at once');
  await turn(page);
  await page.getByText('This device has no room left.').waitFor();
  await world.shot(page, 'device-full');
  await asked(page);
  await fill('later');
  await turn(page);
  await asked(page);
  equal((await kept(page, id)).lines, lines, 'what was kept');
  await fill('not');
  await turn(page);
  await page.getByText('This device has no room left.').waitFor({ state: 'detached' });
  const all = await myTurn(page, id, lines.length + 8);
  equal(all.slice(0, lines.length), lines, 'what was kept first');
  const board = await seen(page);
  await page.reload();
  await becomes(() => seen(page), board, 'the board');
};

for (const size of ['phone', 'desktop'])
  tests[`Create makes a table on this device with its options and bots, on a ${size}`] = async (world) => {
    const page = await cutOff(world, { size });
    await page.goto('/#/new/soumsoum');
    await page.getByText('The table is made on this device').waitFor();
    equal(await page.getByRole('switch', { name: 'Public' }).count(), 0, 'nobody can join');
    await page.getByRole('button', { name: 'One more' }).click();
    await page.getByRole('switch').first().click();
    await world.shot(page, `device-create-${size}`);
    await fits(page, 'create');
    await accessible(page, 'create');
    await page.getByRole('button', { name: 'Open the table' }).click();
    await page.getByText('This table is on this device').waitFor();
    equal(await page.getByText('Invite').count(), 0, 'invitations');
    await page.getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('textbox').fill('Ana');
    await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('button', { name: 'Fill with bots' }).click();
    await page.getByRole('combobox').first().selectOption('abyss');
    await world.shot(page, `device-lobby-${size}`);
    await fits(page, 'lobby');
    await accessible(page, 'lobby');
    await page.reload();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.getByRole('grid').waitFor();
    const [table] = (await kept(page, '')).tables;
    equal([table.options.players, table.options.market, table.seats.map((s) => s.bot)[1]], [3, true, 'abyss'], 'options and bots');
    await hidden(page);
  };

tests['options that do not go together are refused by this device as by a server'] = async (world) => {
  const page = await cutOff(world);
  await page.goto('/#/new/divercity');
  await page.getByText('The table is made on this device').waitFor();
  const more = page.getByRole('button', { name: 'One more' });
  await until('the most divers', async () => {
    if ((await more.getAttribute('aria-disabled')) === 'true') return true;
    await more.click();
    return false;
  });
  ok(await page.locator('.why, .step .hint').first().isVisible(), 'with a reason');
};

/** Whoever's turn it is takes the phone and places a card. Answers false when the game is over. */
async function passedTurn(page) {
  const cover = page.getByRole('button', { name: /^I am (Ana|Bram)$/ });
  const pass = page.getByRole('button', { name: /^Pass the device to / });
  const over = page.getByRole('button', { name: 'See the result' });
  await cover.or(pass).or(over).first().waitFor();
  if ((await over.count()) > 0) return false;
  if ((await pass.count()) > 0) await pass.click();
  equal(await page.getByRole('grid').count(), 0, 'boards behind the cover');
  await cover.click();
  equal(await asked(page), 'place', 'the step');
  await place(page);
  const none = button(page, 'No diver');
  await none.or(pass).or(over).first().waitFor();
  if ((await none.count()) > 0) await none.click();
  await pass.or(over).first().waitFor(); // before that a reload would lose the move
  return true;
}

tests['two play on one phone that is passed around, to the end; the game is handed in once the server is back'] = async (world) => {
  const page = await cutOff(world, { size: 'phone' });
  await page.goto('/#/new/soumsoum');
  await page.getByText('The table is made on this device').waitFor();
  await page.getByRole('button', { name: 'Open the table' }).click();
  for (const name of ['Ana', 'Bram']) {
    await page.getByRole('button', { name: name === 'Ana' ? 'Sit down' : 'Add a player on this device' }).click();
    await page.getByRole('textbox').fill(name);
    await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('heading', { name }).waitFor();
  }
  await page.getByRole('button', { name: 'Start the game' }).click();
  for (let n = 0; await passedTurn(page); n++) if (n === 3) await page.reload();
  const id = page.url().split('/').at(-1);
  await page.goto('/#/');
  const box = page.locator('details', { hasText: 'Played on this device' });
  await box.locator('summary').click();
  await box.locator('.chip', { hasText: 'waits' }).last().waitFor();
  await box.getByText(/won|Ana|Bram/).first().waitFor();
  await world.shot(page, 'device-played-phone');
  await fits(page, 'home');
  await accessible(page, 'home with games of this device');

  const [saved] = await Promise.all([page.waitForEvent('download'), box.getByRole('button', { name: /^Save the record/ }).click()]);
  execFileSync(process.env.FATHOM ?? 'build/fathom', ['replay', await saved.path()]);
  await box.getByRole('button', { name: /^Hand in/ }).click();
  await page.locator('.toast.bad', { hasText: 'The server cannot be reached.' }).waitFor();
  await box.locator('.chip', { hasText: 'waits' }).last().waitFor();

  await page.unrouteAll();
  await box.getByRole('button', { name: /^Hand in/ }).click();
  await box.getByRole('link', { name: 'handed in' }).waitFor();
  const { tables, lines } = await kept(page, id);
  const handed = tables[0].handed;
  const again = await page.evaluate(async (record) => {
    const answer = await fetch('/api/records', { method: 'POST', body: record });
    return [answer.status, (await answer.json()).table];
  }, lines.join(''));
  equal(again, [200, handed], 'handed in twice');
  const info = await page.evaluate(async (t) => (await fetch(`/api/tables/${t}`)).json(), handed);
  equal([info.state, info.unranked, info.played, info.seats.map((s) => s.name)], ['over', true, 'device', ['Ana', 'Bram']], 'the table of the server');
  await box.getByRole('link', { name: 'handed in' }).click();
  await page.getByRole('link', { name: 'Watch replay' }).waitFor();
  await page.getByText('Played on a device, not ranked').waitFor();
  await world.shot(page, 'device-handed-phone');
  await fits(page, 'the end');
};

tests['games of this device are replayed, all that wait are handed in, and deleted ones are gone'] = async (world) => {
  const page = await cutOff(world);
  for (let i = 0; i < 2; i++) {
    await page.goto('/#/');
    await playNow(page);
    await toTheEnd(page);
  }
  await page.goto('/#/');
  await page.reload();
  const box = page.locator('details', { hasText: 'Played on this device' });
  await box.locator('summary', { hasText: '2 games' }).click();
  await world.shot(page, 'device-played-laptop');
  await box.getByRole('link', { name: /^Watch replay/ }).first().click();
  await page.getByRole('grid').waitFor();
  await page.goto('/#/');
  await box.locator('summary').click();
  await page.unrouteAll();
  await box.getByRole('button', { name: 'Hand in the 2 games that wait' }).click();
  await box.getByRole('link', { name: 'handed in' }).nth(1).waitFor();
  await box.getByRole('button', { name: /^Delete/ }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await box.locator('summary', { hasText: '1 game' }).waitFor();
  equal((await kept(page, '')).tables.length, 1, 'tables that are kept');
};

await run(tests);
