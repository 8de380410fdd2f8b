// lobby.mjs: inviting, sitting down, bots, names, several people on one device; secrets stay with their seat.
import { accessible, becomes, equal, examined, fits, ok, run, sizes, until } from './harness.mjs';
import { api, host, join, kept } from './room.mjs';

const tests = {};
const words = { en: ['Sit down', 'Invite'], fr: ['S’asseoir', 'Inviter'], nl: ['Ga zitten', 'Uitnodigen'] };

for (const language of ['en', 'fr', 'nl'])
  for (const size of Object.keys(sizes))
    tests[`lobby in ${language} on a ${size}`] = async (world) => {
      const page = await world.device({ language, size });
      const { table, host } = await api(page, 'POST', '/tables', { game: 'dive', options: { divers: 4, companions: 'seven', clock: 90 }, listed: true });
      await api(page, 'POST', `/tables/${table}/seats`, { name: 'Bram' });
      await api(page, 'POST', `/tables/${table}/bots`, { seat: 2, bot: 'steady' }, host);
      await page.goto(`/#/table/${table}`);
      await page.getByRole('heading', { name: 'Bram' }).waitFor();
      await page.getByRole('heading', { name: words[language][1] }).waitFor();
      await world.shot(page, `lobby-${size}-${language}`);
      await fits(page, 'lobby');
      if (examined[size] === language) await accessible(page, 'lobby');
      await page.getByRole('button', { name: words[language][0], exact: true }).click();
      await page.getByRole('dialog').waitFor();
      if (examined[size] === language) await accessible(page, 'dialogue');
    };

tests['the host makes a table, fills it with bots of a level, and starts'] = async (world) => {
  const page = await world.device();
  const { table, code } = await host(page, 'soumsoum', 'Ana');
  await page.getByText(`${code.slice(0, 3)}–${code.slice(3)}`).first().waitFor();
  equal(await page.getByRole('button', { name: 'Start the game' }).isDisabled(), true, 'start is closed while a seat is free');
  await page.getByRole('button', { name: /^Add a bot/ }).click();
  await page.getByRole('combobox', { name: /Bream/ }).selectOption('random');
  await page.getByText('plays any legal move').waitFor();
  await becomes(async () => (await api(page, 'GET', `/tables/${table}`)).seats[1].bot, 'random', 'bot');
  await page.getByRole('button', { name: 'Remove Bream' }).click();
  await page.getByText('1 seat is free.').waitFor();
  await page.getByRole('button', { name: 'Fill with bots' }).click();
  await page.getByText('Everybody is here.').waitFor();
  await world.shot(page, 'lobby-host');
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.getByRole('button', { name: 'Menu' }).waitFor();
};

tests['a guest joins by the copied link, is renamed, and the host frees the seat'] = async (world) => {
  const ana = await world.device();
  const { code } = await host(ana, 'soumsoum', 'Ana');
  await ana.getByRole('button', { name: 'Copy link' }).click();
  await ana.getByText('Link copied.').waitFor();
  await becomes(() => ana.evaluate(() => navigator.clipboard.readText()), `${world.address}/#/t/${code}`, 'link');
  const bram = await world.device({ size: 'phone' });
  await join(bram, code.toLowerCase(), 'Bram');
  await ana.getByRole('heading', { name: 'Bram' }).waitFor();
  await bram.getByRole('button', { name: 'Rename' }).click();
  await bram.getByRole('textbox', { name: 'Your name' }).fill('Chloé');
  await bram.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await ana.getByRole('heading', { name: 'Chloé' }).waitFor();
  equal(await bram.getByText('The host has removed you from your seat').count(), 0, 'renaming is no loss of the seat');
  await ana.getByRole('button', { name: 'Remove Chloé from this seat' }).click();
  await bram.getByText('The host has removed you from your seat.').first().waitFor();
  await bram.getByText('You are watching.').waitFor();
  await becomes(async () => (await kept(bram))[0].seats, [], 'the seat is forgotten');
};

