// alone.mjs: Dive without a server: this device keeps the table and draws the ocean.
import { execFileSync } from 'node:child_process';
import { equal, ok, PACE, quicken, run, until } from '../../../tests/browser/harness.mjs';
import { glance, over, point } from './tables.mjs';

const tests = {};

/** A device that cannot ask the server anything; the page's own files still come. */
async function cutOff(world, { size = 'laptop', pace = PACE, ...how } = {}) {
    const page = await world.device({ size, language: 'en', fresh: true, pace, ...how });
    page.sockets = 0;
    await page.route('**/api/**', (route) => route.abort());
    page.on('websocket', () => page.sockets++);
    return page;
}

/** The engine deals the same stack in each run, one with helpers where they are needed: a game of three rounds. */
const fixDeal = (page) =>
    page.route(/\/worker-.*\.js/, async (route) => {
        const answer = await route.fetch();
        const body = `crypto.getRandomValues = (bytes) => bytes.fill(175);\n${await answer.text()}`;
        await route.fulfill({ response: answer, body });
    });

/** How many levels, and where the sharks are, round by round: with another deal the game is as good, but longer. */
const PLANS = [
    [5, [1, 4, 5]],
    [5, [1, 2, 4]],
    [5, [2]],
];

const begin = (page) => page.getByRole('button', { name: /Play now.*: Dive$/ }).click();

/** How many colours a canvas shows, and a hash of its pixels. */
const seen = (canvas) =>
    canvas.evaluate(async (c) => {
        const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
        return { colours: new Set(new Uint32Array(data.buffer)).size, hash: [...hash].join() };
    });

const PICTURE = '.dive.plan canvas.picture';

/** The picture once it is another than that. */
async function other(page, than) {
    let now;
    await until('another picture', async () => {
        now = await seen(page.locator(PICTURE));
        return now.hash !== than.hash;
    });
    return now;
}

