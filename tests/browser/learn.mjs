// learn.mjs: rules, lessons and practising in the browser: three languages, two sizes, keyboard, axe.
import { accessible, becomes, equal, examined, fits, ok, run, until } from './harness.mjs';

const languages = ['en', 'fr', 'nl'];
const games = ['dive', 'divercity', 'soumsoum'];

/* ---- the lessons, each task done as a learner does it ---- */

const press = async (page, ...keys) => {
  for (const k of keys) await page.keyboard.press(k);
};
/** Puts the focus on something and presses Enter: no pointer. */
const enter = async (target) => {
  await target.focus();
  await target.press('Enter');
};
const tap = (target) => target.click();
const cell = (page, row, column) => page.locator('.grid5 .ce').nth(row * 5 + column);

/** For each task: how it is done, `go` being a tap or Enter. */
const tasks = {
  dive: {
    async look(page) {
      await page.locator('.dive .ocean [role=application]').focus();
      await press(page, 'ArrowRight', 'ArrowRight');
    },
    which: (page, go) => go(page.locator('.strip [data-answer=turtle]')),
    first: (page, go) => go(page.locator('[data-part=tray] button:not([disabled])').nth(4)),
    async shark(page, go) {
      await go(page.locator('[data-part=tray] button').nth(0));
      await page.locator('[data-level="2"]').waitFor();
      const face = page.locator('[data-level="2"] [role=radio]');
      await go((await face.nth(1).isVisible()) ? face.nth(1) : page.locator('[data-level="2"] .flipb'));
    },
    async speed(page, go) {
      await go(page.locator('[data-part=tray] button').nth(2));
      await go(page.locator('[data-level="3"] button.no'));
      await go(page.locator('[data-part=tray] button').nth(3));
    },
    deeper: (page, go) => go(page.locator('[data-part=tray] button').nth(1)),
    ready: (page, go) => go(page.locator('[data-part=ready]')),
  },
  divercity: {
    async walkie(page, go) {
      await go(page.locator('.dock .act').nth(1));
      const dialog = page.locator('dialog[open]');
      await dialog.waitFor();
      const seat = dialog.locator('[role=radio]');
      if ((await seat.count()) > 0 && (await seat.first().getAttribute('aria-checked')) !== 'true') await go(seat.first());
      await go(dialog.locator('.btn.go'));
    },
    async rig(page, go) {
      await go(page.locator('.dock .slot .pick').nth(3));
      await go(page.locator('.dock .act'));
    },
    async close(page, go) {
      await go(page.locator('.dock .slot .pick').nth(2));
      await go(page.locator('.dock .act').nth(2));
      await go(page.locator('dialog[open] [role=radiogroup]').nth(1).locator('[role=radio]').first());
      await go(page.locator('dialog[open] .btn.go'));
    },
    async play(page, go) {
      await go(page.locator('.dock .slot .pick').nth(0));
      await go(page.locator('.dock .act').nth(0));
    },
  },
  soumsoum: {
    async place(page, go) {
      await settled(page);
      await go(page.locator('.hands .hcard').nth(0));
      await go(cell(page, 1, 3));
      await maybe(page, go, 'place');
    },
    async diver(page, go) {
      await settled(page);
      await go(cell(page, 1, 3));
      await maybe(page, go, 'diver');
    },
    async again(page, go) {
      await settled(page);
      await go(page.locator('.hands .hcard').nth(2));
      await go(cell(page, 0, 4));
      await maybe(page, go, 'again');
    },
    async keep(page, go) {
      await settled(page);
      await go(page.locator('.acts .btn:not(.go)'));
    },
  },
};

/** A new step of Soum Soum listens after a moment: whoever clicks twice means once. */
const settled = (page) => page.waitForFunction(() => document.querySelector('.acts .btn') && !document.querySelector('.acts .btn[aria-disabled=true]:not(.off)'), null, { polling: 50 });

/** Enter on a place places at once; a tap shows a preview first. */
async function maybe(page, go, task) {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  // Enter that comes too early for a new step only shows the preview, too; the button says when it listens.
  const ready = async () => (await page.locator('.acts .btn.go:not([aria-disabled=true])').count()) > 0;
  await until('the button, or the next step', async () => (await stepOf(page)) !== task || (await ready()));
  if ((await stepOf(page)) === task) await go(page.locator('.acts .btn.go'));
}

