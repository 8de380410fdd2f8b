// game.mjs: a game of Soum Soum among two people, a spectator and a table screen, through a reload and a cut; then its
// end, a rematch, the replay and the check of the deal.
import { accessible, becomes, equal, fits, ok, run, until } from './harness.mjs';
import { api, atTheEnd, host, join, kept, playOut } from './room.mjs';

const tests = {};

/** A started game of two, each on a device of their own. */
async function two(world, size = 'desktop') {
  const ana = await world.device({ size });
  const table = await host(ana, 'soumsoum', 'Ana');
  const bram = await world.device({ size });
  await join(bram, table.code, 'Bram');
  await ana.getByRole('button', { name: 'Start the game' }).click();
  await ana.getByRole('button', { name: 'Menu' }).waitFor();
  await bram.getByRole('button', { name: 'Menu' }).waitFor();
  const tokens = [(await kept(ana))[0].seats[0].token, (await kept(bram))[0].seats[0].token];
  return { ana, bram, tokens, ...table };
}

/** The same with nobody at Bram's device, and without the lobby. */
async function one(world, size = 'desktop') {
  const ana = await world.device({ size, open: false });
  const { table, code, host: right } = await api(ana, 'POST', '/tables', { game: 'soumsoum', options: { players: 2 } });
  const tokens = [];
  for (const name of ['Ana', 'Bram']) tokens.push((await api(ana, 'POST', `/tables/${table}/seats`, { name })).token);
  await api(ana, 'POST', `/tables/${table}/start`, {}, right);
  await ana.goto(`/#/s/${table}/0/${tokens[0]}`);
  await ana.getByRole('button', { name: 'Menu' }).waitFor();
  return { ana, tokens, table, code };
}

/** Plays on, to the end or until this change, while the page shows nothing: what is drawn for nobody costs most of a game. */
async function playUnseen(page, table, tokens, last = null) {
  const address = page.url();
  await page.goto('/healthz');
  await playOut(page, table, tokens, last);
  await page.goto(address);
}

/** A change with some turns to come: two seats make more than 33 before the end. */
const NEARLY = 30;

/** A finished one of a person and a bot, the same for all tests; a page shows its end. */
const finished = new Map();
async function over(world, size) {
  const page = await world.device({ size, open: false });
  if (!finished.has(world.address)) {
    const { table, host: right } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 2 } });
    const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
    await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot: 'random' }, right);
    await api(page, 'POST', `/tables/${table}/start`, {}, right);
    await page.goto('/healthz');
    await playOut(page, table, [token]);
    finished.set(world.address, { table, token });
  }
  const { table, token } = finished.get(world.address);
  await page.goto(`/#/s/${table}/0/${token}`);
  await page.getByRole('link', { name: 'Watch replay' }).waitFor();
  return { page, table };
}

const seq = async (page, table) =>
  page.evaluate(
    (id) =>
      new Promise((done) => {
        const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
        socket.onopen = () => socket.send('{"hello":null}');
        socket.onmessage = (m) => {
          socket.close();
          done(JSON.parse(m.data).seq);
        };
      }),
    table,
  );

tests['two people, a spectator and a table screen see one game'] = async (world) => {
  const { ana, table, code } = await two(world);
  const watcher = await world.device();
  await watcher.goto(`/#/t/${code}`);
  await watcher.getByText('You are watching', { exact: true }).waitFor();
  const screen = await world.device();
  await screen.goto(`/#/screen/${table}`);
  await screen.getByRole('main').waitFor();
  await world.shot(ana, 'play');
  await world.shot(watcher, 'play-watcher');
  await world.shot(screen, 'screen');
  equal(await screen.getByRole('button', { name: 'Menu' }).count(), 0, 'the table screen has no menu');
  await accessible(ana, 'play');
};

tests['the table screen waits with a code for phones'] = async (world) => {
  const ana = await world.device();
  const { table, code } = await host(ana, 'dive', 'Ana');
  await ana.getByRole('link', { name: 'Use this screen as the table' }).click();
  await ana.getByText('Play on your phone').waitFor();
  await ana.getByText(`${code.slice(0, 3)}–${code.slice(3)}`).waitFor();
  await world.shot(ana, 'screen-lobby');
  await accessible(ana, 'screen');
  const phone = await world.device({ size: 'phone' });
  await phone.goto(`/#/t/${code}/phone`);
  await phone.getByRole('button', { name: 'Sit down' }).waitFor();
  await becomes(async () => (await kept(phone)).find((m) => m.table === table)?.phone, true, 'the phone is a private board');
};

