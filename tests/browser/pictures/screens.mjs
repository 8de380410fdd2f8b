// screens.mjs: every screen of the page, laptop and phone, as pictures to be looked at: SHOTS=DIR node screens.mjs [NAME].
// SAY=fr takes them in French, DARK=1 in the dark.
import { run, sizes } from '../harness.mjs';
import { skip } from '../../../games/dive/tests/tables.mjs';
import { api } from '../room.mjs';

const language = process.env.SAY ?? 'en';
const NAMES = ['Ana', 'Bram', 'Chloé', 'Dirk', 'Emma', 'Finn', 'Gwen'];
const tests = {};
sizes.short = { width: 390, height: 664 };
sizes.tv = { width: 1920, height: 1080 };

/** A device in the language and the light that were asked for. */
async function device(world, size) {
  const page = await world.device({ size, language });
  if (process.env.DARK) await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  return page;
}

/** A started table: people on the first seats, bots on the others. */
async function begin(page, game, options, people, bot) {
  const made = await api(page, 'POST', '/tables', { game, options });
  const seats = (options.divers ?? options.players ?? 2) + (options.industrialist ? 1 : 0);
  const tokens = [];
  for (let seat = 0; seat < seats; seat++)
    if (people.includes(seat)) tokens[seat] = (await api(page, 'POST', `/tables/${made.table}/seats`, { name: NAMES[seat], seat })).token;
    else await api(page, 'POST', `/tables/${made.table}/bots`, { seat, bot }, made.host);
  await api(page, 'POST', `/tables/${made.table}/start`, {}, made.host);
  return { ...made, tokens };
}

/** Opens a seat. */
async function sit(page, made, seat = 0) {
  await page.goto(`/#/s/${made.table}/${seat}/${made.tokens[seat]}`);
  await page.locator('main').first().waitFor();
}

/** Plays a seat over a stream of its own until its view is as wanted; both are functions of the view. */
const drive = (page, made, seat, wanted, choose = (v) => v.legal[0]) =>
  page.evaluate(
    ([table, token, isDone, choice]) =>
      new Promise((done) => {
        const [stop, pick] = [isDone, choice].map((f) => (0, eval)(`(${f})`));
        const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
        let n = 0;
        socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
        socket.onmessage = (m) => {
          const { view } = JSON.parse(m.data); // what came too late is refused, and another view is on its way
          if (!view) return;
          if (view.result || stop(view)) {
            socket.close();
            done(view);
          } else if (view.legal?.some((a) => a.do !== 'unready')) socket.send(JSON.stringify({ id: `d${Date.now()}-${++n}`, action: pick(view) }));
        };
      }),
    [made.table, made.tokens[seat], String(wanted), String(choose)],
  );

/** A picture, once nothing is on its way any more. */
async function take(world, page, name) {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(700);
  await world.shot(page, name);
}

const both = (name, test) => {
  for (const size of ['desktop', 'phone']) tests[`${name} ${size}`] = (world) => test(world, size);
};

/* ---- around the game ---- */

both('home', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'soumsoum', { players: 2 }, [0], 'greedy');
  await sit(page, made);
  await page.goto('/#/');
  await take(world, page, `home-${size}`);
});
for (const game of ['dive', 'divercity', 'soumsoum'])
  both(`create ${game}`, async (world, size) => {
    const page = await device(world, size);
    await page.goto(`/#/new/${game}`);
    await take(world, page, `create-${game}-${size}`);
  });
both('lobby', async (world, size) => {
  const page = await device(world, size);
  const { table, host } = await api(page, 'POST', '/tables', { game: 'dive', options: { divers: 4, companions: 'seven', flashlight: true, clock: 90 } });
  const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana' });
  await api(page, 'POST', `/tables/${table}/seats`, { name: 'Bram' });
  await api(page, 'POST', `/tables/${table}/bots`, { seat: 2, bot: 'steady' }, host);
  await page.goto(`/#/s/${table}/0/${token}`);
  await take(world, page, `lobby-${size}`);
});
both('pages', async (world, size) => {
  const page = await device(world, size);
  for (const [path, name] of [['settings', 'settings'], ['practise', 'practise'], ['rules/dive', 'rules'], ['t/AAAAAA', 'join-unknown'], ['learn/dive', 'learn-dive'], ['learn/divercity', 'learn-divercity'], ['learn/soumsoum', 'learn-soumsoum']]) {
    await page.goto(`/#/${path}`);
    await take(world, page, `${name}-${size}`);
    if (name === 'practise') {
      const rows = page.locator('main').getByRole('radiogroup');
      for (let i = 0; i < (await rows.count()); i++) await rows.nth(i).getByRole('radio').nth(i % 2).click();
      await page.locator('main .btn.go').first().click();
      await take(world, page, `practise-told-${size}`);
    }
  }
});

