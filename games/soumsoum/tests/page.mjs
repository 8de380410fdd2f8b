// soumsoum.mjs: whole games of Soum Soum through the pages: with a pointer, with keys alone, with a finger, with the open
// market; what previews promise comes true; nobody's page holds another's hand.
import {
    accessible,
    becomes,
    equal,
    fits,
    ok,
    run,
    until,
} from '../../../tests/browser/harness.mjs';
import { faults } from '../../../tests/browser/layout.mjs';
import { bigScreen, kept } from '../../../tests/browser/room.mjs';
import {
    asked,
    atStep,
    begin,
    board,
    button,
    cell,
    freePlaces,
    glance,
    listen,
    playUnseen,
    ready,
    step,
    worth,
} from './table.mjs';

const tests = {};

/** Names are looked for where they are, which costs less than a walk through the page. */
const act = (page, name) => page.locator('.acts').getByRole('button', { name, exact: true });
const among = (page, group) =>
    page.locator('.hands').getByRole('group', { name: group }).getByRole('button');
const hand = (page) => among(page, 'Your hand');
const openCards = (page) => among(page, 'Open cards');

/* ---- three ways to take a turn ---- */

/** With a mouse: the pointer previews, a click pins that, the button does it. Every second turn a diver goes to the new card. */
async function pointerTurn({ page }, n) {
    await hand(page)
        .nth(n % 3)
        .click();
    const { free, left, market } = await glance(page);
    const place = free[(n * 7) % free.length];
    await cell(page, place).hover();
    const promised = left > 0 ? await worth(page) : null;
    const changing = await page
        .locator('.worth.up', { hasText: '→' })
        .evaluateAll((all) =>
            all.map((w) => [
                Number(w.closest('[data-place]').dataset.place),
                Number(w.textContent.split('→')[1]),
            ]),
        );
    await cell(page, place).click();
    await act(page, 'Place it here').click();
    if (left > 0) {
        await atStep(page, 'diver');
        await pointerDive(page, n, { place, promised, changing });
    } // else the step that has nothing to decide answers itself
    if (market) {
        await atStep(page, 'take');
        await openCards(page).first().click();
        await act(page, 'Take this card').click();
    }
}

async function pointerDive(page, n, { place, promised, changing }) {
    for (const [at, to] of changing)
        await becomes(
            async () => Number(await cell(page, at).locator('.worth').innerText()),
            to,
            'a diver that the preview changed',
        );
    if (n % 2 === 0) {
        await act(page, 'No diver').click();
    } else {
        // every free card shows its worth; the one just laid shows what was promised
        await page.waitForFunction(
            () =>
                document.querySelectorAll('.ce.free.has').length ===
                document.querySelectorAll('.ce.free.has .worth.may').length,
            null,
            { polling: 50 },
        );
        await becomes(
            async () => Number(await cell(page, place).locator('.worth.may').innerText()),
            promised,
            'the worth that was promised',
        );
        await act(page, 'Send a diver here').click();
        await cell(page, place).locator('.tok').waitFor();
        await becomes(
            async () => Number(await cell(page, place).locator('.worth').innerText()),
            promised,
            'the worth of the diver',
        );
    }
}

/** With keys alone: 1–3 choose, arrows move, Enter places, D dives, N does not. */
async function keyTurn({ page }, n) {
    const key = (k) => page.keyboard.press(k);
    await key(String((n % 3) + 1));
    const { free, left, market } = await glance(page);
    const place = free[(n * 5) % free.length];
    await key('ArrowDown'); // into the board, wherever the focus was
    const here = () => page.evaluate(() => Number(document.activeElement?.dataset.place ?? -1));
    for (let i = 0, at = await here(); i < 12 && at !== place; i++, at = await here()) {
        ok(at >= 0, 'the focus is in the board');
        const [dr, dc] = [Math.floor(place / 5) - Math.floor(at / 5), (place % 5) - (at % 5)];
        await key(dr > 0 ? 'ArrowDown' : dr < 0 ? 'ArrowUp' : dc > 0 ? 'ArrowRight' : 'ArrowLeft');
    }
    await becomes(here, place, 'where the arrows lead');
    if (left > 0) await worth(page);
    await ready(page);
    await key('Enter');
    if (left > 0) {
        await atStep(page, 'diver');
        await becomes(here, place, 'the focus after a change');
        await key(n % 2 === 0 ? 'd' : 'n');
    }
    if (market) {
        await atStep(page, 'take');
        await key('1');
        await ready(page);
        await key('Enter');
    }
}