tests['a seat’s link takes the seat along and leaves the address at once'] = async (world) => {
  const ana = await world.device();
  const { table } = await host(ana, 'soumsoum', 'Ana');
  const { seat, token } = (await kept(ana))[0].seats[0];
  const phone = await world.device({ size: 'phone' });
  const seen = [];
  phone.on('framenavigated', (f) => seen.push(f.url()));
  await phone.goto(`/#/s/${table}/${seat}/${token}`);
  await phone.getByText('You', { exact: true }).waitFor();
  ok(!phone.url().includes(token), 'the secret is gone from the address');
  await becomes(async () => (await kept(phone))[0].seats[0].token, token, 'the seat is kept');
  await phone.goBack();
  ok(!phone.url().includes(token), 'nor is it in the history');
};

tests['A7 a damaged seat link says so, and the good token of the seat stays'] = async (world) => {
  const ana = await world.device();
  const { table } = await host(ana, 'soumsoum', 'Ana');
  const { seat, token } = (await kept(ana))[0].seats[0];
  for (const damaged of ['0'.repeat(32), token.slice(0, 31)]) {
    await ana.goto('/#/');
    await ana.goto(`/#/s/${table}/${seat}/${damaged}`);
    await ana.getByText('This seat link is damaged or out of date.').first().waitFor();
    await ana.getByText('You', { exact: true }).waitFor();
    equal((await kept(ana))[0].seats[0].token, token, 'the token');
  }
  const other = await world.device();
  await other.goto(`/#/s/${table}/1/${'0'.repeat(32)}`);
  await other.getByText('You are watching.').waitFor();
};

tests['A14 a seat goes to another device by a link as well as by its code'] = async (world) => {
  const ana = await world.device();
  const { table } = await host(ana, 'soumsoum', 'Ana');
  const { seat, token } = (await kept(ana))[0].seats[0];
  await ana.getByRole('button', { name: 'Fill with bots' }).click();
  await ana.getByRole('button', { name: 'Start the game' }).click();
  await ana.getByRole('button', { name: 'Menu' }).click();
  await ana.getByRole('button', { name: 'Play this seat on another device' }).click();
  await ana.getByRole('dialog').getByRole('button', { name: 'Copy link' }).click();
  await becomes(() => ana.evaluate(() => navigator.clipboard.readText()), `${world.address}/#/s/${table}/${seat}/${token}`, 'link');
};

tests['A20 guests see who hosts, and French sets its colons'] = async (world) => {
  const ana = await world.device();
  const { code } = await host(ana, 'soumsoum', 'Ana');
  await ana.goto('/#/new/dive');
  const bram = await world.device({ size: 'phone', language: 'fr' });
  await bram.goto(`/#/t/${code}`);
  await bram.getByText('Hôte', { exact: true }).waitFor({ state: 'detached' });
  await ana.goBack();
  await bram.locator('li', { hasText: 'Ana' }).getByText('Hôte', { exact: true }).waitFor();
  const { table } = await api(bram, 'POST', '/tables', { game: 'dive', options: { divers: 3 } });
  await bram.goto(`/#/table/${table}`);
  await bram.getByText('Plongeurs\u202f: 3').waitFor();
};