const stepOf = (page) => page.locator('.strip').getAttribute('data-step');

async function lesson(world, game, language, size, go) {
  const page = await world.device({ language, size });
  const where = `${game} ${language} ${size}`;
  await page.goto(`/#/learn/${game}`);
  await page.locator('.strip').waitFor();
  const all = await page.locator('.dots li').count();
  for (let i = 0; i < all; i++) {
    await page.locator(`.dots li.on:nth-child(${i + 1})`).waitFor({ state: 'attached' });
    const id = await stepOf(page);
    const text = await page.locator('.strip .text').textContent();
    ok(text.length > 40 && !text.includes('tutorial.'), `${where} ${id}: no text`);
    await page.locator('.strip[data-point]').count().then((points) => points > 0 && page.locator('.ring').waitFor()); // what is spoken of is there
    if (i === 0 || i === all - 1) {
      await fits(page, `${where} ${id}`);
      if (examined[size] === language) await accessible(page, `${where} ${id}`);
    }
    await world.shot(page, `learn-${game}-${language}-${size}-${String(i).padStart(2, '0')}-${id}`);
    if (i === all - 1) break;
    const dialog = page.locator('dialog[open] .btn');
    if ((await dialog.count()) > 0) await go(dialog.last());
    if (tasks[game][id]) await tasks[game][id](page, go);
    else await go(page.locator('.strip .btn.go'));
  }
  await page.locator(`.strip a[href="#/new/${game}"]`).waitFor(); // the way on to a game
}

const tests = {};
for (const game of games) {
  tests[`the lesson of ${game} by keyboard alone, desktop, en`] = (world) => lesson(world, game, 'en', 'desktop', enter);
  for (const language of ['fr', 'nl']) tests[`the lesson of ${game} by touch, phone, ${language}`] = (world) => lesson(world, game, language, 'phone', tap);
}

tests['a lesson goes back, shows how, and hints at what is asked'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/learn/soumsoum');
  await page.locator('.strip').waitFor();
  await press(page, 'PageDown', 'PageDown');
  await becomes(() => stepOf(page), 'place', 'the step');
  await tap(page.locator('.hands .hcard').nth(1));
  await tap(cell(page, 4, 4));
  await maybe(page, tap, 'place');
  await page.locator('.strip .hint').waitFor();
  equal(await stepOf(page), 'place', 'another move is not taken:');
  await press(page, 'PageDown');
  await becomes(() => stepOf(page), 'diver', 'done for me:');
  await becomes(async () => (await page.locator('.grid5 .ce').nth(8).textContent()) !== '', true, 'the card lies there');
  await press(page, 'PageUp');
  await becomes(() => stepOf(page), 'place', 'back again:');
};

tests['A4 ready does not jump, my plan stays, and a repeated lesson shows the dive again'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/learn/dive');
  await page.locator('.strip').waitFor();
  while ((await stepOf(page)) !== 'first') await press(page, 'PageDown');
  await tap(page.locator('[data-part=tray] button').nth(2));
  await page.locator('[data-level="1"] .air').waitFor();
  await tap(page.locator('.room [data-part=ready]'));
  await page.locator('.strip .hint').waitFor();
  equal(await stepOf(page), 'first', 'ready is not what is asked for:');
  equal(await page.locator('[data-level="1"] .air').count(), 1, 'what I laid:');
  for (const round of ['first', 'second']) {
    while ((await stepOf(page)) !== 'dive') await press(page, 'PageDown');
    await page.locator('.room .stage').waitFor();
    ok(!/turtle|lost everything/.test(await page.locator('.strip .text').innerText()), `${round}: the lesson tells the outcome before the stage`);
    await tap(page.getByRole('button', { name: 'Start over' }));
    await becomes(() => stepOf(page), 'welcome', `started over, the ${round} time`);
  }
};

tests['A17 all that the lesson of dive asks for is there on a small phone'] = (world) => lesson(world, 'dive', 'en', 'small phone', tap);

