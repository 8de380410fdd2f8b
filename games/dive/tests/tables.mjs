// tables.mjs: a table of Dive, and its seats on pages, for the tests beside it.
import { api } from '../../../tests/browser/room.mjs';

/** A started table with these people; bots sit on the other seats. */
export async function table(world, options, people, bot = 'steady') {
    const made = await api(world, 'POST', '/tables', { game: 'dive', options });
    const seats = [];
    for (const name of people)
        seats.push(await api(world, 'POST', `/tables/${made.table}/seats`, { name }));
    for (let seat = people.length; seat < options.divers; seat++)
        await api(world, 'POST', `/tables/${made.table}/bots`, { seat, bot }, made.host);
    await api(world, 'POST', `/tables/${made.table}/start`, {}, made.host);
    return { ...made, seats };
}

/** The page of a seat, with everything that its stream was told in `page.heard`. */
export async function sit(world, made, seat, device = {}) {
    const page = await world.device(device);
    page.heard = [];
    page.on('websocket', (socket) =>
        socket.on('framereceived', (f) => page.heard.push(String(f.payload))),
    );
    page.on('request', (r) => /\/ocean\//.test(r.url()) && (page.pictures ??= []).push(r.url()));
    const { seat: n, token } = made.seats[seat];
    await page.goto(`/#/s/${made.table}/${n}/${token}`);
    await page.locator('.dive').waitFor();
    return page;
}

/** The last change that a page was told. */
export const told = (page) => page.heard.filter((f) => f.startsWith('{"seq"')).at(-1) ?? '';

/** To the end of the level that is shown, or on to the next. */
export const skip = async (page) => {
    const go = page.locator('.ctl .go');
    const button = (await go.isVisible()) ? go : page.locator('.ctl .skip');
    await button.click({ timeout: 2000 }).catch(() => {});
};

/** Opens one's companion and does what it offers. */
export async function use(page, what = 'Use it now') {
    await page.getByRole('button', { name: /^Your companion/ }).click();
    await page.getByRole('button', { name: what, exact: true }).click();
}

/** Where a page is in its round. */
export const stage = (page) =>
    page.evaluate(
        () =>
            ['setup', 'plan', 'reveal', 'rest'].find((s) => document.querySelector(`.dive.${s}`)) ??
            'none',
    );
export const over = (page) => page.getByRole('button', { name: 'See the result' });

/** What a player needs to know of a page, in one look. */
export const glance = (page) =>
    page.evaluate(() => {
        const all = (what) => [...document.querySelectorAll(what)];
        const shown = (what, text = '') =>
            all(what).some((e) => e.checkVisibility() && e.textContent.includes(text));
        return {
            over: shown('.strip .btn', 'See the result'),
            stage: ['setup', 'plan', 'reveal', 'rest'].find((s) => shown(`.dive.${s}`)) ?? 'none',
            next: shown('.ctl .go'),
            keep: shown('.ask .btn', 'Keep it'),
            open: shown('button[data-part=ready]', 'I’m ready'),
            free: all('.tray [data-air]:not([disabled])').length,
            laid: all('.lv .air').length,
            sharks: [1, 2, 3, 4, 5].filter((n) => shown(`.lv.l${n} .air.shark`)),
            breath: shown('.breath'),
            beside: shown('.dive.lookup .btn', 'Show the dive on this phone too'),
        };
    });

/** What is clicked may go by itself, when a clock ends or the dive goes on: then one looks again. */
const click = (locator) => locator.click({ timeout: 2000 }).catch(() => {});

const ready = (page) => page.locator('button[data-part=ready]', { hasText: 'I’m ready' });
export const isReady = (page) => ready(page).waitFor({ state: 'hidden' });

/** One step of the game with the pointer alone, after a glance: so many levels, with sharks on these. */
export async function point(page, seen = undefined, levels = 3, sharks = [1]) {
    const now = seen ?? (await glance(page));
    if (now.stage === 'reveal') await click(page.locator(now.next ? '.ctl .go' : '.ctl .skip'));
    else if (now.stage === 'rest')
        await click(
            now.keep
                ? page.locator('.ask').getByRole('button', { name: 'Keep it' })
                : page.locator('.dive.rest').getByRole('button', { name: /^Round \d+$/ }),
        );
    else if (now.stage === 'plan' && now.open) {
        const air = page.locator('.tray [data-air]:not([disabled])').last();
        for (let n = now.free; n > 5 - levels; n--) await click(air);
        for (const n of sharks.filter((level) => !now.sharks.includes(level)))
            await click(
                page.locator(`.lv.l${n} .flipb:visible, .lv.l${n} [role=radio]:visible`).last(),
            );
        await click(ready(page));
        await isReady(page);
    }
}

/** Runs in a page: plays a seat to the end over a stream of its own, three levels without a shark in each round. */
const playSeat = ([id, token]) =>
    new Promise((done, fail) => {
        const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
        let sent = 0;
        let round = 0;
        const act = (action) =>
            socket.send(JSON.stringify({ id: `u${Date.now()}-${++sent}`, action }));
        const plan = () => {
            const levels = [5, 4, 3].map((air) => ({ tokens: [air], shark: false }));
            act({ do: 'program', levels });
            act({ do: 'ready' });
        };
        socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
        socket.onerror = () => fail(new Error('the stream broke'));
        socket.onmessage = (m) => {
            const { view, code } = JSON.parse(m.data);
            // What is refused otherwise came too late: a companion has ended the planning.
            if (code === 'busy') setTimeout(plan, 1000);
            if (view?.phase === 'over') {
                socket.close();
                done();
            } else if (view?.phase === 'program' && view.round !== round) {
                round = view.round;
                plan();
            }
        };
    });

/** Plays a seat to the end while its page shows nothing: what is drawn for nobody costs most of a game. Then the page shows the result. */
export async function playUnseen(page, id, token) {
    const address = page.url();
    await page.goto('/healthz');
    await page.evaluate(playSeat, [id, token]);
    await page.goto(address);
}