tests['A1 A11 a TV creates a table, starts it, and shows a code that gives phones the private board'] = async (world) => {
  const tv = await world.device();
  await tv.goto('/#/new/dive');
  await tv.getByRole('button', { name: 'Open with this screen as the table' }).click();
  await tv.waitForURL(/#\/screen\//);
  await tv.getByText(world.address.replace('http://', '')).waitFor();
  const { code } = (await kept(tv))[0];
  await tv.getByText(`${code.slice(0, 3)}–${code.slice(3)}`).waitFor();
  await accessible(tv, 'the lobby of a TV');
  const ana = await world.device({ size: 'phone' });
  await ana.getByLabel('Character 1 of 6').click();
  await ana.keyboard.type(code);
  await ana.getByRole('button', { name: 'Join' }).click();
  await ana.getByRole('button', { name: 'Sit down' }).click();
  await ana.getByRole('textbox', { name: 'Your name' }).fill('Ana');
  await ana.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await ana.getByRole('heading', { name: 'Ana' }).waitFor();
  await tv.getByText('1 seat is free.').waitFor();
  await tv.getByRole('button', { name: 'Fill with bots' }).click();
  await tv.getByText('Everybody is here.').waitFor();
  await ana.getByText('The game is started on the big screen.').waitFor();
  await world.shot(tv, 'tv-lobby');
  await tv.getByRole('button', { name: 'Start the game' }).click();
  await tv.getByRole('img', { name: /ocean stack/ }).waitFor();
  await ana.getByText('The ocean is on the big screen.').first().waitFor();
  await world.shot(ana, 'tv-phone');
};

tests['two people on one device: the cover hides everything until the named one taps'] = async (world) => {
  const page = await world.device({ size: 'phone' });
  await host(page, 'soumsoum', 'Ana');
  await page.getByRole('button', { name: 'Add a player on this device' }).click();
  await page.getByRole('textbox').fill('Bram');
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name: 'Bram' }).waitFor();
  await page.getByRole('button', { name: 'Start the game' }).click();
  const cover = page.getByRole('button', { name: /^I am (Ana|Bram)$/ });
  await cover.waitFor();
  await world.shot(page, 'cover');
  await accessible(page, 'cover');
  const text = await page.evaluate(() => document.body.innerText);
  ok(!/shark|octopus|hermit/i.test(text), `nothing of a hand is on the page: ${text}`);
  equal(await page.locator('main .board, main pre').count(), 0, 'no board is there');
  await cover.click();
  await page.getByRole('button', { name: 'Menu' }).waitFor();
};

tests['A12 each round of pass and play begins behind a cover with a name; marks stand once in the bar'] = async (world) => {
  const page = await world.device({ size: 'phone' });
  await host(page, 'dive', 'Ana');
  await page.getByRole('button', { name: 'Add a player on this device' }).click();
  await page.getByRole('textbox').fill('Bram');
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('heading', { name: 'Bram' }).waitFor();
  await page.getByRole('button', { name: 'Start the game' }).click();
  for (const name of ['Ana', 'Bram']) {
    await page.getByRole('button', { name: `I am ${name}` }).click();
    await page.locator('.tray button, .air').first().waitFor();
    equal(await page.getByRole('group', { name: 'Players on this device' }).count(), 0, 'a second row of marks');
    await page.keyboard.press('1');
    await page.keyboard.press('1');
    await page.getByRole('button', { name: 'I’m ready' }).click();
    if (name === 'Ana') await page.getByRole('button', { name: 'Pass the device to Bram' }).click();
  }
  const cover = page.getByRole('button', { name: /^I am / });
  const on = page.locator('.play').getByRole('button', { name: /^(Skip|Continue|Rest|Round|Level)/ }).last();
  await until('the cover of the second round', async () => {
    if ((await cover.count()) > 0) return true;
    await on.click({ timeout: 500 }).catch(() => undefined);
    return false;
  });
  equal(await page.locator('.play').count(), 0, 'boards behind the cover');
};

tests['A13 names in the lobby stay whole, and nothing covers the host’s chip'] = async (world) => {
  const page = await world.device({ size: 'phone', language: 'nl' });
  const { table, host: right } = await api(page, 'POST', '/tables', { game: 'soumsoum', options: { players: 3 } });
  const { seat, token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Mama' });
  await page.evaluate((mine) => localStorage.setItem('fathom.tables', JSON.stringify([mine])), { table, host: right, game: 'soumsoum', seats: [{ seat, token, name: 'Mama' }], at: 0 });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.reload();
  await page.goto(`/#/table/${table}`);
  const row = page.locator('li', { hasText: 'Mama' });
  await row.getByText('Gastheer').waitFor();
  await world.shot(page, 'lobby-name');
  equal(await row.locator('h2 span').first().evaluate((e) => e.getClientRects().length), 1, 'lines of the name');
  const boxes = await row.evaluate((li) => [...li.querySelectorAll('.chip, button, h2 > span')].map((e) => e.getBoundingClientRect().toJSON()));
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1, `two things overlap: ${JSON.stringify([a, b])}`);
  await fits(page, 'lobby at 360');
};

