// divercity.mjs: whole games of DiverCity through the real pages, with people, bots, an industrialist, alone, with signs,
// on phones, with the keyboard alone; and that nobody's page ever holds what its player may not know.
import * as check from '../../../tests/browser/harness.mjs';
import {
    accessible,
    becomes,
    equal,
    fits,
    ok,
    PACE,
    PATIENCE,
    run,
    until,
} from '../../../tests/browser/harness.mjs';
import { faults } from '../../../tests/browser/layout.mjs';
import { afterwards, bigScreen, kept } from '../../../tests/browser/room.mjs';
import * as tables from './table.mjs';
import {
    answers,
    finishUnseen,
    heard,
    isAnswer,
    listen,
    LONGEST,
    NAMES,
    over,
    playUntil,
    view,
} from './table.mjs';

const tests = {};
const SPECIES = [
    'nudibranch',
    'crab',
    'hammerhead',
    'porcupinefish',
    'mandarin',
    'manta',
    'lobster',
    'eel',
    'octopus',
    'turtle',
    'oyster',
    'starfish',
];

/* ---- tables and players ---- */

/** A started table whose devices show quickly what happened. */
const begin = (world, options, people, devices = {}) => {
    const quick = people.map((seat) => [seat, { pace: PACE, ...(devices[seat] ?? devices.all) }]);
    return tables.begin(world, options, people, Object.fromEntries(quick));
};

/** Until a page is told something more; what it shows may change without, so not for long. */
async function news(pages) {
    const told = () => pages.reduce((sum, page) => sum + page.frames.length, 0);
    const [before, end] = [told(), Date.now() + 250];
    while (told() === before && Date.now() < end) await new Promise((r) => setTimeout(r, 10));
}

/**
 * Plays all pages until the game is over; `turn(page, n)` does one thing and says what, or null. Once there was `enough`
 * of what was done, the rest is played over streams, and the pages show the result: all of them, or those that `leave`.
 */
async function playOut(pages, turn, table = null, enough = [], leave = pages) {
    const end = Date.now() + LONGEST;
    const did = [];
    let playing = pages;
    let left;
    while (!(await over(pages[0]))) {
        ok(Date.now() < end, `the game does not end; last: ${did.slice(-6).join(', ')}`);
        let idle = true;
        for (const page of playing) {
            const what = await turn(page, did.length);
            if (what !== null) {
                did.push(what);
                idle = false;
            }
        }
        const settled = !/setup|visionary/.test(view(pages[0])?.phase ?? 'setup');
        if (table && !left && settled && enough.every((what) => did.includes(what))) {
            playing = pages.filter((page) => !leave.includes(page));
            left = finishUnseen(leave, table);
            left.catch(() => undefined); // it is told below
            if (playing.length === 0) break;
        } else if (idle) await news(pages);
    }
    await left;
    return did;
}

/* ---- one thing a person does, by pointer ---- */

/** Where a page's buttons are: a name is looked for there alone, which costs less than a walk through the page. */
const dock = (page) => page.locator('.dock');
const sheet = (page) => page.locator('dialog[open]');

/** Clicks as soon as it can be done, and says so; false: `holds` no longer does, so others were quicker and there is another thing to do. */
async function clickWhile(button, holds) {
    for (const end = Date.now() + PATIENCE; ;)
        try {
            await button.click({ timeout: 2000 });
            return true;
        } catch (e) {
            if (!holds()) return false;
            if (Date.now() > end) throw e;
        }
}

/** Until something that was sent is answered; false: the view changed, and no answer followed at once. */
async function heardOrChanged(page, before, v) {
    await until('an answer or a change', () => answers(page) > before || view(page) !== v);
    for (let i = 0; i < 20 && answers(page) === before; i++) await page.waitForTimeout(50);
    return answers(page) > before;
}