tests['A21 the lesson of dive makes one tilt, asks what lies deeper, and shows sharks and decoys'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/learn/dive');
  await page.locator('.strip .btn.go').click();
  await becomes(() => stepOf(page), 'look', 'the step');
  equal(await page.locator('.strip .btn.go').count(), 0, 'it waits for a tilt:');
  await tasks.dive.look(page);
  await becomes(() => stepOf(page), 'which', 'tilted:');
  await tap(page.locator('.strip [data-answer=shark]'));
  await page.locator('.strip .hint').waitFor();
  equal(await stepOf(page), 'which', 'that was wrong:');
  await tap(page.locator('.strip [data-answer=turtle]'));
  await becomes(() => stepOf(page), 'fade', 'that was right:');
  await tap(page.locator('.strip .btn.go'));
  await becomes(() => page.locator('.strip .art img').count(), 3, 'sharks');
  await tap(page.locator('.strip .btn.go'));
  await until('more decoys than sharks', async () => (await page.locator('.strip .art img').count()) > 3);
};

tests['a lesson that was left goes on where it was, and begins anew when asked'] = async (world) => {
  const page = await world.device();
  for (const game of games) {
    await page.goto(`/#/learn/${game}`);
    await page.locator('.strip').waitFor();
    const first = await stepOf(page);
    await press(page, 'PageDown', 'PageDown');
    await becomes(async () => (await page.locator('.dots .past').count()) === 2, true, 'two steps on');
    const left = await stepOf(page);
    await page.getByRole('link', { name: 'Leave the lesson' }).click();
    await page.locator('.strip').waitFor({ state: 'detached' });
    await page.goto(`/#/learn/${game}`);
    await page.locator('.strip').waitFor();
    await becomes(() => stepOf(page), left, `${game}: resumed`);
    await tap(page.getByRole('button', { name: 'Start over' }));
    await becomes(() => stepOf(page), first, `${game}: begun anew`);
  }
};

tests['B21 the ring of a lesson hides nothing beside it, and no toast covers what is asked'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/learn/soumsoum');
  await page.locator('.strip').waitFor();
  for (let i = 0; i < 3; i++) {
    if ((await page.locator('.strip[data-point]').count()) > 0) {
      await page.locator('.ring').waitFor();
      await until('a ring close to its part', () =>
        page.evaluate(() => {
          const ring = document.querySelector('.ring')?.getBoundingClientRect();
          const point = document.querySelector('.strip')?.getAttribute('data-point');
          const part = [...document.querySelectorAll(`[data-part="${point}"]`)].find((e) => e.getBoundingClientRect().width > 8)?.getBoundingClientRect();
          return ring !== undefined && part !== undefined && part.left - ring.left <= 6 && part.top - ring.top <= 6 && ring.right - part.right <= 6;
        }),
      );
    }
    if ((await stepOf(page)) === 'place') break;
    await press(page, 'PageDown');
  }
  await becomes(() => stepOf(page), 'place', 'the step');
  await tap(page.locator('.hands .hcard').nth(1));
  await tap(cell(page, 4, 4));
  await maybe(page, tap, 'place');
  await page.locator('.strip .hint').waitFor();
  await becomes(() => page.locator('.toast.bad').count(), 0, 'toasts over the lesson');
};

/* ---- the rules ---- */

for (const language of languages)
  tests[`the rules in ${language}`] = async (world) => {
    for (const size of ['desktop', 'phone']) {
      const page = await world.device({ language, size });
      for (const game of games) {
        await page.goto(`/#/rules/${game}`);
        await page.locator('.rules .text section').first().waitFor();
        await fits(page, `rules ${game} ${language} ${size}`);
        // Each game in one language, each language once: what axe looks at is the same in all.
        if (size === 'desktop' ? games.indexOf(game) === languages.indexOf(language) : game === 'dive' && language === examined.phone)
          await accessible(page, `rules ${game} ${language} ${size}`);
        await world.shot(page, `rules-${game}-${language}-${size}`);
      }
    }
  };