tests['no page holds the token of a seat that is not its own'] = async (world) => {
  const ana = await world.device();
  const bodies = [];
  const { table, code } = await host(ana, 'soumsoum', 'Ana');
  const bram = await world.device();
  bram.on('response', (r) => r.url().includes('/api/') && r.text().then((t) => bodies.push(t), () => {}));
  bram.on('websocket', (s) => s.on('framereceived', (f) => bodies.push(String(f.payload))));
  await join(bram, code, 'Bram');
  await ana.getByRole('button', { name: 'Start the game' }).click();
  await bram.getByRole('button', { name: 'Menu' }).waitFor();
  await bram.getByRole('button', { name: 'Menu' }).click();
  await until('what was heard', () => bodies.length > 3);
  await bram.waitForLoadState('networkidle');
  const mine = (await kept(ana))[0];
  const secrets = [mine.host, ...mine.seats.map((s) => s.token)];
  const page = await bram.evaluate(() => document.documentElement.outerHTML + JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }) + document.cookie + location.href);
  for (const secret of secrets) {
    ok(secret.length === 32, 'a token');
    ok(!page.includes(secret), 'page and storage hold no token of another seat');
    ok(!bodies.some((b) => b.includes(secret)), 'no answer holds it');
  }
  const own = (await kept(bram))[0].seats[0].token;
  ok(!(await bram.evaluate(() => document.documentElement.outerHTML)).includes(own), 'nor does the page show its own');
  equal(mine.table, table, 'table');
};

tests['bots fill the free seats although the stream of the own seat has told nothing yet'] = async (world) => {
  const page = await world.device({ fresh: true, open: false });
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      set onmessage(hear) {
        let last = Promise.resolve(); // one after another
        super.onmessage = (m) =>
          (last = last.then(async () => {
            while (window.holds) await new Promise((r) => setTimeout(r, 20));
            hear(m);
          }));
      }
    };
  });
  const hold = (on) => page.evaluate((on) => void (window.holds = on), on);
  await page.goto('/#/new/soumsoum');
  await page.getByRole('button', { name: 'Open the table' }).click();
  await page.getByRole('button', { name: 'Sit down' }).click();
  await page.getByRole('textbox', { name: 'Your name' }).fill('Ana');
  await hold(true);
  await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
  const filled = page.waitForResponse((r) => r.url().endsWith('/bots'));
  await page.getByRole('button', { name: 'Fill with bots' }).click();
  equal((await filled).status(), 200, 'the bot');
  await hold(false);
  await page.getByText('Everybody is here.').waitFor();
  equal(await page.getByText('This seat is taken.').count(), 0, 'refusals');
};

tests['the game starts although the answer about the last bot is still on its way'] = async (world) => {
  for (const screen of ['Open with this screen as the table', 'Open the table']) {
    const page = await world.device();
    let answer;
    const late = new Promise((done) => (answer = done));
    await page.route('**/bots', async (route) => {
      const response = await route.fetch();
      await late;
      await route.fulfill({ response });
    });
    await page.goto('/#/new/soumsoum');
    await page.getByRole('button', { name: screen }).click();
    if (screen === 'Open the table') {
      await page.getByRole('button', { name: 'Sit down' }).click();
      await page.getByRole('textbox', { name: 'Your name' }).fill('Ana');
      await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
      await page.getByRole('heading', { name: 'Ana' }).waitFor();
    } else {
      await page.waitForURL(/#\/screen\//);
      const { table } = (await kept(page))[0];
      await api(page, 'POST', `/tables/${table}/seats`, { name: 'Bram' });
      await page.getByText('1 seat is free.').waitFor();
    }
    await page.getByRole('button', { name: 'Fill with bots' }).click();
    await page.getByText('Everybody is here.').waitFor();
    await page.getByRole('button', { name: 'Start the game' }).click();
    await page.getByRole('button', { name: 'Start the game' }).waitFor({ state: 'detached' });
    answer();
  }
};

await run(tests);