tests['menu, log and help are drawers that leave the board usable'] = async (world) => {
  const { ana } = await one(world, 'phone');
  await ana.getByRole('button', { name: 'Menu' }).click();
  await ana.getByRole('heading', { name: 'Menu' }).waitFor();
  await world.shot(ana, 'menu-phone');
  await accessible(ana, 'menu');
  equal(await ana.locator('dialog').count(), 0, 'not modal');
  await ana.getByRole('button', { name: 'Play this seat on another device' }).click();
  await ana.getByRole('img', { name: 'QR code: Ana’s seat' }).waitFor();
  await accessible(ana, 'seat link');
  await ana.keyboard.press('Escape');
  await ana.getByRole('button', { name: 'What happened' }).click();
  await ana.getByRole('heading', { name: 'What happened' }).waitFor();
  await ana.keyboard.press('Escape');
  await ana.getByRole('heading', { name: 'What happened' }).waitFor({ state: 'detached' });
};

/** What the log says, newest first. */
async function logged(page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'What happened' }).click();
  await page.getByRole('heading', { name: 'What happened' }).waitFor();
  const lines = await page.locator('.drawer li').allTextContents();
  await page.keyboard.press('Escape');
  return lines;
}

tests['B2 a reload in the middle loses nothing, and the log is as it was'] = async (world) => {
  const { ana, table, code, tokens } = await one(world);
  await playOut(ana, table, tokens, 6);
  const before = await seq(ana, table);
  ok(before >= 6, 'some moves were made');
  const lines = await logged(ana);
  ok(lines.length >= 4, `a log of some moves: ${lines}`);
  await ana.reload();
  await ana.getByRole('button', { name: 'Menu' }).waitFor();
  equal(await seq(ana, table), before, 'nothing happened by it');
  equal(await logged(ana), lines, 'the log after a reload:');
  const watcher = await world.device();
  await watcher.goto(`/#/t/${code}`);
  await watcher.getByText('You are watching', { exact: true }).waitFor();
  ok((await logged(watcher)).length >= 4, 'who comes to watch reads what happened before');
  await watcher.goto('/healthz');
  await playUnseen(ana, table, tokens, NEARLY);
  await ana.getByRole('button', { name: 'Menu' }).waitFor();
  await playOut(ana, table, tokens);
  await ana.getByRole('button', { name: 'See the result' }).click();
  await ana.getByRole('button', { name: 'Play again at this table' }).waitFor();
};

tests['the network is cut in the middle and comes back; the other one sees who is away'] = async (world) => {
  const { ana, bram, table, tokens } = await two(world);
  await bram.goto('/healthz');
  await playUnseen(ana, table, tokens, NEARLY);
  await bram.goto(`/#/table/${table}`);
  for (const page of [ana, bram]) await page.getByRole('button', { name: 'Menu' }).waitFor();
  await ana.context().setOffline(true);
  await ana.getByText('Connection lost. Trying again.').waitFor();
  await world.shot(ana, 'cut');
  await bram.getByRole('button', { name: 'Let a bot take over' }).waitFor();
  await world.shot(bram, 'away');
  await accessible(bram, 'away');
  await ana.context().setOffline(false);
  await ana.getByText(/Back online/).first().waitFor();
  await bram.getByRole('button', { name: 'Let a bot take over' }).waitFor({ state: 'detached' });
  await bram.goto('/healthz');
  await playOut(bram, table, tokens);
  await ana.getByRole('button', { name: 'See the result' }).waitFor();
};

tests['what is done without a network is kept, shown as pending, and counts once'] = async (world) => {
  const page = await world.device({ open: false });
  const sent = [];
  page.on('websocket', (socket) => socket.on('framesent', (f) => sent.push(JSON.parse(String(f.payload)))));
  const { table, host: right } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 2, first: 0 } });
  const [{ token }] = [await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana' }), await api(page, 'POST', `/tables/${table}/seats`, { name: 'Bram' })];
  await api(page, 'POST', `/tables/${table}/start`, {}, right);
  await page.goto(`/#/s/${table}/0/${token}`);
  await page.locator('.grid5').waitFor();
  await page.context().setOffline(true);
  await page.getByText('Connection lost. Trying again.').waitFor();
  await page.keyboard.press('1');
  await page.locator('.grid5 .ce').nth(7).click();
  await page.getByRole('button', { name: 'Place it here' }).click();
  await page.getByText('1 move is waiting to be sent.').waitFor();
  await world.shot(page, 'pending');
  await page.context().setOffline(false);
  await page.getByText('Back online. Your moves have been sent.').first().waitFor();
  await page.getByRole('button', { name: 'No diver' }).waitFor(); // the next step: it counts
  await becomes(() => seq(page, table), 1, 'and it counts once');
  const ids = sent.filter((m) => m.action !== undefined).map((m) => m.id);
  equal(new Set(ids).size, 1, 'one id, however often it was sent:');
};

