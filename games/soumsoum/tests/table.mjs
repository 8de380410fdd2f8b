// table.mjs: what the browser tests of Soum Soum share: a started table, and the words for what is on its board.
import { PATIENCE, becomes } from '../../../tests/browser/harness.mjs';
import { api } from '../../../tests/browser/room.mjs';

/** Keeps what a page is sent. */
export function listen(page) {
    const heard = { events: '', view: null };
    page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
            const said = JSON.parse(String(payload));
            if (said.what !== undefined) return; // what is drawn there is invented
            if (said.view) heard.view = said.view;
            heard.events += String(payload);
        }),
    );
    return heard;
}

/** A started table; people sit from seat 0 on, bots behind them. Answers their pages and what these were sent. */
export async function begin(world, { people, bots = 0, options = {} }) {
    const pages = [];
    for (const how of people) pages.push(await world.device(how));
    const [first] = pages;
    const { table, code, host } = await api(first, 'POST', '/tables', {
        game: 'soumsoum',
        options: { players: people.length + bots, first: 0, ...options },
    });
    const players = [];
    for (const [seat, page] of pages.entries()) {
        const name = ['Ana', 'Bram', 'Chloé', 'Dirk'][seat];
        const { token } = await api(first, 'POST', `/tables/${table}/seats`, { name, seat });
        const heard = listen(page);
        await page.goto(`/#/s/${table}/${seat}/${token}`);
        players.push({ page, seat, name, token, heard });
    }
    for (let seat = people.length; seat < people.length + bots; seat++)
        await api(first, 'POST', `/tables/${table}/bots`, { seat, bot: 'greedy' }, host);
    await api(first, 'POST', `/tables/${table}/start`, undefined, host);
    for (const { page } of players) await page.getByRole('grid').waitFor();
    return { players, table, code, host };
}

export const board = (page) => page.getByRole('grid');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const step = (page) => page.locator('.steps [aria-current=step]').innerText();
export const cell = (page, place) => page.locator(`[data-place="${place}"]`);
export const freePlaces = (page, card) =>
    page
        .locator(card ? '.ce.free.has' : '.ce.free:not(.has)')
        .evaluateAll((cells) => cells.map((c) => Number(c.dataset.place)));
/** The first place that is free for the card that is held, as soon as the page says so. */
export const firstFree = async (page) =>
    Number(await page.locator('.ce.free:not(.has)').first().getAttribute('data-place'));
/** What a turn needs to know of a page, in one look. */
export const glance = (page) =>
    page.evaluate(() => {
        const places = (what) =>
            [...document.querySelectorAll(what)].map((c) => Number(c.dataset.place));
        return {
            free: places('.ce.free:not(.has)'),
            left: document.querySelectorAll('.score.me .left i.on').length,
            market: document.querySelector('.soum.market') !== null,
        };
    });

/** Runs in a page: plays a seat over a stream of its own, the first legal action each time, to the end or until so many cards lie. */
const playSeat = ([table, token, cards]) =>
    new Promise((done, fail) => {
        const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
        let action;
        let sent = 0;
        const send = () => socket.send(JSON.stringify({ id: `u${Date.now()}-${++sent}`, action }));
        socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
        socket.onerror = () => fail(new Error('the stream broke'));
        socket.onmessage = (m) => {
            const { view, refused, code, message } = JSON.parse(m.data);
            if (code === 'busy') setTimeout(send, 1000);
            else if (refused !== undefined) fail(new Error(message));
            if (!view) return;
            const laid = view.board.flat().filter((card) => card !== null && card !== 'sub');
            if (view.result || (view.phase === 'place' && laid.length >= cards)) {
                socket.close();
                done();
            } else if (view.legal?.length > 0) {
                action = view.legal[0];
                send();
            }
        };
    });

/**
 * Plays on to the end, or until so many cards lie, with pages that show nothing meanwhile: what is drawn for nobody costs
 * most of a game. Then they are back at the table.
 */
export async function playUnseen(players, table, cards = 99) {
    await Promise.all(
        players.map(async ({ page, token }) => {
            const address = page.url();
            await page.goto('/healthz');
            await page.evaluate(playSeat, [table, token, cards]);
            await page.goto(address);
        }),
    );
}

/** What the preview says a diver is worth, once the server has answered. */
export const worth = async (page) =>
    Number(await page.locator('.pv .big > span').first().innerText());

/** Waits until this page may do something, or the game is over; answers which step it is, in any language. */
export async function asked(page) {
    const found = await page.waitForFunction(
        () => {
            if (document.querySelector('.strip')) return 'over';
            const all = [...document.querySelectorAll('.soum .acts .btn')];
            if (all.length === 0 || all.some((b) => b.matches('[aria-disabled=true]:not(.off)')))
                return null; // not its turn, or the step is too new to be meant
            return ['place', 'diver', 'take'][
                [...document.querySelectorAll('.steps li')].findIndex((s) =>
                    s.matches('[aria-current=step]'),
                )
            ];
        },
        null,
        { timeout: PATIENCE, polling: 50 },
    );
    return found.jsonValue();
}

export async function atStep(page, phase) {
    await becomes(() => asked(page), phase, 'the step');
}

/** Waits until the one button of the step can be pressed. */
export const ready = (page) => page.locator('.acts .go:not([aria-disabled=true])').waitFor();