async function act(page, n, seen = {}) {
    const refused = page.locator('.toast.bad').getByRole('button', { name: 'Close' });
    if (view(page)?.phase === 'setup' && (await refused.isVisible())) await refused.click();
    const close = sheet(page).getByRole('button', { name: /Keep as my notes|Got it/ });
    if (await close.isVisible()) {
        await seen.told?.(page);
        await close.click();
        return 'told';
    }
    const v = view(page);
    const legal = (verb) => (v?.legal ?? []).filter((a) => a.do === verb);
    const go = async (what, button) => {
        const before = answers(page);
        // All choose their diver cards at once.
        if (v.phase !== 'setup') await button.click();
        else if (!(await clickWhile(button, () => view(page) === v))) return null;
        // If somebody chose in the middle of the press, the button was gone and nothing was sent: the next look tells.
        else if (!(await heardOrChanged(page, before, v))) return null;
        await heard(page, before);
        // Somebody was quicker: the page says so until it is told that this was read.
        if (page.frames.findLast(isAnswer).refused !== undefined)
            await page.locator('.toast.bad').getByRole('button', { name: 'Close' }).click();
        return what;
    };
    if (!v || v.phase === 'over') return null;
    if (legal('take').length > 0)
        return go(
            'take',
            page
                .locator('.setup')
                .getByRole('button', { name: /^Take / })
                .first(),
        );
    if (legal('pass').length > 0)
        return go('pass', page.locator('.setup').getByRole('button', { name: 'I’m done' }));
    if (legal('rig').length > 0) {
        await seen.rig?.(page);
        await dock(page)
            .getByRole('button', { name: /^Your card 1/ })
            .click();
        return go('rig', dock(page).getByRole('button', { name: /Give up card 1/ }));
    }
    if (v.phase === 'captain' && legal('play').length > 0) {
        await dock(page)
            .getByRole('button', { name: /^Your card 1/ })
            .click();
        return go('captain', dock(page).getByRole('button', { name: /^Play card 1/ }));
    }
    if (legal('industry').length > 0) {
        await page
            .locator('.corps .face')
            .nth(n % 2)
            .click();
        await seen.industry?.(page);
        return go('industry', dock(page).getByRole('button', { name: 'Play this card' }));
    }
    if (v.phase === 'visionary' && v.looked_at) return visionary(page, v, go);
    if (legal('diver').length > 0) return use(page, v, go);
    if (legal('end').length > 0)
        return go('end', dock(page).getByRole('button', { name: /^End the turn/ }));
    // Once for each person is enough: a closed hotel makes the game longer.
    if (legal('close').length > 0 && v.hotels.length >= 4 && !page.closed) {
        page.closed = true;
        return closeHotel(page, v, go);
    }
    // Once for each person, as soon as it may be done.
    if (legal('walkie').length > 0 && (!page.talked || legal('play').length === 0)) {
        page.talked = true;
        return talk(page, v, go, seen);
    }
    if (legal('play').length > 0) {
        const card = n % v.hands[v.active].length;
        await seen.turn?.(page);
        await page.locator('.mine .pick').nth(card).click();
        return go(
            'play',
            dock(page).getByRole('button', { name: new RegExp(`^Play card ${card + 1}`) }),
        );
    }
    return null;
}

async function talk(page, v, go, seen) {
    await dock(page)
        .getByRole('button', { name: /^Walkie-talkie/ })
        .click();
    await whom(page, v);
    await seen.walkie?.(page);
    return go('walkie', sheet(page).getByRole('button', { name: /^(Tell|Sign to|Turn them)/ }));
}

/** Chooses the first listener, and in the realistic variant signs for each card. */
async function whom(page, v) {
    const dialog = sheet(page);
    await dialog.getByRole('radiogroup', { name: 'Who' }).getByRole('radio').first().click();
    if (v.signs === undefined) return;
    const cards = dialog.getByRole('radiogroup', { name: 'Which card' }).getByRole('radio');
    for (let i = 0; i < (await cards.count()); i++) {
        await cards.nth(i).click();
        for (const sign of ['pinch', 'ring', 'spread fingers'].slice(0, 1 + (i % 3)))
            await dialog.getByRole('button', { name: sign }).click();
    }
}

