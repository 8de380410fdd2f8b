// fits.mjs: DiverCity's board in any window, in its longest language: nothing overlaps, is cut, too small or out of reach; and
// what is counted at a glance can be tapped for a sentence.
import { becomes, equal, ok, run, until } from '../../../tests/browser/harness.mjs';
import { sweep, windows } from '../../../tests/browser/layout.mjs';
import { api } from '../../../tests/browser/room.mjs';
import { begin, finish, sendUntil, view } from './table.mjs';

const tests = {};

/** Tokens on the ladder may be smaller: choosing a species has a picker of large rows there (DESIGN, 8). */
const small = '.ladder .tk';
/** Rules say that nothing in play scrolls but the strip of moves; five hands of others on the lowest windows may. */
const still = (width, height) => (width >= 360 && height >= 380 ? '.hands .list' : '');

const acting = (v) => v.phase === 'action' && v.active === 0 && v.legal.length > 0;

for (const [what, options, wanted] of [
    ['two divers with hands of four', { divers: 2, first: 0, diver_cards: 'none' }, acting],
    ['three divers', { divers: 3, first: 0, diver_cards: 'none' }, (v) => acting(v) && v.round > 3],
    [
        'six divers and an industrialist',
        { divers: 6, first: 0, industrialist: true, diver_cards: 'random' },
        (v) => v.active === 0 && (acting(v) || v.phase === 'rig'),
    ],
    ['taking diver cards', { divers: 2, diver_cards: 'full-team' }, (v) => v.phase === 'setup'],
])
    for (const language of ['nl', 'fr'])
        tests[`B5 B6 B10 B16 ${what}: the board fits any window, ${language}`] = async (world) => {
            const { table, pages } = await begin(world, options, [0], { all: { language } });
            await sendUntil(pages[0], pages, table, wanted);
            await sweep(pages[0], what, { small, still });
        };

/** The diver card that a seat takes, if it may, and uses when it is its turn. */
const using = (cards) => (v, seat) =>
    v.legal.find((a) => a.do === 'take' && Object.values(a).includes(cards[seat])) ??
    v.legal.find((a) => a.do === 'diver' && a.use === cards[seat]);

for (const [what, cards, who] of [
    ['visionary', ['visionary', 'diving'], 0],
    ['captain', ['captain', 'visionary'], 1],
])
    tests[`the ${what}: the board fits any window`] = async (world) => {
        const { table, pages } = await begin(
            world,
            { divers: 2, first: 0, diver_cards: 'choose' },
            [0, 1],
            { all: { language: 'fr' } },
        );
        const choose = (v, seat) =>
            seat === 0 || v.phase === 'setup' ? using(cards)(v, seat) : undefined;
        await sendUntil(pages[who], pages, table, (v) => v.phase === what, choose);
        // The visionary's four cards take the room of the partner's hand on a low phone.
        await sweep(pages[who], what, {
            small,
            still: (w, h) => (w < 600 && h < 700 ? '' : still(w, h)),
        });
    };