tests['most of the others let a bot play for who is away; it goes when the owner is back'] = async (world) => {
  const { ana, bram, table } = await two(world);
  const address = bram.url();
  await bram.goto('about:blank');
  const button = ana.getByRole('button', { name: 'Let a bot take over' });
  await button.waitFor();
  await button.click();
  await ana.getByText('A bot is playing for Bram.').waitFor();
  await bram.goto(address);
  await bram.getByRole('button', { name: 'Menu' }).waitFor();
  await ana.getByText('A bot is playing for Bram.').waitFor({ state: 'detached' });
  await becomes(async () => (await api(ana, 'GET', `/tables/${table}`)).seats[1].bot, null, 'bot');
};

tests['one leaves and lets a bot play'] = async (world) => {
  const { ana, table } = await one(world);
  await ana.getByRole('button', { name: 'Menu' }).click();
  await ana.getByRole('button', { name: 'Let a bot play for me' }).click();
  await ana.getByRole('button', { name: 'Let it play, and leave' }).click();
  await ana.getByRole('heading', { name: 'Games under the sea' }).waitFor();
  await becomes(async () => typeof (await api(ana, 'GET', `/tables/${table}`)).seats[0].bot, 'string', 'a bot plays');
};

for (const size of ['desktop', 'phone'])
  tests[`the end, the replay and the check of the deal on a ${size}`] = async (world) => {
    const { page, table } = await over(world, size);
    await page.getByText('The deal was fair.').waitFor();
    await world.shot(page, `end-${size}`);
    await fits(page, 'end');
    await accessible(page, 'end');
    const record = await page.request.get(`/api/tables/${table}/record`);
    ok((await record.text()).startsWith('{"fathom":1'), 'the record');

    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByText('The same seal, and the deal follows from the seed and the added randomness.').waitFor();
    await page.getByText(/^All \d+ moves follow from the deal$/).waitFor();
    await world.shot(page, `verify-${size}`);
    await fits(page, 'verify');
    await accessible(page, 'verify');

    await page.goto(`/#/replay/${table}/0/0`);
    const where = page.getByText(/Step \d+ of \d+/).first();
    await where.waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Step 2 of').first().waitFor();
    await page.keyboard.press('End');
    await atTheEnd(where);
    await page.keyboard.press('Shift+ArrowLeft');
    await page.getByRole('radio', { name: 'Everything open' }).click();
    await page.getByRole('radio', { name: 'The table' }).click();
    await page.locator('[role=radio][aria-checked=true]', { hasText: 'The table' }).waitFor();
    await page.getByRole('slider').press('Home');
    for (const now of ['1×', '2×']) await page.getByRole('button', { name: `Speed: ${now}` }).click();
    await page.getByRole('button', { name: 'Speed: 4×' }).waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await page.getByText(/Step ([3-9]|\d\d) of/).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Link to here' }).click();
    await page.waitForURL(/\/replay\/[0-9a-f]+\/table\/\d+$/);
    await world.shot(page, `replay-${size}`);
    await fits(page, 'replay');
    await accessible(page, 'replay');
  };

for (const size of ['desktop', 'phone'])
  tests[`W16 the end of Soum Soum fits a ${size}, whatever each diver was worth`] = async (world) => {
    const { page } = await over(world, size);
    for (const worths of [[9, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 4, 0, 1], [0, 0, 0, 0, 0]]) {
      await page.evaluate((all) => {
        for (const bar of document.querySelectorAll('.soumend .segs')) {
          bar.style.setProperty('--most', String(Math.max(1, all.reduce((sum, n) => sum + n))));
          bar.replaceChildren(
            ...all.map((n) => {
              const diver = Object.assign(document.createElement('li'), { className: 'in', textContent: String(n) });
              diver.style.setProperty('--n', String(n));
              return diver;
            }),
          );
        }
      }, worths);
      await fits(page, `divers of ${worths}`);
      equal(await page.evaluate(() => [...document.querySelectorAll('.soumend .segs')].filter((b) => b.scrollWidth > b.clientWidth).length), 0, `divers of ${worths}: bars that are too long`);
    }
  };