async function closeHotel(page, v, go) {
    await page.locator('.mine .pick').first().click();
    await dock(page)
        .getByRole('button', { name: /^Close a hotel/ })
        .click();
    const dialog = sheet(page);
    await dialog
        .getByRole('radiogroup', { name: 'Which hotel' })
        .getByRole('radio')
        .first()
        .click();
    await dialog.getByText(`That leaves ${v.hotels.length - 1} of 6 hotels.`).waitFor(); // what follows is said before
    return go('close', dialog.getByRole('button', { name: /^Close the/ }));
}

async function visionary(page, v, go) {
    const cards = page.locator('.corps .face');
    if (page.options.industrialist) {
        for (let i = 0; i < Math.min(2, v.looked_at.length); i++) await cards.nth(i).click();
        return go('strike', dock(page).getByRole('button', { name: 'Discard them' }));
    }
    if (v.looked_at.length > 1) {
        await dock(page)
            .getByRole('button', { name: /^Move card 1 later/ })
            .click();
        ok(/position 1$/.test((await cards.first().textContent()).trim()), 'the places are told');
    }
    return go('reorder', dock(page).getByRole('button', { name: 'Put them back' }));
}

async function use(page, v, go) {
    const which = v.legal.find((a) => a.do === 'diver').use;
    const label = {
        endurance: 'Endurance',
        diving: 'Diving',
        captain: 'Captain',
        environmentalist: /Environ/,
        visionary: 'Visionary',
        explorer: 'Explorer',
        swimmer: 'Swimmer',
        communications: /Communi/,
    }[which];
    const dialog = sheet(page);
    await page.locator('.side').getByRole('button', { name: label }).first().click();
    if (which === 'communications') {
        await whom(page, v);
        return go(which, dialog.getByRole('button', { name: /^(Tell|Sign to|Turn them)/ }));
    }
    const onBoard = page.locator('.tk.choose, .isle.choose').first();
    if (await onBoard.isVisible()) await onBoard.click();
    for (const group of ['Which card', 'Which hotel', 'Which diver']) {
        const radios = dialog.getByRole('radiogroup', { name: group }).getByRole('radio');
        if ((await radios.count()) > 0) await radios.first().click();
    }
    const rows = dialog.getByRole('group', { name: 'Which species' }).getByRole('button');
    if ((await rows.count()) > 0) await rows.first().click();
    return go(which, dialog.locator('footer .btn.go'));
}

/* ---- the same by keyboard alone ---- */

const focused = (page) =>
    page.evaluate(() => {
        const e = document.activeElement;
        return `${e?.getAttribute('aria-label') ?? ''} ${e?.textContent ?? ''}`
            .replace(/\s+/g, ' ')
            .trim();
    });

/** Tabs until the focused control is called so. */
async function tabTo(page, name) {
    for (let i = 0; i < 150; i++) {
        if (name.test(await focused(page))) return;
        await page.keyboard.press('Tab');
    }
    throw new Error(
        `no way with Tab to ${name}; at ${await focused(page)}; ${JSON.stringify({ ...view(page), ladder: undefined })}`,
    );
}