/** The page itself notes what reveals show: on a busy machine one can pass between two looks from outside. */
const noteReveals = (page) =>
    page.evaluate(() => {
        window.revealed = { sheets: false, circles: false };
        new MutationObserver(() => {
            window.revealed.sheets ||= document.querySelector('.lift canvas') !== null;
            window.revealed.circles ||= document.querySelector('.lift .ringed') !== null;
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });

/** What the end says of choices, luck and eyes, and that the replay's analysis says the same. */
async function sentenceHolds(page) {
    const said = page.locator('[data-part=chances]');
    await said.getByText(/Your eyes cost you (nothing|\d+ spaces?)\./).waitFor(); // after a closer look
    const text = (await said.innerText()).replace(/\s+/g, ' ');
    await said.getByRole('link', { name: 'See each decision' }).click();
    const totals = page.getByRole('table', { name: 'The whole game' }).getByRole('row');
    await totals.nth(1).waitFor();
    const [, lost, luck] = await totals.nth(1).getByRole('cell').allTextContents();
    const [cost, by] = [lost, luck].map((cell) => Number(cell.trim().replace('−', '-')));
    const costs = cost === 0 ? 'cost you (next to )?nothing' : `cost you ${-cost}%`;
    ok(new RegExp(costs).test(text), `${text}: ${lost}`);
    const rest =
        by > 0 ? `(lucky by|gave you) ${by}%` : by < 0 ? `(unlucky by|took) ${-by}%` : 'evened out';
    ok(new RegExp(rest).test(text), `${text}: ${luck}`);
}

for (const size of ['laptop', 'phone'])
    tests[`a game without a server, from the first look to the record, on a ${size}`] = async (
        world,
    ) => {
        const page = await cutOff(world, { size, pace: 1, analyses: size === 'laptop' }); // sheets come too late for a faster reveal on a busy machine
        await fixDeal(page);
        await begin(page);
        await page.locator('.toast', { hasText: 'it knows the deal' }).waitFor();
        ok(/#\/table\/0{16}[0-9a-f]{16}$/.test(page.url()), page.url());
        const straight = await seen(page.locator(PICTURE));
        ok(straight.colours > 5000, `${straight.colours} colours`);
        await page.keyboard.press('ArrowRight');
        const tilted = await other(page, straight);
        await page.keyboard.press('0');
        equal((await other(page, tilted)).hash, straight.hash, 'straight again');

        let round = 0;
        const play = async (now) => {
            await point(page, now, ...(PLANS[round] ?? [3, [1]]));
            if (now.stage === 'plan' && now.open) round++;
        };
        await noteReveals(page);
        await until('sheets and rings of a reveal', async () => {
            const { sheets, circles } = await page.evaluate(() => window.revealed);
            if (sheets && circles) return true;
            // A reveal goes on by itself, but waits for whoever was wrong on a level.
            const now = await glance(page);
            if (now.stage !== 'reveal' || now.next) await play(now);
            return false;
        });
        await quicken(page);
        await page.reload();
        await until(
            'the end of the game',
            async () => {
                const now = await glance(page);
                if (!now.over) await play(now);
                return now.over;
            },
            600000,
        );
        await over(page).click();
        const [saved] = await Promise.all([
            page.waitForEvent('download'),
            page.locator('a[download][href^="blob:"]').click(),
        ]);
        execFileSync(process.env.FATHOM ?? 'build/fathom', ['replay', await saved.path()]);

        if (size === 'laptop') await sentenceHolds(page);
        const id = page.url().match(/0{16}[0-9a-f]{16}/)[0];
        await page.goto(`/#/replay/${id}/0/0`);
        await page.locator(PICTURE).waitFor();
        await until(
            'the first look again',
            async () => (await seen(page.locator(PICTURE))).hash === straight.hash,
        );
        await page.goto(`/#/verify/${id}`);
        await page.locator('.foot code').waitFor();
        equal(page.sockets, 0, 'streams of a server');
    };

for (const size of ['laptop', 'phone'])
    tests[`practise looking without a server, on a ${size}`] = async (world) => {
        const page = await cutOff(world, { size });
        await page.goto('/#/practise');
        await page.locator('.practise canvas.picture').waitFor();
        const first = await seen(page.locator('.practise canvas.picture'));
        ok(first.colours > 5000, `${first.colours} colours`);
        await page.locator('.foot .go').click();
        await page.locator('canvas.sheet').waitFor();
        ok((await seen(page.locator('canvas.sheet'))).colours > 500, 'a sheet');
        await page.locator('.foot .go').click();
        await page.locator('.practise canvas.picture').waitFor();
        await until(
            'another stack',
            async () => (await seen(page.locator('.practise canvas.picture'))).hash !== first.hash,
        );
    };

tests['a browser without vectors draws the ocean, too'] = async (world) => {
    const page = await cutOff(world);
    const asked = [];
    page.on('request', (r) => asked.push(r.url()));
    await page.route(/ocean-worker.*\.js/, async (route) => {
        const answer = await route.fetch();
        const body = `WebAssembly.validate = () => false;\n${await answer.text()}`;
        await route.fulfill({ response: answer, body });
    });
    await begin(page);
    await page.locator(PICTURE).waitFor();
    ok((await seen(page.locator(PICTURE))).colours > 5000, 'a picture');
    ok(
        asked.some((url) => /ocean-plain.*\.wasm/.test(url)),
        'the plain module',
    );
};

tests['what cannot be drawn is said, and drawn once it can be; the table goes on'] = async (
    world,
) => {
    const page = await cutOff(world);
    await page.addInitScript(() => {
        const Own = Worker;
        window.painters = [];
        window.Worker = class extends Own {
            constructor(url, options) {
                super(url, options);
                if (String(url).includes('ocean-worker')) window.painters.push(this);
            }
        };
    });
    await page.reload();
    const files = /drawings.*\.bin/;
    await page.route(files, (route) => route.abort());
    await begin(page);
    await page.getByText('This device could not draw the picture.').waitFor();
    await page.unroute(files);
    await page.locator(PICTURE).waitFor();
    // A Worker that the browser ends says nothing any more.
    const before = await seen(page.locator(PICTURE));
    await page.evaluate(() => window.painters.at(-1).terminate());
    await page.keyboard.press('ArrowRight');
    await page.getByText('This device could not draw the picture.').waitFor();
    await other(page, before);
    await page.getByText('This device could not draw the picture.').waitFor({ state: 'hidden' });
    await page.locator('.tray [data-air="1"]').click();
    await page.locator('.lv.l1 .air').waitFor();
};

tests['a canvas that the browser took away is drawn again, and one that it does not give is said'] =
    async (world) => {
        const page = await cutOff(world);
        await begin(page);
        await page.locator(PICTURE).waitFor();
        const before = await seen(page.locator(PICTURE));
        await page.locator(PICTURE).evaluate((c) => {
            c.getContext('2d').clearRect(0, 0, c.width, c.height);
            c.dispatchEvent(new Event('contextrestored'));
        });
        equal((await seen(page.locator(PICTURE))).hash, before.hash, 'the same picture');
        await page.evaluate(() => {
            window.own = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = () => null;
        });
        await page.keyboard.press('ArrowRight');
        await page.getByText('This device could not draw the picture.').waitFor();
        await page.evaluate(() => (HTMLCanvasElement.prototype.getContext = window.own));
        await page.getByRole('button', { name: 'Try again' }).click();
        await other(page, before);
        await page
            .getByText('This device could not draw the picture.')
            .waitFor({ state: 'hidden' });
    };

await run(tests);