/** With a finger: the first tap shows, the button does it. */
async function tapTurn({ page, seat }, n) {
    await hand(page)
        .nth(n % 2)
        .tap();
    const { free, left, market } = await glance(page);
    await cell(page, free[0]).tap();
    const place = free[(n * 3) % free.length];
    await cell(page, place).tap();
    await becomes(() => page.locator('.ce.ghost').count(), 1, 'ghosts');
    equal(await asked(page), 'place', 'a tap only shows');
    if (left > 0) await worth(page);
    await act(page, 'Place it here').tap();
    if (left > 0) {
        await atStep(page, 'diver');
        if (n % 2 === 1) await act(page, 'No diver').tap();
        else {
            const cards = await freePlaces(page, true);
            await cell(page, cards[n % cards.length]).tap();
            await worth(page);
            equal(
                await page.locator('.score.me .left i.on').count(),
                left,
                `seat ${seat}: a tap sends no diver`,
            );
            await act(page, 'Send a diver here').tap();
        }
    }
    if (market) {
        await atStep(page, 'take');
        await openCards(page).first().tap();
        await act(page, 'Take this card').tap();
    }
}

/** Everybody plays in their own way until the board is full. `each` is called after each turn. */
async function playAll(players, ways, each = async () => {}, most = 20) {
    const drive = async (player, way) => {
        let n = 0;
        for (; n < most; n++) {
            // The page is asked only once it is its turn.
            const { heard, seat } = player;
            await until(
                `${player.name}: a turn`,
                () => heard.view.active === seat || heard.view.result,
            );
            const phase = await asked(player.page);
            if (phase === 'over') break;
            equal(phase, 'place', `${player.name}: a turn begins`);
            const { seq } = player.heard.view;
            await way(player, n);
            const passed = () =>
                player.heard.view.active !== player.seat ||
                (player.heard.view.phase === 'place' && player.heard.view.seq > seq + 2);
            await until(`${player.name}: the turn passes on`, passed);
            await each(player, n);
        }
        return n;
    };
    return Promise.all(players.map((p, i) => drive(p, ways[i])));
}

/** No page has ever been sent, nor shows, a card that is in another's hand. */
async function secret(players) {
    for (const one of players)
        for (const other of players) {
            if (one === other) continue;
            // first what one has, then what the other holds: everybody plays on meanwhile
            const [page, sent] = [await one.page.content(), one.heard.events];
            for (const card of other.heard.view.hand)
                ok(!sent.includes(`"${card}"`), `${one.name} was sent ${card} of ${other.name}`);
            const labels = await other.page
                .getByRole('group', { name: 'Your hand' })
                .getByRole('button')
                .evaluateAll((all) => all.map((b) => b.getAttribute('aria-label')));
            ok(labels.length >= 2, 'a hand is shown');
            for (const label of labels)
                ok(!page.includes(label), `${one.name}'s page shows “${label}” of ${other.name}`);
        }
}

async function inBounds(page, where) {
    await fits(page, where);
    const over = await page.evaluate(() => {
        const b = document.querySelector('.soum');
        return b.scrollHeight - b.clientHeight;
    });
    ok(over <= 0, `${where}: the board is ${over} px too high`);
}

/* ---- games ---- */