async function actByKeys(page, n) {
    const v = view(page);
    if (await page.getByRole('dialog').isVisible()) {
        await tabTo(page, /Keep as my notes|Got it/);
        await page.keyboard.press('Enter');
        return 'told';
    }
    if (!v || v.phase === 'over') return null;
    const legal = (verb) => v.legal.filter((a) => a.do === verb);
    const press = async (what, ...keys) => {
        const before = answers(page);
        for (const k of keys) await page.keyboard.press(k);
        await heard(page, before);
        return what;
    };
    const own = /Your card 1/;
    if (legal('rig').length > 0 || (v.phase === 'captain' && legal('play').length > 0)) {
        await tabTo(page, own);
        await page.keyboard.press('1');
        await tabTo(page, /^(Give up|Play) card 1/);
        return press('rig', 'Enter');
    }
    if (v.phase === 'visionary' && v.looked_at) {
        await tabTo(page, /position 1/);
        await page.keyboard.press('ArrowRight');
        await tabTo(page, /Put them back/);
        return press('reorder', 'Enter');
    }
    const lift = v.legal.find(
        (a) => a.do === 'diver' && (a.use === 'endurance' || a.use === 'diving'),
    );
    if (lift) {
        await tabTo(page, /^Use now: (Endurance|Diving)/);
        await page.keyboard.press('Enter');
        // The first species that may be chosen has the focus.
        await page.keyboard.press('Enter');
        await tabTo(page, /^Use (Endurance|Diving)$/);
        return press('lift', 'Enter');
    }
    if (legal('end').length > 0) {
        await tabTo(page, /^End the turn/);
        return press('end', 'e');
    }
    if (legal('play').length > 0 && n % 3 !== 0) {
        await tabTo(page, own);
        return press('play', '1', 'p');
    }
    if (legal('close').length > 0 && v.hotels.length > 3) {
        await tabTo(page, own);
        await page.keyboard.press('1');
        await page.keyboard.press('c');
        await tabTo(page, /^(Red|Green|Purple|Yellow|Blue|Orange) hotel/);
        await page.keyboard.press('Space');
        await tabTo(page, /^Close the/);
        return press('close', 'Enter');
    }
    if (legal('walkie').length > 0) {
        await tabTo(page, own);
        await page.keyboard.press('w');
        await page.getByRole('dialog').waitFor();
        await tabTo(page, /^(A|B|C)?(Anchovy|Bream|Cod|Bram)/);
        await page.keyboard.press('Space');
        await tabTo(page, /^Tell /);
        return press('walkie', 'Enter');
    }
    if (legal('play').length > 0) {
        await tabTo(page, own);
        return press('play', '1', 'p');
    }
    return null;
}

/* ---- secrets ---- */

/** What this page was sent says nothing of its player's own cards, but what was told to it. */
function blind(page) {
    const me = page.seat;
    for (const f of page.frames) {
        if (f.view && f.view.phase !== 'over')
            equal(
                f.view.hands[me].filter((c) => c !== null),
                [],
                `own cards in view ${f.seq}`,
            );
        for (const e of f.events ?? [])
            if (e.seat === me && (e.event === 'drew' || e.event === 'dealt'))
                equal(
                    [e.species ?? null, ...(e.cards ?? [])].filter((c) => c !== null),
                    [],
                    `own card in event ${e.event}`,
                );
    }
}

/** My hand is drawn as backs, nothing of it is kept in the browser, and the others' hands are what they see of each other. */
async function closedHand(page, others) {
    const before = view(page);
    const found = await page.evaluate(() => ({
        faces: document.querySelectorAll('.dock .pick [src*="species-"], .dock .cd:not(.back)')
            .length,
        backs: document.querySelectorAll('.dock .cd.back').length,
        kept: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
        hands: [...document.querySelectorAll('.hands .cards')].map((row) =>
            [...row.querySelectorAll('.cd > img[src*="species-"]')].map(
                (i) => /#species-(\w+)$/.exec(i.src)?.[1],
            ),
        ),
        dialogs: document.querySelectorAll('dialog').length,
    }));
    const v = view(page);
    if (found.dialogs > 0 || v.phase === 'over') return false;
    equal(found.faces, 0, `faces of own cards on the page of ${NAMES[page.seat]}`);
    for (const s of SPECIES) ok(!found.kept.includes(s), `${s} is kept in the browser`);
    if (v !== before) return false; // the page changed while it was looked at
    equal(found.backs, v.hands[page.seat].length, 'backs of own cards');
    equal(
        found.hands,
        v.hands.filter((_, i) => i !== page.seat),
        'the hands of the others',
    );
    for (const other of others) {
        const w = view(other);
        if (w.seq === v.seq && w.phase !== 'over')
            equal(
                w.hands[page.seat].every((c) => SPECIES.includes(c)),
                true,
                'the others see my cards',
            );
    }
    return true;
}