/* ---- Dive ---- */

/** Two levels a round, then ready. */
const plan = (v) =>
  v.legal.find((a) => a.do === 'ready' && v.program.levels.length > 0) ??
  (v.legal.some((a) => a.do === 'program') ? { do: 'program', levels: [{ tokens: [4], shark: v.round % 2 === 0 }, { tokens: [5], shark: false }] } : v.legal[0]);

for (const size of ['desktop', 'phone', 'tablet', 'short'])
  tests[`dive ${size}`] = async (world) => {
    const page = await device(world, size);
    const made = await begin(page, 'dive', { divers: 4, flashlight: true }, [0], 'steady');
    await sit(page, made);
    await page.locator('.ocean img').first().waitFor();
    if (size === 'short') await take(world, page, 'dive-look-short');
    for (const n of [2, 5, 1]) await page.keyboard.press(String(n)).then(() => page.keyboard.press(String({ 2: 1, 5: 2, 1: 3 }[n])));
    await page.keyboard.press('s');
    await take(world, page, `dive-plan-${size}`);
    await page.locator('[aria-keyshortcuts=L]').click();
    const help = page.getByRole('button', { name: /^(What can I do|Aide|Wat kan ik doen)/ }).first();
    if (await help.isVisible()) {
      await help.click();
      await take(world, page, `dive-help-${size}`);
      await page.keyboard.press('Escape');
    }
    await page.locator('.btn.go:visible').last().click();
    await page.locator('.dive.reveal').waitFor();
    await skip(page);
    await take(world, page, `dive-reveal-${size}`);
    for (let i = 0; i < 24 && (await page.locator('.dive.reveal').count()) > 0; i++) await skip(page);
    await page.locator('.dive.rest').waitFor();
    await take(world, page, `dive-rest-${size}`);
    if (size === 'short' || size === 'tablet') return;
    await page.locator('header button').last().click();
    await take(world, page, `dive-drawer-${size}`);
    await drive(page, made, 0, (v) => v.phase === 'over', plan);
    await page.goto('/#/');
    await page.goto(`/#/table/${made.table}`);
    await take(world, page, `dive-end-${size}`);
    await page.goto(`/#/replay/${made.table}/0/9`);
    await take(world, page, `dive-replay-${size}`);
    await page.goto(`/#/verify/${made.table}`);
    await take(world, page, `verify-${size}`);
  };
both('dive companions', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'dive', { divers: 4, companions: 'ten', ages: [0, 1, 2, 3] }, [0, 1], 'steady');
  await sit(page, made);
  await page.getByRole('radio').nth(3).click();
  await take(world, page, `dive-companions-${size}`);
});
both('dive with chief and companions', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'dive', { divers: 2, companions: 'ten', chief: true, ages: [0, 1] }, [0], 'steady');
  await sit(page, made);
  await page.getByRole('radio').first().click();
  await page.locator('.btn.go:visible').last().click();
  await page.locator('.ocean img').first().waitFor();
  for (const k of ['2', '1', '5', '2']) await page.keyboard.press(k);
  await take(world, page, `dive-chief-plan-${size}`);
  await page.locator('.btn.go:visible').last().click();
  await page.locator('.dive.reveal').waitFor();
  await skip(page);
  await take(world, page, `dive-chief-reveal-${size}`);
});
both('dive for children', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'dive', { divers: 3, children: true }, [0], 'steady');
  await sit(page, made);
  await page.locator('.ocean img').first().waitFor();
  await page.locator('.lv.l2 [role=radio]').nth(1).click().catch(() => page.locator('.lv.l2 .flipb').click());
  await take(world, page, `dive-children-${size}`);
});
tests['dive in the living room'] = async (world) => {
  const page = await device(world, 'phone');
  const made = await begin(page, 'dive', { divers: 4, flashlight: true }, [0], 'steady');
  const tv = await device(world, 'tv');
  await tv.goto(`/#/screen/${made.table}`);
  await sit(page, made);
  await page.locator('.bar button, header button').last().click();
  await page.getByRole('switch').first().click();
  await page.keyboard.press('Escape');
  for (const k of ['2', '1', '5', '2']) await page.keyboard.press(k);
  await take(world, page, 'dive-private');
  await take(world, tv, 'dive-tv');
  await page.locator('.btn.go:visible').last().click();
  await tv.locator('.dive.reveal').waitFor();
  await take(world, tv, 'dive-tv-reveal');
  await take(world, page, 'dive-private-reveal');
};

/* ---- DiverCity ---- */

const dc = (name, options, people, wanted, then, choose) =>
  both(`divercity ${name}`, async (world, size) => {
    const page = await device(world, size);
    const made = await begin(page, 'divercity', { first: 0, ...options }, people, 'ranger');
    const seat = people[0];
    if (wanted !== null) await drive(page, made, seat, wanted, choose);
    await sit(page, made, seat);
    await then?.(page, made);
    await take(world, page, `divercity-${name}-${size}`);
  });