tests[
    'two people and a bot on laptops with bars: a mouse and a keyboard, from the first card to the result'
] = async (world) => {
    const { players, table } = await begin(world, {
        people: [{ size: 'laptop' }, { size: 'laptop' }],
        bots: 1,
    });
    const [ana, bram] = players;
    await inBounds(ana.page, 'the first turn');
    await accessible(ana.page, 'the first turn');
    await accessible(bram.page, 'waiting');
    const turns = await playAll(players, [pointerTurn, keyTurn], async (player, n) => {
        if ((n === 2 || n === 5) && player === ana) await secret(players);
        if (n === 3 && player === ana) await accessible(ana.page, 'after four turns');
    });
    equal(turns, [8, 8], 'turns with three players');
    await accessible(ana.page, 'the full board');
    const { scores, winners } = ana.heard.view.result;
    for (const { page } of players) {
        await page.getByRole('button', { name: 'See the result' }).click();
        await page.locator('.soumend').waitFor();
        await fits(page, 'the end');
        if (page === ana.page) await accessible(page, 'the end');
        await world.shot(page, 'soumsoum-end');
        const rows = await page
            .locator('.rank > ol > li')
            .evaluateAll((all) =>
                all.map((li) =>
                    [...li.querySelectorAll('.segs > li > span[aria-hidden]')].reduce(
                        (n, s) => n + Number(s.textContent),
                        0,
                    ),
                ),
            );
        equal(
            rows,
            [...scores].sort((a, b) => b - a),
            'the divers of each rank add up to its points',
        );
        ok(
            (await page.getByRole('heading', { level: 1 }).innerText()).includes(
                ['Ana', 'Bram', 'Cod'][winners[0]],
            ),
            'the verdict names the winner',
        );
    }
    await ana.page.goto(`/#/replay/${table}/0/5`);
    await ana.page.getByRole('grid').waitFor();
    equal(await ana.page.locator('.acts .btn').count(), 0, 'buttons in a replay');
};

tests['a phone against a bot: taps only show until the button is pressed'] = async (world) => {
    const { players, table } = await begin(world, { people: [{ size: 'phone' }], bots: 1 });
    const [{ page }] = players;
    await inBounds(page, 'phone');
    await accessible(page, 'phone: first turn');
    let n = 0;
    const thrice = async (player, turn) => {
        await tapTurn(player, turn);
        if (++n === 3) {
            await world.shot(page, 'soumsoum-phone');
            await accessible(page, 'phone: waiting');
        }
    };
    await playAll(players, [thrice], undefined, 3);
    await playUnseen(players, table, 22); // the whole game by touch is below
    await playAll(players, [tapTurn]);
    await page.getByRole('button', { name: 'See the result' }).tap();
    await page.locator('.soumend').waitFor();
    await fits(page, 'phone: the end');
    await accessible(page, 'phone: the end');
    await world.shot(page, 'soumsoum-phone-end');
};

tests['a whole game on a TV and two phones that typed its code'] = async (world) => {
    const heard = [];
    const names = ['Ana', 'Bram'];
    const { tv, phones, table } = await bigScreen(world, 'soumsoum', names, (page, seat) => {
        heard[seat] = listen(page);
    });
    for (const page of [tv, ...phones]) await page.getByRole('grid').waitFor();
    const players = phones.map((page, seat) => ({
        page,
        seat,
        name: names[seat],
        heard: heard[seat],
    }));
    // Both begin and end the game; in the middle Bram's page is not looked at.
    const [ana, bram] = players;
    bram.token = (await kept(bram.page))[0].seats[0].token;
    let turns = 0;
    const counted = async (player, n) => {
        await tapTurn(player, n);
        turns++;
    };
    await Promise.all([
        playAll([ana], [counted]),
        (async () => {
            await playAll([bram], [tapTurn], undefined, 2);
            await playUnseen([bram], table, 20);
            await playAll([bram], [tapTurn]);
        })(),
    ]);
    equal(turns, 12, 'turns with two players');
    await tv.getByText('The game is over').waitFor();
    equal(await faults(tv), [], 'the end on the TV');
    await world.shot(tv, 'soumsoum-tv-end');
    for (const page of phones) {
        await page.getByRole('button', { name: 'See the result' }).tap();
        await page.locator('.soumend').waitFor();
    }
};