/* ---- games ---- */

/** What is looked at when it is first there, by `act`; all of it unless the rest was seen in another game. */
const seenOnce = (world, name, which = ['turn', 'rig', 'told', 'walkie', 'industry']) => {
    const seen = {};
    for (const what of which) {
        let done = false;
        seen[what] = async (page) => {
            if (done) return;
            done = true;
            await world.shot(page, `divercity-${name}-${what}`);
            await fits(page, `${name} ${what}`);
            await accessible(page, `${name} ${what}`);
        };
    }
    return seen;
};

/** Goes on to the result; what was told just before the end has to be closed first. `examined`: axe has seen such a one. */
async function result(world, page, name, examined = false) {
    const ending = page.getByText(/Species by zone, turn by turn/);
    await until('the result', async () => {
        for (const button of ['I’ll remember', 'See the result'])
            await page
                .getByRole('button', { name: button })
                .click({ timeout: 1000 })
                .catch(() => undefined);
        return (await ending.count()) > 0;
    });
    await world.shot(page, `divercity-${name}-end`);
    await fits(page, `${name} end`);
    if (!examined) await accessible(page, `${name} end`);
}

tests[
    'three divers, a laptop with bars, a phone on its side and a bot: to the end, and nobody sees the own cards'
] = async (world) => {
    const { pages } = await begin(world, { divers: 3, first: 0, diver_cards: 'choose' }, [0, 1], {
        0: { size: 'laptop' },
        1: { size: 'landscape' },
    });
    const seen = seenOnce(world, 'desk');
    let looked = 0;
    const turn = async (page, n) => {
        const v = view(page);
        const others = pages.filter((p) => p !== page);
        const open = v !== undefined && v.phase !== 'over' && v.phase !== 'setup';
        if (open && page.looked !== v && (await closedHand(page, others))) {
            page.looked = v;
            looked++;
        }
        return act(page, n, seen);
    };
    const did = await playOut(pages, turn);
    for (const page of pages) blind(page);
    ok(looked > 20, 'the pages were looked at');
    ok(did.includes('play') && did.includes('walkie'), `what was done: ${did.join(' ')}`);
    await result(world, pages[0], 'desk');
};

tests['a whole game on a TV and two phones that typed its code'] = async (world) => {
    const { tv, phones, table } = await bigScreen(world, 'divercity', ['Ana', 'Bram'], listen);
    for (const page of [tv, ...phones]) await page.locator('.dc').first().waitFor();
    const bram = phones[1];
    bram.token = (await kept(bram))[0].seats[0].token;
    // One phone plays to the end; the other one is looked at again then.
    await playOut(phones, act, table, ['walkie', 'told', 'play'], [bram]);
    await phones[0].getByRole('button', { name: 'See the result' }).click();
    await tv.getByRole('heading', { name: /win$/ }).waitFor();
    await tv.getByRole('button', { name: 'Play again with the same people' }).waitFor();
    equal(await faults(tv), [], 'the end on the TV');
    await world.shot(tv, 'divercity-tv-end');
    for (const page of phones) {
        blind(page);
        await page.getByText(/Species by zone, turn by turn/).waitFor();
    }
};

tests['six divers, five of them bots: to the end, then the replay and the check of the deal'] =
    async (world) => {
        const { table, pages } = await begin(world, { divers: 6, first: 0 }, [0]);
        const [page] = pages;
        await becomes(() => page.locator('.hands .row').count(), 5, 'rows of hands');
        await fits(page, 'six');
        await accessible(page, 'six');
        await playOut(pages, act, table, ['walkie', 'told', 'play']);
        blind(page);
        await result(world, page, 'six', true);
        await afterwards(page, table, check, 'DiverCity');
    };