tests['the rules are searched, linked and opened at a section'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/rules/dive');
  const search = page.locator('.rules input[type=search]');
  await search.fill('axolotl');
  await page.locator('mark').first().waitFor();
  const sections = await page.locator('.rules .text section').count();
  ok(sections > 1 && sections < 10, `${sections} sections with an axolotl`);
  await search.fill('zzz');
  await becomes(() => page.locator('.rules .text section').count(), 0, 'sections with zzz');
  await search.fill('');
  await enter(page.locator('.rules .text a[data-section=chief]').first());
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-at') === 'chief');
  await becomes(() => new URL(page.url()).hash, '#/rules/dive/chief');
  await page.goto('/#/rules/divercity/rig');
  await page.waitForFunction(() => document.activeElement?.getAttribute('data-at') === 'rig');
  await page.emulateMedia({ media: 'print' });
  await search.waitFor({ state: 'hidden' }); // it is not printed
};

/* ---- practising ---- */

for (const [language, size] of [['en', 'desktop'], ['fr', 'phone'], ['nl', 'tablet']])
  tests[`practise looking, ${language}, ${size}`] = async (world) => {
    const page = await world.device({ language, size });
    const asked = [];
    page.on('request', (r) => asked.push(r.url()));
    await page.goto('/#/practise');
    const image = page.locator('.window .picture');
    await image.waitFor();
    await press(page, 'ArrowRight', 'ArrowRight'); // from anywhere: nothing has the focus
    await until('a picture two steps to the right', () => asked.some((url) => /9\.333,0\.jpg$/.test(url)));
    await press(page, 'l');
    await until('a picture with a lamp above', () => asked.some((url) => /9\.333,0\/above:[\d.,]+\.jpg$/.test(url)));
    await page.locator('.puck').waitFor();
    await press(page, 'l', 'l', 'l');
    await page.locator('.puck').waitFor({ state: 'detached' });
    await fits(page, 'practise');
    await accessible(page, 'practise');
    await world.shot(page, `practise-${language}-look`);
    for (let level = 0; level < 4; level++) await enter(page.locator('.faces').nth(level).locator('[role=radio]').nth(level % 2));
    await enter(page.locator('.helpers').nth(1).locator('[role=radio]').nth(1));
    await enter(page.locator('.guess .btn.go'));
    await page.locator('.truth').first().waitFor();
    await becomes(() => page.locator('.truth').count(), 5, 'truths');
    await page.locator('img.sheet').waitFor();
    await page.waitForFunction(() => document.querySelector('img.sheet')?.naturalWidth > 0);
    await accessible(page, 'practise, the truth');
    await world.shot(page, `practise-${language}-truth`);
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('fathom.practise')));
    equal(kept.length, 1);
    equal(kept[0].guess[4], null, 'the fifth level was left open:');
    equal(kept[0].guess[1], 'shark+green');
    const [file] = await Promise.all([page.waitForEvent('download'), enter(page.locator('.score .btn').first())]);
    equal(file.suggestedFilename(), 'fathom-practice.json');
    await enter(page.locator('.score .btn').nth(1));
    await enter(page.locator('dialog[open] .btn.go'));
    await becomes(() => page.evaluate(() => localStorage.getItem('fathom.practise')), '[]');
    await enter(page.locator('.guess .btn.go'));
    await page.locator('.window .picture').waitFor();
    await becomes(() => page.locator('[role=radio][aria-checked=true]').count(), 2, 'a new stack is open; clock and language are chosen:');
  };

tests['practise against the clock'] = async (world) => {
  const page = await world.device({ fresh: true });
  await page.clock.install();
  await page.goto('/#/practise');
  await page.locator('.window .picture').waitFor();
  await page.locator('.clk [role=radio]').nth(1).click();
  await page.locator('.clock').waitFor();
  await page.clock.fastForward(25000);
  equal(await page.locator('.truth').count(), 0, 'told before its time:');
  await page.clock.fastForward(6000);
  await page.locator('.truth').first().waitFor();
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('fathom.practise')));
  equal(kept[0].clock, 30);
  equal(kept[0].guess, [null, null, null, null, null]);
};