tests['B21 the count comes before the headline; against bots the next game begins at once'] = async (world) => {
  const page = await world.device({ calm: false });
  await page.getByRole('button', { name: /Play now.*Soum Soum/ }).click();
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  const [{ table, seats }] = await kept(page);
  await playUnseen(page, table, [seats[0].token], NEARLY);
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  await playOut(page, table, [seats[0].token]);
  const result = page.getByRole('button', { name: 'See the result' });
  await result.waitFor();
  ok(!/win|point/.test(await page.locator('footer').innerText()), 'the strip does not tell the outcome');
  await result.click();
  await page.getByRole('heading', { level: 1, name: 'The final count' }).waitFor();
  await page.getByRole('heading', { level: 1, name: /^You win with|wins\. You have/ }).waitFor();
  await page.getByRole('button', { name: 'Play again at this table' }).click();
  await page.waitForURL((url) => !url.href.includes(table));
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  equal((await api(page, 'GET', `/tables/${page.url().split('/table/')[1]}`)).state, 'playing', 'no lobby between');
};

tests['the end speaks to the winner, offers a harder game and a picture to share'] = async (world) => {
  const page = await world.device({ size: 'phone' });
  const { table, host: right } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 2 } });
  const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot: 'random' }, right);
  await api(page, 'POST', `/tables/${table}/start`, {}, right);
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 0, bot: 'abyss' }, right);
  await until('the end', async () => (await api(page, 'GET', `/tables/${table}`)).state === 'over');
  await page.evaluate((mine) => localStorage.setItem('fathom.tables', JSON.stringify([mine])), { table, host: right, game: 'soumsoum', seats: [{ seat: 0, token, name: 'Ana' }], at: 0 });
  await page.reload();
  await page.goto(`/#/table/${table}`);
  await page.getByRole('heading', { level: 1, name: /^You win with/ }).waitFor();
  await page.getByText(/ahead of Bream/).waitFor();
  await fits(page, 'the end');
  const [picture] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Share' }).click()]);
  equal(picture.suggestedFilename(), 'fathom-soumsoum.png', 'the picture');
  await page.getByRole('button', { name: 'Next: Easy' }).click();
  await page.waitForURL((url) => url.href.includes('/table/') && !url.href.includes(table));
  await page.getByRole('button', { name: 'Menu' }).waitFor();
  const { seats } = await api(page, 'GET', `/tables/${page.url().split('/table/')[1]}`);
  equal([seats[0].name, seats[1].bot], ['Ana', 'paddler'], 'who plays');
};

tests['a link to a moment opens there'] = async (world) => {
  const { page, table } = await over(world, 'desktop');
  await page.goto(`/#/replay/${table}/1/5`);
  await page.getByText('Step 6 of').first().waitFor();
  await page.locator('[role=radio][aria-checked=true]', { hasText: 'Bream' }).waitFor();
};

tests['a rematch keeps the seats; the other one is asked to join'] = async (world) => {
  const { ana, bram, table, tokens } = await two(world);
  await bram.goto('/healthz');
  await playUnseen(ana, table, tokens);
  await bram.goto(`/#/table/${table}`);
  await ana.getByRole('button', { name: 'Play again at this table' }).click();
  await ana.getByRole('button', { name: 'Start the game' }).waitFor();
  await bram.getByRole('button', { name: 'Join it' }).waitFor();
  await world.shot(bram, 'rematch');
  await accessible(bram, 'rematch');
  await bram.getByRole('button', { name: 'Join it' }).click();
  await bram.getByRole('heading', { name: 'Bram' }).waitFor();
  await becomes(() => ana.url() === bram.url(), true, 'the same table');
  ok(!ana.url().includes(table), 'another table');
  await ana.getByRole('button', { name: 'Start the game' }).click();
  await bram.getByRole('button', { name: 'Menu' }).waitFor();
};

tests['replay and verify say that the game is not over'] = async (world) => {
  const { ana, table } = await one(world);
  for (const path of ['replay', 'verify']) {
    await ana.goto(`/#/${path}/${table}`);
    await ana.getByText('The game is not over yet.').waitFor();
    await accessible(ana, path);
  }
};

await run(tests);