tests['a duel: one diver with two hands against an industrialist'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 1, industrialist: true }, [0, 1]);
    const did = await playOut(pages, act, table, ['industry', 'play', 'rig']);
    ok(did.includes('industry') && did.includes('play'), `what was done: ${did.join(' ')}`);
    ok(
        pages[0].frames.every(
            (f) => !f.view || f.view.phase === 'over' || f.view.industry_hand === undefined,
        ),
        "the diver never sees the industrialist's hand",
    );
};

tests['beginners: what was told stays open, without diver cards'] = async (world) => {
    const { table, pages } = await begin(
        world,
        { divers: 2, beginners: true, level: 'freediving', first: 0 },
        [0, 1],
    );
    const did = await playOut(pages, act, table, ['walkie', 'told', 'play']);
    ok(did.includes('walkie') && did.includes('told'), `what was done: ${did.join(' ')}`);
    ok(
        pages.some((p) =>
            p.frames.some(
                (f) =>
                    f.view &&
                    f.view.phase !== 'over' &&
                    f.view.hands[p.seat].some((c) => c !== null),
            ),
        ),
        'own cards that were told lie open',
    );
    ok(
        pages[0].frames.every((f) => !f.view || f.view.diver_cards.flat().length === 0),
        'no diver cards',
    );
};