tests['A19 practise is heard in words, also if they arrive after the stack'] = async (world) => {
  const page = await world.device({ open: false, fresh: true });
  const words = [];
  await page.route(/\/assets\/[^/]*\.js$/, async (route) => {
    const answer = await route.fetch();
    if (/A new stack\./.test(await answer.text())) await new Promise((done) => words.push(done));
    await route.fulfill({ response: answer });
  });
  const dealt = page.waitForResponse((r) => r.url().endsWith('/api/practice'));
  await page.goto('/#/practise');
  await until('the words to be asked for', () => words.length > 0);
  await dealt;
  words.forEach((arrive) => arrive());
  await until('a sentence', async () => (await page.locator('[role=log]').textContent()).includes('A new stack.'));
};

tests['a key of a message that is shown or said fails a test'] = async (world) => {
  const page = await world.device({ fresh: true });
  const shown = [];
  page.removeAllListeners('console');
  page.on('console', (m) => shown.push(m.text().split(': ')[1]));
  await page.locator('[role=log]').first().waitFor({ state: 'attached' });
  await page.evaluate(() => {
    document.querySelector('[role=log]').append('dive.practise.dealt');
    document.body.append(document.createElement('p'));
    document.body.lastChild.textContent = 'Dive. Home. The address is example.org.';
    document.body.lastChild.setAttribute('aria-label', 'Now: common.missing-key');
  });
  await becomes(() => shown, ['dive.practise.dealt', 'common.missing-key']);
};

tests['practise is looked at as the planning board is'] = async (world) => {
  const page = await world.device();
  await page.goto('/#/practise');
  await page.locator('.window .picture').waitFor();
  const side = () => page.locator('.window .stack').evaluate((e) => e.clientWidth);
  const before = await side();
  const box = await page.locator('.window').boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + box.height / 3);
  await page.mouse.wheel(0, -600);
  await until('the wheel enlarges', async () => (await side()) > before * 1.5);
  await page.locator('.window .map').waitFor();
  await page.locator('[aria-keyshortcuts="0"]').click();
  await becomes(side, before, 'straight is whole:');
  await press(page, 'f');
  await until('full size is larger', async () => (await side()) > before * 1.2);
  await page.locator('.faces').first().waitFor(); // the answers stay
  await press(page, 'Escape');
  await becomes(side, before, 'as it was:');
  const wiggle = page.locator('[aria-keyshortcuts="W"]');
  await wiggle.click();
  await page.locator('[aria-keyshortcuts="W"][aria-pressed=true]').waitFor();
  await page.locator('[aria-keyshortcuts="W"][aria-pressed=false]').waitFor();
  // A radio group keeps its arrows.
  const tilt = () => page.locator('.look .level').getAttribute('aria-label');
  const straight = await tilt();
  await page.locator('.faces').first().locator('[role=radio]').first().focus();
  await press(page, 'ArrowRight');
  equal(await tilt(), straight, 'arrows in a group choose:');
};

tests['A20 picture and answers of practise are seen together on a phone'] = async (world) => {
  const page = await world.device({ language: 'fr', size: 'phone' });
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto('/#/practise');
  await page.locator('.window .picture').waitFor();
  const together = async (what) => {
    const { picture, rows, go } = await page.evaluate(() => {
      const box = (e) => (({ top, bottom, width, height }) => ({ top, bottom, width, height }))(e.getBoundingClientRect());
      return { picture: box(document.querySelector('.see .frame')), rows: [...document.querySelectorAll('.guess .row')].map(box), go: box(document.querySelector('.guess .btn.go')) };
    });
    ok(picture.top >= 0 && picture.height >= 190 && picture.width >= 190, `${what}: the picture is ${picture.width} × ${picture.height} at ${picture.top}`);
    ok(rows.length === 5 && rows.every((r) => r.top >= picture.bottom && r.bottom <= 640), `${what}: a row is below the window or the picture`);
    ok(go.bottom <= 640, `${what}: the button ends at ${go.bottom}`);
  };
  await together('guessing');
  await page.locator('.guess .btn.go').click();
  await page.locator('img.sheet').waitFor();
  await together('the truth');
};

await run(tests);