tests['the open market, four at the table: mouse, keys, finger and a bot'] = async (world) => {
    const { players, table } = await begin(world, {
        people: [{}, {}, { size: 'tablet' }],
        bots: 1,
        options: { market: true },
    });
    for (const { page } of players) await inBounds(page, 'market');
    const ways = [pointerTurn, keyTurn, tapTurn];
    await playAll(players, ways, undefined, 1);
    for (const { page, name } of players.filter((_, i) => i !== 1))
        await accessible(page, `market, ${name}`); // his is like hers
    await playUnseen(players, table, 20);
    const screen = await world.device();
    await screen.goto(`/#/screen/${table}`);
    await screen.getByRole('grid').waitFor();
    equal(
        await screen.getByRole('group', { name: 'Your hand' }).count(),
        0,
        'hands on the table screen',
    );
    ok((await board(screen).boundingBox()).height > 600, 'the board fills the table screen');
    await accessible(screen, 'table screen');
    await world.shot(screen, 'soumsoum-screen');
    equal(await playAll(players, ways), [1, 1, 1], 'last turns');
    await screen.getByText('The game is over').waitFor();
    const record = await (await screen.request.get(`/api/tables/${table}/record`)).text();
    const placed = [0, 1, 2, 3].map(
        (seat) =>
            record
                .split('\n')
                .filter((l) => l.includes('"do":"place"') && l.includes(`"seat":${seat}`)).length,
    );
    equal(placed, [6, 6, 6, 6], 'turns with four players');
};

/* ---- steps, one by one ---- */

tests[
    'previews: ghost, zone, ticks and a sentence; another place moves them; elsewhere takes them away'
] = async (world) => {
    const { players } = await begin(world, { people: [{}], bots: 1 });
    const [{ page, heard }] = players;
    equal(await page.locator('.ce.ghost').count(), 0, 'ghosts without a card');
    await cell(page, 3).click();
    await page.getByText('First choose a card from your hand.').first().waitFor();
    equal(heard.view.seq, 0, 'nothing was done');
    await atStep(page, 'place');
    await page.keyboard.press('Escape');
    await hand(page).first().click();
    await cell(page, 3).hover();
    await page.locator('.pv .words').getByText('A diver on this card would count').waitFor();
    await becomes(() => page.locator('.ce.ghost').getAttribute('data-place'), '3', 'the ghost');
    const card = heard.view.hand[0];
    const sizes = { row: 5, column: 5, around: 6, diagonals: 5 };
    await becomes(
        () => page.locator('.ce.zone').count(),
        sizes[card.split('@')[1]],
        `the zone of ${card}`,
    );
    const [shows, counts] = card.split('@')[0].split(':');
    await becomes(
        () => page.locator('.ce.hit').count(),
        shows === counts ? 1 : 0,
        `ticks of ${card}`,
    );
    await becomes(() => worth(page), shows === counts ? 1 : 0, `the worth of ${card} alone`);
    await accessible(page, 'a preview');
    await cell(page, 20).hover();
    await ghostAt(page, 20);
    await page.locator('.pv').hover();
    await becomes(() => page.locator('.ce.ghost').count(), 0, 'ghosts without a pointer');
    await cell(page, 12).click();
    await page.getByText('The submarine stays here').first().waitFor();
    equal(heard.view.seq, 0, 'nothing was done');
};

tests['what the others did since my turn is ringed and said until I choose a card'] = async (
    world,
) => {
    const { players } = await begin(world, { people: [{}, { size: 'phone' }] });
    const [ana, bram] = players;
    await hand(ana.page).first().click();
    await cell(ana.page, 7).click();
    await button(ana.page, 'Place it here').click();
    await atStep(ana.page, 'diver');
    await cell(ana.page, 7).click();
    await button(ana.page, 'Send a diver here').click();
    const said = bram.page.locator('.pv .words');
    await said
        .getByText('Ana placed a card at row 2, column 3 and sent a diver to row 2')
        .waitFor();
    const ringed = () =>
        bram.page.locator('.ce.recent').evaluateAll((all) => all.map((c) => c.dataset.place));
    equal(await ringed(), ['7'], 'ringed');
    await bram.page.reload();
    await said.getByText('Ana placed a card at row 2, column 3').waitFor();
    equal(await ringed(), ['7'], 'ringed after a reload');
    await hand(bram.page).first().click();
    await becomes(ringed, [], 'ringed with a card in hand');
};