tests['what was told is shown once: it is gone after closing, and kept only as notes that travel'] =
    async (world) => {
        const { pages } = await begin(world, { divers: 2, first: 0, diver_cards: 'none' }, [0, 1]);
        const [ana, bram] = pages;
        await playUntil(ana, pages, (v) => v.phase === 'action' && v.active === 0);
        await ana.getByRole('button', { name: /^Walkie-talkie/ }).click();
        await ana.getByRole('dialog').getByRole('button', { name: 'Tell Bram' }).click();
        const dialog = bram.getByRole('dialog', { name: 'Ana tells you your cards' });
        await dialog.waitFor();
        await bram.keyboard.press('Escape');
        ok(await dialog.isVisible(), 'Escape does not lose it');
        const truth = view(ana).hands[1];
        await becomes(
            () =>
                dialog
                    .locator('img[src*="species-"]')
                    .evaluateAll((all) => all.map((i) => /#species-(\w+)$/.exec(i.src)[1])),
            truth,
            'what was told',
        );
        await dialog.getByRole('button', { name: 'I’ll remember' }).click();
        equal(await bram.locator('.dock .claim.note').count(), 0, 'nothing was kept');
        await closedHand(bram, [ana]);

        await playUntil(ana, pages, (v) => v.phase === 'action' && v.active === 0);
        await ana.getByRole('button', { name: /^Walkie-talkie/ }).click();
        await ana.getByRole('dialog').getByRole('button', { name: 'Tell Bram' }).click();
        await dialog.getByRole('button', { name: 'Keep as my notes' }).click();
        await becomes(() => bram.locator('.dock .claim.note').count(), 4, 'notes');
        await bram.reload();
        await bram.locator('.dock .claim.note').nth(3).waitFor();
        equal(await bram.getByRole('dialog').count(), 0, 'it is told once');
        // Bram plays or loses a card: its note goes, the others stay.
        const before = view(bram).species_discard.length;
        await playUntil(
            bram,
            [bram],
            (v) => v.species_discard.length > before || v.active === 0,
            true,
        );
        await until(
            'the note that goes with its card',
            async () => (await bram.locator('.dock .claim.note').count()) < 4,
        );
        equal(await ana.locator('.claim.note').count(), 0, 'nobody else sees a note');
    };

tests['C24 the visionary shows the next corporation cards, and everybody can look at them'] =
    async (world) => {
        const { pages } = await begin(
            world,
            { divers: 2, first: 0, diver_cards: 'choose' },
            [0, 1],
        );
        const [ana, bram] = pages;
        await ana.getByRole('button', { name: 'Take Visionary' }).click();
        await bram
            .getByRole('button', { name: /^Take / })
            .first()
            .click();
        await playUntil(ana, pages, (v) => v.phase === 'action' && v.active === 0);
        const piles = bram.getByRole('button', { name: /corporation cards are still face down/ });
        equal(/come next/.test(await piles.textContent()), false, 'the next cards are unknown');
        await ana.locator('.side').getByRole('button', { name: 'Visionary' }).first().click();
        await ana.getByRole('dialog').locator('footer .btn.go').click();
        await ana.getByRole('button', { name: 'Show them to everyone' }).click();
        await becomes(
            () => ana.getByRole('button', { name: 'Show them to everyone' }).count(),
            0,
            'once',
        );
        await ana.getByRole('button', { name: 'Put them back' }).click();
        await until('that the next cards are known', async () =>
            /come next/.test(await piles.textContent()),
        );
        await piles.click();
        const sheet = bram.getByRole('dialog', { name: 'Corporations' });
        await becomes(
            () => sheet.locator('ol').getByRole('listitem').count(),
            4,
            'cards that were shown',
        );
        await fits(bram, 'shown cards');
        await accessible(bram, 'shown cards');
        await world.shot(bram, 'divercity-shown');
    };

tests['claims are public, travel over the page, and can be taken back'] = async (world) => {
    const { pages } = await begin(world, { divers: 3, first: 0 }, [0, 1]);
    const [ana, bram] = pages;
    const dialog = ana.getByRole('dialog');
    await ana.getByRole('button', { name: /About your card 2/ }).click();
    await accessible(ana, 'about a card');
    await dialog.getByRole('radio', { name: 'Say in public' }).click();
    await dialog.getByRole('button', { name: /^Octopus/ }).click();
    equal(view(bram).claims[0], [null, null, null], 'a choice says nothing yet');
    await dialog.getByRole('button', { name: 'Say: card 2 is an octopus' }).click();
    await bram.locator('.hands .claim', { hasText: 'octopus' }).waitFor();
    await ana.getByRole('button', { name: /About your card 2/ }).click();
    await dialog.getByRole('radio', { name: 'Say in public' }).click();
    await dialog.getByRole('button', { name: 'Say nothing' }).click();
    await bram
        .locator('.hands .claim:not(.no)', { hasText: 'octopus' })
        .waitFor({ state: 'detached' });
};

tests['an industrialist against two divers and a bot, on phones'] = async (world) => {
    const { table, pages } = await begin(
        world,
        { divers: 3, first: 0, industrialist: true, diver_cards: 'full-team' },
        [0, 3],
        { all: { size: 'phone' } },
    );
    const seen = seenOnce(world, 'phone');
    const turn = (page, n) => act(page, n, seen);
    const did = await playOut(pages, turn, table, ['industry', 'rig', 'walkie', 'told', 'play']);
    ok(did.includes('industry'), `what was done: ${did.join(' ')}`);
    const boss = pages[1];
    ok(
        boss.frames.some((f) => f.view?.industry_hand?.length === 4),
        'the industrialist has a hand',
    );
    ok(
        pages[0].frames.every(
            (f) => !f.view || f.view.phase === 'over' || f.view.industry_hand === undefined,
        ),
        'and nobody else sees it',
    );
    // B21: each side hears of its own end.
    const won = view(pages[0]).result.won === 'corporations';
    await pages[0]
        .getByText(won ? /You lose: / : /You win: /)
        .first()
        .waitFor();
    await boss
        .getByText(won ? /You win: / : /You lose: /)
        .first()
        .waitFor();
    await result(world, pages[0], 'phone');
};

tests['alone with two hands, both face down until they are turned'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 1 }, [0]);
    const seen = seenOnce(world, 'solo', ['turn', 'walkie']);
    const turn = (page, n) => act(page, n, seen);
    const did = await playOut(pages, turn, table, ['walkie', 'play', 'close']);
    ok(did.includes('walkie'), 'hands were turned');
    ok(
        pages[0].frames.some(
            (f) =>
                f.view?.hands.flat().some((c) => c !== null) &&
                f.view.hands.flat().some((c) => c === null),
        ),
        'some lie open, some do not',
    );
    await result(world, pages[0], 'solo', true);
};

