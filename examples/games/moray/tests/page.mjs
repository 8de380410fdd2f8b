// page.mjs: Moray in the browser, from its tile on the home page to the replay of a finished game; the table's screen; the lesson; the
// rules in three languages. Run from the root of the tree, wherever the folder of the game lies.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const shared = (file) => import(pathToFileURL(join(process.cwd(), 'tests/browser', file)).href);
const { PATIENCE, accessible, becomes, equal, fits, ok, run } = await shared('harness.mjs');
const { afterwards, api, kept } = await shared('room.mjs');

const tests = {};

const holes = (page) => page.locator('.moray-holes .hole');
const hand = (page) => page.locator('.hand .card');
const score = async (page, seat) =>
    Number(
        (await page.locator('.moray-scores .n [aria-hidden]').nth(seat).innerText()).replace(
            '−',
            '-',
        ),
    );

/** Waits until this page may lay a fish, or the game is over; answers whether it may. */
async function asked(page) {
    const found = await page.waitForFunction(
        () =>
            document.querySelector('.strip')
                ? 'over'
                : document.querySelector('.hand .card[aria-disabled=false]')
                  ? 'lay'
                  : null,
        null,
        { timeout: PATIENCE },
    );
    return (await found.jsonValue()) === 'lay';
}

/** Lays a fish where the previews promise most, and sees the promise kept; answers what it gained. */
async function turn(page, { go = (target) => target.click(), picture } = {}) {
    const before = await score(page, 0);
    const left = await page.locator('.bar .fact').innerText();
    await go(hand(page).first());
    await page.waitForFunction(() =>
        [...document.querySelectorAll('.hole')].every((h) => /with this fish/.test(h.textContent)),
    );
    if (picture) await picture();
    const gains = await holes(page).evaluateAll((all) =>
        all.map((h) => Number(h.querySelector('.gain')?.textContent.replace('−', '-') ?? 0)),
    );
    const best = gains.indexOf(Math.max(...gains));
    await go(holes(page).nth(best));
    await page.waitForFunction(
        (was) =>
            document.querySelector('.strip') ||
            document.querySelector('.bar .fact')?.innerText !== was,
        left,
    );
    await becomes(
        () => score(page, 0),
        before + (gains[best] ?? 0),
        'the points that were promised',
    );
    return gains[best] ?? 0;
}

tests['from the home page to the replay: a whole game against a bot'] = async (world) => {
    const page = await world.device();
    await page.getByRole('heading', { name: 'Moray' }).waitFor();
    await world.shot(page, 'moray-home');
    await page.goto('/#/new/moray');
    await page.getByText('Hungry moray').waitFor();
    await accessible(page, 'create');
    await page.getByRole('button', { name: 'Open the table' }).click();
    await page.getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ana');
    await page.getByRole('dialog').getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('heading', { name: 'Ana' }).waitFor();
    const [{ table, host }] = await kept(page);
    await api(page, 'POST', `/tables/${table}/bots`, { seat: 1, bot: 'grouper' }, host);
    await page.getByRole('button', { name: 'Start' }).click();
    await holes(page).first().waitFor();
    await accessible(page, 'the board');
    await fits(page, 'the board');
    let turns = 0;
    let gained = 0;
    while (await asked(page)) {
        gained += await turn(
            page,
            turns === 6 ? { picture: () => world.shot(page, 'moray-board') } : {},
        );
        turns++;
    }
    equal(turns, 18, 'turns of each player');
    equal(await score(page, 0), gained, 'all points together');
    await page.locator('.strip .btn').click();
    await page.locator('.moray-end').waitFor();
    await accessible(page, 'the result');
    await world.shot(page, 'moray-result');
    await afterwards(page, table, { accessible, fits }, 'Moray');
    equal(await page.locator('.hand').count(), 0, 'hands that the table shows in a replay');
};

tests['with keys, on a phone, beside a table screen; nobody sees another hand'] = async (world) => {
    const page = await world.device({ size: 'phone' });
    const { table, host } = await api(page, 'POST', '/tables', {
        game: 'moray',
        options: { players: 3, hungry: true, first: 0 },
    });
    const { token } = await api(page, 'POST', `/tables/${table}/seats`, { name: 'Ana', seat: 0 });
    for (const seat of [1, 2])
        await api(
            page,
            'POST',
            `/tables/${table}/bots`,
            { seat, bot: seat === 1 ? 'random' : 'grouper' },
            host,
        );
    let heard = '';
    page.on('websocket', (socket) =>
        socket.on(
            'framereceived',
            ({ payload }) => (heard += String(payload).includes('"what"') ? '' : String(payload)),
        ),
    );
    await api(page, 'POST', `/tables/${table}/start`, undefined, host);
    await page.goto(`/#/s/${table}/0/${token}`);
    const screen = await world.device();
    await screen.goto(`/#/screen/${table}`);
    await screen.locator('.moray-tv').waitFor();
    await asked(page);
    await page.keyboard.press('2');
    equal(
        await hand(page).nth(1).getAttribute('aria-pressed'),
        'true',
        'the second fish is chosen by its key',
    );
    await page.keyboard.press('Escape');
    equal(await hand(page).nth(1).getAttribute('aria-pressed'), 'false', 'and let go');
    const enter = async (target) => {
        await target.focus();
        await target.press('Enter');
    };
    for (let n = 0; n < 4 && (await asked(page)); n++) await turn(page, { go: enter });
    await fits(page, 'a phone');
    await accessible(page, 'a phone');
    await world.shot(page, 'moray-phone');
    await accessible(screen, 'the table screen');
    await fits(screen, 'the table screen');
    await world.shot(screen, 'moray-screen');
    equal(await screen.locator('.hand').count(), 0, 'hands on the table screen');
    ok(/"event":"drew","seat":0,"fish":"/.test(heard), 'Ana is told what she draws');
    ok(
        !/"event":"(drew|dealt)","seat":[12],"fish":"/.test(heard) && !/"hands":/.test(heard),
        'and nothing of what the others draw',
    );
};

tests['the lesson, and the rules in three languages'] = async (world) => {
    for (const [language, title, end] of [
        ['en', 'Exactly full', '9 to 7'],
        ['fr', 'Exactement plein', '9 à 7'],
        ['nl', 'Precies vol', '9 tegen 7'],
    ]) {
        const page = await world.device({ language });
        await page.goto('/#/rules/moray');
        await page.getByRole('heading', { name: title }).waitFor();
        await page.locator('b.no', { hasText: /^M11$/ }).waitFor();
        await fits(page, `rules ${language}`);
        await page.goto('/#/learn/moray');
        await holes(page).first().waitFor();
        await page.keyboard.press('PageDown');
        for (const [card, hole] of [
            [0, 0],
            [0, 1],
        ]) {
            await hand(page).nth(card).click();
            await holes(page).nth(hole).click();
        }
        await page.getByText(end).first().waitFor();
        if (language === 'en') {
            await accessible(page, 'the lesson');
            await world.shot(page, 'moray-lesson');
        }
    }
};

await run(tests);