const ghostAt = (page, place) =>
    becomes(
        () => page.locator('.ce.ghost').evaluateAll((all) => all.map((c) => c.dataset.place)),
        [String(place)],
        'the ghost',
    );

tests[
    'B3 a click pins the ghost, only the button places, a double click means once, and a card can be taken back'
] = async (world) => {
    const { players } = await begin(world, { people: [{}, {}] });
    const [{ page, heard }] = players;
    const cards = hand(page);
    await atStep(page, 'place');
    await cards.nth(1).click();
    const card = await cards.nth(1).getAttribute('aria-label');
    await cell(page, 7).dblclick();
    await ghostAt(page, 7);
    for (const passed of [8, 13, 18]) await cell(page, passed).hover(); // on the way to the button
    await ghostAt(page, 7);
    equal(
        [heard.view.seq, await asked(page)],
        [0, 'place'],
        'a double click on a space does nothing',
    );
    await cell(page, 16).click();
    await ghostAt(page, 16);
    await button(page, 'Another space').click();
    await cell(page, 8).hover();
    await ghostAt(page, 8);
    await cell(page, 8).click();

    await button(page, 'Place it here').dblclick();
    await atStep(page, 'diver');
    await cell(page, 8).locator('.oc').waitFor();
    equal(
        await cell(page, 8)
            .getAttribute('class')
            .then((c) => /held/.test(c)),
        true,
        'it waits here',
    );
    equal([heard.view.seq, heard.view.board[1][3]], [0, null], 'nobody was told');
    equal(await page.locator('.tok').count(), 0, 'no diver was sent');
    await button(page, 'Take the card back').click();
    await atStep(page, 'place');
    equal(await cell(page, 8).locator('.oc').count(), 1, 'it is a ghost again');
    await becomes(
        () => page.locator('.hcard.sel').getAttribute('aria-label'),
        card,
        'the card in hand',
    );
    await page.keyboard.press('Escape');
    await becomes(() => page.locator('.ce.ghost').count(), 0, 'ghosts');

    await cell(page, 3).click();
    await button(page, 'Place it here').click();
    await atStep(page, 'diver');
    await cell(page, 3).dblclick();
    equal(await page.locator('.tok').count(), 0, 'a click sends no diver');
    await button(page, 'Send a diver here').click();
    await page.getByText('Bram’s turn').waitFor();
    equal(
        [heard.view.tokens.map((k) => k.at), heard.view.board[0][3] !== null],
        [[[0, 3]], true],
        'card and diver',
    );
    equal(await button(page, 'Take the card back').count(), 0, 'what was sent stands');
};

tests['B22 an arrow key speaks once: the place, and what the panel adds to it'] = async (world) => {
    const { players } = await begin(world, { people: [{}], bots: 1 });
    const [{ page }] = players;
    await atStep(page, 'place');
    await page.keyboard.press('1');
    await page.keyboard.press('ArrowDown');
    await worth(page);
    await page.evaluate(() => {
        window.spoken = [];
        const hear = (changes) => {
            for (const { target } of changes) {
                const region = (target.parentElement ?? target).closest('[aria-live]');
                if (region && region.textContent.trim() !== '')
                    window.spoken.push(region.textContent.trim());
            }
        };
        new MutationObserver(hear).observe(document.body, {
            subtree: true,
            childList: true,
            characterData: true,
        });
    });
    await page.keyboard.press('ArrowRight');
    await until('the preview is spoken', () => page.evaluate(() => window.spoken.length > 0));
    const [first] = await page.evaluate(() => window.spoken);
    ok(/^A diver on this card would count .*No other diver changes\.$/.test(first), first);
    const focused = await page.evaluate(() =>
        document.activeElement.querySelector('.sr').textContent.trim(),
    );
    ok(
        /^row \d, column \d, empty$/.test(focused),
        `the place says where it is, and no more: ${focused}`,
    );
    await page.keyboard.press('ArrowRight');
    await until('the next one', () => page.evaluate(() => window.spoken.length > 1));
    await worth(page);
    equal(await page.evaluate(() => window.spoken.length), 2, 'sentences for two arrows');
};