tests['realistic: hand signs, never a name'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 2, first: 0, realistic: true }, [0, 1]);
    const seen = seenOnce(world, 'signs', ['walkie', 'told']);
    const turn = (page, n) => act(page, n, seen);
    const did = await playOut(pages, turn, table, ['walkie', 'told', 'play']);
    ok(did.includes('walkie') && did.includes('told'), `what was done: ${did.join(' ')}`);
    for (const page of pages) {
        blind(page);
        for (const f of page.frames)
            for (const e of f.events ?? [])
                if (e.event === 'walkie')
                    equal([e.cards, Array.isArray(e.signs)], [undefined, true], 'a walkie-talkie');
    }
};

tests['a whole game with the keyboard alone'] = async (world) => {
    const { pages } = await begin(world, { divers: 2, first: 0 }, [0]);
    const did = await playOut(pages, actByKeys);
    ok(did.includes('play'), `what was done: ${did.join(' ')}`);
};

tests['the ladder is a grid for the keyboard; a species opens large'] = async (world) => {
    const { pages } = await begin(world, { divers: 2, first: 0 }, [0]);
    const [page] = pages;
    await tabTo(page, /^Nudi/);
    await page.keyboard.press('ArrowRight');
    await until('the focus on the crab', async () =>
        /^Crab/.test((await focused(page)).replace(/\u00ad/g, '')),
    );
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Starfish' }).waitFor();
    await page.keyboard.press('Escape');
    await until('the focus where it was', async () => /^Starfish/.test(await focused(page)));
    await page.getByRole('button', { name: /species cards left/ }).click();
    await becomes(
        () => page.getByRole('dialog').getByRole('listitem').count(),
        12,
        'the species cards are counted in a grid of twelve',
    );
};

tests['spectators and the table screen see no hand at all'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 3, first: 0, industrialist: true }, [0]);
    const page = await world.device();
    page.on('websocket', (ws) =>
        ws.on('framereceived', (f) => page.frames.push(JSON.parse(f.payload))),
    );
    for (const path of [`/#/table/${table}`, `/#/screen/${table}`]) {
        await page.setViewportSize(
            path.includes('screen') ? { width: 1920, height: 1080 } : { width: 1366, height: 768 },
        );
        await page.goto('/healthz'); // its stream ends
        page.frames = [];
        await page.goto(path);
        await page.locator('.dc .ladder').waitFor();
        await until('a view', () => view(page));
        equal(await page.locator('.cd:not(.back)').count(), 0, 'no card is open');
        equal(await page.locator('.dock').count(), 0, 'and nothing can be played');
        ok(
            page.frames.every((f) => !f.view || f.view.hands.flat().every((c) => c === null)),
            'no card was sent',
        );
        await world.shot(page, path.includes('screen') ? 'divercity-screen' : 'divercity-watcher');
        await accessible(page, path);
    }
    ok(pages.length === 1, 'one person played');
};

for (const language of ['fr', 'nl'])
    tests[`the board in ${language} fits desktop and phone`] = async (world) => {
        for (const size of ['desktop', 'phone']) {
            const { pages } = await begin(world, { divers: 4, first: 0 }, [0], {
                all: { size, language },
            });
            await fits(pages[0], `${language} ${size}`); // axe sees this board above, in English
            await world.shot(pages[0], `divercity-${size}-${language}`);
        }
    };

await run(tests);
