// table.mjs: tables of DiverCity for the browser tests, and what their pages were told.
import { ok, until } from '../../../tests/browser/harness.mjs';
import { api } from '../../../tests/browser/room.mjs';

export const NAMES = ['Ana', 'Bram', 'Chloé', 'Dirk', 'Emma', 'Finn', 'Gwen'];
export const LONGEST = 800000;

/** Keeps what a page is told, and what the ways to play need to know of its seat. */
export function listen(page, seat, options = {}) {
    Object.assign(page, { frames: [], seat, options });
    page.on('websocket', (ws) =>
        ws.on('framereceived', (f) => page.frames.push(JSON.parse(f.payload))),
    );
}

/** A started table: `people` sit at their devices, bots on the other seats. */
export async function begin(world, options, people, devices = {}) {
    const pages = new Map();
    for (const seat of people) {
        const page = await world.device(devices[seat] ?? devices.all ?? {});
        listen(page, seat, options);
        pages.set(seat, page);
    }
    const any = pages.get(people[0]);
    const { table, host } = await api(any, 'POST', '/tables', {
        game: 'divercity',
        options,
        listed: false,
    });
    const seats =
        (options.divers === undefined ? 2 : options.divers) + (options.industrialist ? 1 : 0);
    for (let seat = 0; seat < seats; seat++) {
        if (!pages.has(seat))
            await api(any, 'POST', `/tables/${table}/bots`, { seat, bot: 'ranger' }, host);
        else
            pages.get(seat).token = (
                await api(any, 'POST', `/tables/${table}/seats`, { name: NAMES[seat], seat })
            ).token;
    }
    await api(any, 'POST', `/tables/${table}/start`, {}, host);
    for (const [seat, page] of pages) {
        await page.goto(`/#/s/${table}/${seat}/${page.token}`);
        await page.locator('.dc.board .hands').waitFor();
    }
    return { table, pages: [...pages.values()] };
}

/** One action of a page's seat over a stream of its own: what the test is not about, in any language. */
export const send = (page, table, action) =>
    page.evaluate(
        ([id, token, action]) =>
            new Promise((done, fail) => {
                const socket = new WebSocket(`ws://${location.host}/api/tables/${id}/live`);
                const say = (what) => socket.send(JSON.stringify(what));
                socket.onopen = () => {
                    say({ hello: token });
                    say({ id: `t${Date.now()}-${Math.random().toString(36).slice(2)}`, action });
                };
                socket.onmessage = (m) => {
                    const { ack, refused, message } = JSON.parse(m.data);
                    if (ack === undefined && refused === undefined) return;
                    socket.close();
                    if (refused === undefined) done();
                    else fail(new Error(message));
                };
            }),
        [table, page.token, action],
    );

/** The first legal action of each page in turn, or the one that `choose` finds, until the page's view is so. */
export async function sendUntil(page, pages, table, wanted, choose = () => undefined) {
    await until('this', async () => {
        for (const p of pages) {
            if (wanted(view(page))) return true;
            const v = view(p);
            const action =
                choose(v, p.seat) ?? v.legal.find((a) => /^(rig|play|take|end)$/.test(a.do));
            if (action === undefined) continue;
            await send(p, table, action);
            await until('the change', () => view(p) !== v);
        }
        return wanted(view(page));
    });
}

export const view = (page) => page.frames.findLast((f) => f.seq !== undefined && f.view)?.view;
/** The page says so once all has been shown. */
export const over = async (page) =>
    view(page)?.phase === 'over' &&
    (await page.locator('.strip').getByRole('button', { name: 'See the result' }).isVisible());

/** Runs in a page: plays its seat to the end over a stream of its own, as somebody who closes and tells nothing. */
const playSeat = ([table, token]) =>
    new Promise((done, fail) => {
        const socket = new WebSocket(`ws://${location.host}/api/tables/${table}/live`);
        let legal = [];
        let sent = 0;
        let answered = 0; // an answer comes after the change itself
        const act = () => {
            const action = legal.find((a) => /^(rig|play|end|industry)$/.test(a.do));
            if (answered < sent || action === undefined) return;
            socket.send(JSON.stringify({ id: `f${Date.now()}-${++sent}`, action }));
        };
        socket.onopen = () => socket.send(JSON.stringify({ hello: token }));
        socket.onerror = () => fail(new Error('the stream broke'));
        socket.onmessage = (m) => {
            const { view, ack, refused, message } = JSON.parse(m.data);
            if (refused !== undefined) fail(new Error(message));
            if (ack !== undefined) answered++;
            if (view?.legal) legal = view.legal;
            if (view?.phase !== 'over') return act();
            socket.close();
            done();
        };
    });

/** Each page plays its own seat to the end; afterwards it knows the end, but may not have shown everything yet. */
export async function finish(pages, table) {
    await Promise.all(pages.map((page) => page.evaluate(playSeat, [table, page.token])));
    await until('the end', () => pages.every((page) => view(page).phase === 'over'));
}

/** The same while the pages show nothing: what is drawn for nobody costs most of a game. Then they show the result. */
export async function finishUnseen(pages, table) {
    await Promise.all(
        pages.map(async (page) => {
            const address = page.url();
            await page.goto('/healthz');
            await page.evaluate(playSeat, [table, page.token]);
            await page.goto(address);
        }),
    );
    for (const page of pages) await page.getByText(/Species by zone, turn by turn/).waitFor();
}

export const isAnswer = (f) => f.ack !== undefined || f.refused !== undefined;
/** How many of this page's actions were answered; the answer comes after the change itself. */
export const answers = (page) => page.frames.filter(isAnswer).length;

/** After something was sent: until it is answered. Others may do something meanwhile. */
export async function heard(page, before) {
    await until('an answer to an action', () => answers(page) > before);
}

/** Plays until the page's view is so: rigs and plays only; `first`: at least one thing is done. */
export async function playUntil(page, pages, wanted, first = false) {
    const end = Date.now() + LONGEST;
    let did = first ? 0 : 1;
    while (did === 0 || !wanted(view(page))) {
        ok(Date.now() < end, 'this does not come');
        for (const p of pages) {
            const v = view(p);
            const now = v.legal.find((a) => a.do === 'rig' || a.do === 'play');
            if (!now || (p === page && did > 0 && wanted(v))) continue;
            const before = answers(p);
            await p.locator('.mine .pick').first().click();
            await p.getByRole('button', { name: /^(Give up|Play) card 1/ }).click();
            await heard(p, before);
            did++;
        }
        await page.waitForTimeout(60);
    }
}