tests['what cannot be done says why; a diver is kept with a button of the same size'] = async (
    world,
) => {
    const { players } = await begin(world, { people: [{}, {}] });
    const [{ page, heard }] = players;
    await atStep(page, 'place');
    await page.keyboard.press('2');
    await cell(page, 7).click();
    await button(page, 'Place it here').click();
    await atStep(page, 'diver');
    await becomes(() => step(page), '2\nSend a diver(optional)', 'the step');
    const [no, yes] = [
        await button(page, 'No diver').boundingBox(),
        await button(page, 'Send a diver here').boundingBox(),
    ];
    equal(
        [Math.round(no.width), Math.round(no.height)],
        [Math.round(yes.width), Math.round(yes.height)],
        'the buttons',
    );
    await accessible(page, 'the diver step');
    await cell(page, 0).click();
    await page.getByText('Divers can only go on cards.').first().waitFor();
    equal(heard.view.tokens, [], 'nothing was done');
    await page.keyboard.press('n');
    await page.getByText('Bram’s turn').waitFor();
    await becomes(() => heard.view.tokens, [], 'no diver');
};

tests['a reload in the middle of a turn: previews come back, and the turn goes on'] = async (
    world,
) => {
    const { players } = await begin(world, { people: [{}], bots: 1 });
    const [{ page, heard }] = players;
    await page.keyboard.press('1');
    await cell(page, 6).hover();
    await worth(page);
    await page.reload();
    await board(page).waitFor();
    await page.keyboard.press('1');
    await cell(page, 6).hover();
    await worth(page);
    await cell(page, 6).click();
    await button(page, 'Place it here').click();
    await atStep(page, 'diver');
    await button(page, 'No diver').click();
    await becomes(() => heard.view.board[1][1] !== null, true, 'the move');
};

tests[
    'a phone on its side, with motion: the count at the end goes diver by diver and can be skipped'
] = async (world) => {
    const { players, table } = await begin(world, {
        people: [{ calm: false, size: 'landscape' }],
        bots: 1,
    });
    const [player] = players;
    await inBounds(player.page, 'landscape');
    await playAll(players, [tapTurn], undefined, 2);
    await playUnseen(players, table, 22); // the whole game by touch is above
    await playAll(players, [tapTurn]);
    equal(await asked(player.page), 'over', 'the game');
    await player.page.getByRole('button', { name: 'See the result' }).click();
    const skip = button(player.page, 'Show all now');
    await skip.waitFor();
    await player.page.locator('.soumend .ce.zone').first().waitFor();
    await world.shot(player.page, 'soumsoum-count');
    await skip.click();
    await player.page.locator('.soumend .first').waitFor();
    equal((await kept(player.page))[0].table, table, 'the table');
};

for (const [language, words] of Object.entries({
    fr: ['Poser une carte', 'La poser ici'],
    nl: ['Leg een kaart', 'Hier leggen'],
}))
    for (const size of ['desktop', 'phone'])
        tests[`a preview in ${language} on a ${size}`] = async (world) => {
            const { players } = await begin(world, { people: [{ language, size }], bots: 3 });
            const [{ page }] = players;
            await page.keyboard.press('1');
            await (size === 'phone' ? cell(page, 8).tap() : cell(page, 8).hover());
            await worth(page);
            ok((await page.locator('.steps').textContent()).includes(words[0]), words[0]);
            await button(page, words[1]).waitFor();
            await inBounds(page, `${language} ${size}`);
            // A desktop's preview is examined above: its structure has no language.
            if (language === 'nl' && size === 'phone')
                await accessible(page, `${language} ${size}`);
            await world.shot(page, `soumsoum-${size}-${language}`);
            ok(
                !/soumsoum\.\w/.test(await page.locator('body').innerText()),
                'every key has a text',
            );
        };

await run(tests);
