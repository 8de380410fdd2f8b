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

/** One step of the game with the pointer alone. */
export async function point(page) {
    const at = await stage(page);
    if (at === 'reveal') await skip(page);
    else if (at === 'rest') {
        const keep = page.getByRole('button', { name: 'Keep it' });
        if (await keep.isVisible()) await keep.click();
        else
            await page
                .getByRole('button', { name: /^Round \d+$/ })
                .click({ timeout: 2000 })
                .catch(() => {});
    } else if (
        at === 'plan' &&
        (await page.getByRole('button', { name: 'I’m ready' }).isVisible())
    ) {
        const air = page.locator('.tray [data-air]:not([disabled])');
        if ((await air.count()) > 2) await air.last().click();
        else if ((await page.locator('.lv.l1 .air.shark').count()) === 0) {
            if (await page.locator('.lv.l1 .flipb').isVisible())
                await page.locator('.lv.l1 .flipb').click();
            else await page.locator('.lv.l1 [role=radio]').nth(1).click();
        } else {
            await page.getByRole('button', { name: 'I’m ready' }).click();
            await page.getByRole('button', { name: 'I’m ready' }).waitFor({ state: 'hidden' });
        }
    }
}