const myTurn = (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0 && v.seq > 18;
dc('turn', { divers: 3 }, [0], myTurn, async (page) => page.locator('.mine .pick').nth(1).click());
dc('six', { divers: 6 }, [0], (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0 && v.seq > 8);
dc('rig', { divers: 3 }, [0], (v) => v.phase === 'rig' && v.legal.length > 0);
dc('solo', { divers: 1 }, [0], (v) => v.phase === 'action' && v.seq > 4, async (page) => page.locator('.mine .pick').nth(1).click());
dc('industrialist', { divers: 3, industrialist: true }, [3], (v) => v.phase === 'industry' && v.legal.length > 0 && v.seq > 8, async (page) => page.locator('.corps .face').first().click());
dc('against-industrialist', { divers: 3, industrialist: true }, [0], (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0);
dc('visionary', { divers: 2, diver_cards: 'full-team' }, [0], (v) => v.phase === 'visionary' && v.looked_at !== undefined, undefined, (v) => v.legal.find((a) => a.diver === 'visionary' || a.use === 'visionary') ?? v.legal[0]);
dc('choose', { divers: 3, diver_cards: 'choose' }, [0], null);
dc('beginners', { divers: 2, beginners: true }, [0], (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0);
dc('signs', { divers: 3, realistic: true }, [0], (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0, async (page) => {
  await page.locator('.dock .act').nth(1).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio').first().click();
  await dialog.locator('.palette button').first().click();
});
dc('walkie', { divers: 3 }, [0], (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0, async (page) => {
  await page.locator('.dock .act').nth(1).click();
  await page.getByRole('dialog').getByRole('radio').first().click();
});
both('divercity told', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'divercity', { divers: 2, first: 1, diver_cards: 'none' }, [0, 1], 'ranger');
  await sit(page, made);
  await drive(page, made, 1, (v) => v.events?.length === 99 || v.active === 0, (v) => v.legal.find((a) => a.do === 'walkie') ?? v.legal[0]);
  await take(world, page, `divercity-told-${size}`);
});
both('divercity end', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'divercity', { divers: 3, first: 0 }, [0], 'ranger');
  await sit(page, made);
  const tv = await device(world, 'tv');
  await tv.goto(`/#/screen/${made.table}`);
  await take(world, tv, 'divercity-tv');
  await drive(page, made, 0, (v) => v.phase === 'over');
  await page.goto('/#/');
  await page.goto(`/#/table/${made.table}`);
  await take(world, page, `divercity-end-${size}`);
  await page.goto(`/#/replay/${made.table}/0/9`);
  await take(world, page, `divercity-replay-${size}`);
});

/* ---- Soum Soum ---- */

for (const market of [false, true])
  both(`soumsoum${market ? ' market' : ''}`, async (world, size) => {
    const name = `soumsoum${market ? '-market' : ''}`;
    const page = await device(world, size);
    const made = await begin(page, 'soumsoum', { players: 4, market, first: 0 }, [0], 'greedy');
    const any = (v) => v.legal[(v.seq * 7) % v.legal.length];
    await drive(page, made, 0, (v) => v.phase === 'place' && v.legal.length > 0 && v.seq > 20, any);
    await sit(page, made);
    await page.keyboard.press('1');
    for (const k of ['ArrowDown', 'ArrowRight']) await page.keyboard.press(k);
    await take(world, page, `${name}-${size}`);
    if (market) {
      await drive(page, made, 0, (v) => v.phase === 'take' && v.legal.length > 0, any);
      return take(world, page, `${name}-take-${size}`);
    }
    await drive(page, made, 0, (v) => v.phase === 'diver' && v.legal.length > 0, any);
    await take(world, page, `${name}-diver-${size}`);
    const tv = await device(world, 'tv');
    await tv.goto(`/#/screen/${made.table}`);
    await take(world, tv, 'soumsoum-tv');
    await drive(page, made, 0, (v) => v.phase === 'over', any);
    await page.goto('/#/');
    await page.goto(`/#/table/${made.table}`);
    await take(world, page, `${name}-end-${size}`);
    await page.goto(`/#/replay/${made.table}/0/9`);
    await take(world, page, `${name}-replay-${size}`);
  });
both('cut', async (world, size) => {
  const page = await device(world, size);
  const made = await begin(page, 'soumsoum', { players: 2, first: 0 }, [0, 1], 'greedy');
  await sit(page, made);
  await page.context().setOffline(true);
  await page.locator('[role=status], [role=alert]').first().waitFor();
  await take(world, page, `cut-${size}`);
});

await run(tests);