tests[
    'B21 four cards that one tells about stand in a row on a phone, and the dialogue fits any window'
] = async (world) => {
    const { table, pages } = await begin(world, { divers: 2, first: 0, diver_cards: 'none' }, [0], {
        all: { language: 'nl', size: 'phone' },
    });
    const [page] = pages;
    await sendUntil(page, pages, table, acting);
    await page.locator('.dock .act').nth(1).click();
    const cards = page.getByRole('dialog').locator('ol > li');
    await becomes(() => cards.count(), 4, 'cards');
    for (const width of [320, 360, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const rows = () => cards.evaluateAll((all) => new Set(all.map((c) => c.offsetTop)).size);
        await becomes(rows, 1, `rows in a window of ${width}:`);
    }
    await sweep(page, 'telling', { small });
};

for (const language of ['en', 'fr'])
    tests[`notes of long names stay under their cards in any window, ${language}`] = async (
        world,
    ) => {
        const { table, pages } = await begin(
            world,
            { divers: 2, first: 0, diver_cards: 'none' },
            [0],
            { all: { language } },
        );
        const [page] = pages;
        await sendUntil(page, pages, table, acting);
        const { round, species_discard } = view(page);
        const noted = (...species) => ({ species, sure: species.length === 1 });
        const mine = [
            noted('porcupinefish'),
            noted('hammerhead'),
            noted('nudibranch', 'mandarin'),
            noted('porcupinefish', 'hammerhead', 'nudibranch'),
        ];
        const notes = JSON.stringify({ hands: { 0: mine }, round, gone: species_discard.length });
        await api(page, 'PUT', `/tables/${table}/notes`, { notes }, page.token);
        await page.reload();
        await becomes(() => page.locator('.dock .claim.note').count(), 4, 'notes');
        await sweep(page, 'notes', { small, still });
    };

tests['the end: the board and the result fit any window'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 2, first: 0, diver_cards: 'none' }, [0], {
        all: { language: 'fr' },
    });
    const [page] = pages;
    await finish(pages, table);
    // What I was told stays until I have answered.
    const told = page.locator('dialog[open] .btn').last();
    await until('the end', async () => {
        if (await told.isVisible()) await told.click();
        else return page.locator('.strip .btn').isVisible();
    });
    await sweep(page, 'over', { small });
    await page.locator('.strip .btn').click();
    await page.locator('.end section.ok').waitFor();
    await sweep(page, 'the result', { small });
};

tests['B8 a replay on a laptop has the whole board, and asks for nothing'] = async (world) => {
    const { table, pages } = await begin(world, { divers: 2, first: 0, diver_cards: 'none' }, [0], {
        all: { language: 'nl' },
    });
    const [page] = pages;
    await finish(pages, table);
    await page.goto(`/#/replay/${table}/0/20`);
    await page.locator('.dc.board .hands .row').nth(1).waitFor();
    equal(await page.locator('.hands .row').count(), 2, 'my own hand is there, too');
    equal(await page.locator('.dock').count(), 0, 'nothing can be played');
    equal(await page.locator('.meters .meter').count(), 4, 'and the meters are there');
    await sweep(page, 'replay', {
        small,
        sizes: windows.filter(([width, height]) => width >= 1024 && height >= 600),
    });
};

tests['B13 B19 a lane, a meter, a pile and a diver say what they are in a sentence'] = async (
    world,
) => {
    const { pages } = await begin(world, { divers: 3, first: 0 }, [0]);
    const [page] = pages;
    const v = view(page);
    const dialog = page.getByRole('dialog');
    const opens = async (button, sentence) => {
        await button.click();
        await dialog.getByText(sentence).first().waitFor();
        await page.keyboard.press('Escape');
        await becomes(() => dialog.count(), 0, 'closed');
    };
    await opens(page.getByRole('button', { name: /^Hotels: / }), /you lose/);
    await opens(page.getByRole('button', { name: /^Saved: / }), /you win/);
    await opens(page.getByRole('button', { name: /species cards left/ }), /left to draw/);
    await opens(
        page.getByRole('button', { name: /corporation cards are still face down/ }),
        /^Oil rigs|face down/,
    );
    await opens(page.getByRole('button', { name: /^(Nudi|Crab)/ }).first(), /unseen/);
    // The partner's diver card is explained, whatever it is.
    const diver = v.diver_cards[1][0] ?? v.diver_used[1][0];
    ok(diver, 'the partner has a diver card');
    await opens(page.locator('.hands .who').first(), /Once per game|once per game/);
    // The count of a lane is what lies open here.
    const seen = view(page);
    const crabs = (cards) => cards.filter((s) => s === 'crab').length;
    const [gone, sight] = [crabs(seen.species_discard), crabs(seen.hands.flat())];
    await page
        .getByRole('rowheader', { name: /^Crab/ })
        .getByText(`${gone} gone, ${sight} in sight, ${5 - gone - sight} unseen`)
        .waitFor({ state: 'attached' });
};

await run(tests);
