// board.mjs: Dive's planning board in windows of many sizes, in the longest language, and what one looks with.
import { becomes, equal, ok, run, until } from '../../../tests/browser/harness.mjs';
import { sweep } from '../../../tests/browser/layout.mjs';
import { api } from '../../../tests/browser/room.mjs';
import { sit, skip, table } from './tables.mjs';

const tests = {};
/** Nothing of the board scrolls while one plans. */
const still = () => '.dive, .play > main, .levels';
const language = 'fr';

/* ---- any window ---- */

/** A table of four with companions, at which the youngest has the one that is asked for. */
async function withCompanion(world, companion, people = ['Marguerite']) {
    const made = await table(
        world,
        { divers: 4, companions: 'ten', flashlight: true, ages: [0, 1, 2, 3] },
        people,
        'random',
    );
    const page = await sit(world, made, 0, { language });
    await page.locator(`[role=radio] img[src*="companion-${companion}"]`).click();
    await page.locator('.mates .btn.go').click();
    return { made, page };
}
/** Two tokens on level 1 and one on level 2, once the picture is there. */
async function plan(page) {
    await page.locator('.dive.plan .picture').waitFor();
    await page.locator('.tray [data-air="2"]').click();
    await page.locator('.lv.l1 button.no').click();
    for (const n of [5, 3]) await page.locator(`.tray [data-air="${n}"]`).click();
}
const use = async (page) => {
    await page.locator('.mate').click();
    await page.locator('.matesheet .btn.go').click();
};

tests['A2 choosing a companion fits any window'] = async (world) => {
    const made = await table(
        world,
        { divers: 4, companions: 'ten', ages: [0, 1, 2, 3] },
        ['Marguerite', 'Bartholomée'],
        'random',
    );
    const page = await sit(world, made, 0, { language });
    await page.locator('.mates .t').nth(9).waitFor();
    await sweep(page, 'choosing', { still: () => '.dive, .play > main' });
    // A list that goes on below its edge shows it, and no longer once it was scrolled.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.mates .g:not(.whole)').waitFor();
    await page.locator('.mates .t').last().scrollIntoViewIfNeeded();
    await page.locator('.mates .g').evaluate((g) => g.scrollTo(0, g.scrollHeight));
    await page.locator('.mates .g.whole').waitFor();
};

tests['A2 A3 A20 planning fits any window, with companions and at full size'] = async (world) => {
    const { page } = await withCompanion(world, 'great-white');
    await plan(page);
    await sweep(page, 'planning', { still });
    await page.locator('.mate').click();
    // The sheet lies over the plan while it is open.
    await sweep(page, "one's companion", { still, small: '.lv .air' });
    const sheet = await page.locator('.matesheet').boundingBox();
    ok(sheet.width > 240, `the sheet of a companion is ${sheet.width} px wide`);
    await page.keyboard.press('Escape');
    await use(page);
    await page.locator('.announced').waitFor();
    await sweep(page, 'an announced companion', { still });
    await page.keyboard.press('f');
    await page.locator('.plan.full').waitFor();
    await sweep(page, 'full size', { still });
};

tests['A3 A10 the anglerfish fits any window'] = async (world) => {
    const { page } = await withCompanion(world, 'anglerfish');
    await page.locator('.dive.plan .picture').waitFor();
    await sweep(page, 'the anglerfish before it is laid', { still });
    for (const n of [1, 2, 3, 4, 5]) await page.locator(`.tray [data-air="${n}"]`).click();
    await page.locator('.lv.l6 .well').click();
    await page.locator('.lv.l6 .tile').waitFor();
    await sweep(page, 'a sixth level', { still });
};

tests['A9 the fugu is held beside Ready, never on the ocean, in any window'] = async (world) => {
    const { page } = await withCompanion(world, 'fugu');
    await plan(page);
    await use(page);
    await page.locator('.breath').waitFor();
    await page.keyboard.down('Space');
    await page.locator('.breath.held').waitFor();
    await sweep(page, 'the fugu', { still });
    await page.keyboard.up('Space');
};

tests['A3 the orca’s seconds stand in its line, in any window'] = async (world) => {
    const { page } = await withCompanion(world, 'orca');
    await plan(page);
    await use(page);
    const clock = page.locator('.announced [role=timer]');
    await clock.waitFor();
    // It is over after ten seconds: three windows, as many as there is time for on any machine.
    await sweep(page, 'the orca', {
        still,
        sizes: [
            [1366, 620],
            [360, 640],
            [844, 390],
        ],
    }).catch(async (e) => {
        if (await clock.isVisible()) throw e;
    });
};

tests['A2 the children’s version fits any window'] = async (world) => {
    const made = await table(world, { divers: 2, children: true }, ['Marguerite']);
    const page = await sit(world, made, 0, { language });
    await page.locator('.dive.plan .picture').waitFor();
    await sweep(page, 'the children’s version', { still });
};

/** The dive's stage and what comes after it. */
tests['the dive, Rest, the axolotl’s question and the end fit any window'] = async (world) => {
    const { page } = await withCompanion(world, 'axolotl');
    await plan(page);
    await page.locator('[data-part=ready]').click();
    await page.locator('.stage').waitFor();
    const go = page.locator('.ctl .go');
    await page.locator('.ctl .btn').first().click(); // pause
    await page.locator('.ctl .skip').click();
    await go.waitFor();
    await sweep(page, 'the dive', { still });
    await until('Rest', async () => {
        if (await page.locator('.ctl .go, .ctl .skip').first().isVisible()) await skip(page);
        return page.locator('.dive.rest').isVisible();
    });
    await page.locator('.ask .btn, .rest .btn').first().waitFor();
    await sweep(page, 'Rest and the axolotl');
    // Four bots play a game by themselves; its end is the same for who watches.
    const other = await table(world, { divers: 4, chief: true }, [], 'random');
    await until(
        'the end',
        async () => (await api(world, 'GET', `/tables/${other.table}`)).state === 'over',
    );
    await page.goto(`/#/table/${other.table}`);
    await page.locator('.dive.result').waitFor();
    await sweep(page, 'the end');
};

/* ---- looking ---- */

const tiltOf = (url) =>
    /ocean\/\d+\/(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)/.exec(url)?.slice(1).map(Number) ?? [0, 0];
const asked = (page, test) =>
    until('that picture', () => (page.pictures ?? []).some((u) => test(...tiltOf(u))));
async function looker(world, device = {}) {
    const made = await table(world, { divers: 2, flashlight: true }, ['Ana']);
    const ana = await sit(world, made, 0, device);
    await ana.locator('.picture').waitFor();
    return ana;
}

tests['A8 arrow keys tilt from anywhere on the board, also at full size'] = async (world) => {
    const ana = await looker(world);
    await ana.keyboard.press('ArrowRight');
    await asked(ana, (x) => x > 0);
    await ana.locator('.tray [data-air="2"]').focus();
    await ana.keyboard.press('0');
    await ana.keyboard.press('ArrowUp');
    await asked(ana, (x, y) => x === 0 && y < 0);
    await ana.getByRole('button', { name: /full size/i }).click();
    await ana.keyboard.press('ArrowLeft');
    await asked(ana, (x) => x < 0);
    // Where arrows choose they still do.
    await ana.keyboard.press('Escape');
    await ana.locator('.tray [data-air="2"]').click();
    await ana.locator('.lv.l1 [role=radio]').first().focus();
    await ana.keyboard.press('ArrowRight');
    await ana.locator('.lv.l1 .air.shark').waitFor();
};

tests['wiggle rocks to both sides while it is held, and comes back'] = async (world) => {
    const ana = await looker(world, { calm: false });
    const level = ana.locator('.look .level');
    await ana.keyboard.down('w');
    await asked(ana, (x) => x > 5);
    await asked(ana, (x) => x < -5);
    await ana.keyboard.up('w');
    await becomes(() => level.getAttribute('aria-label'), 'Tilt: straight', 'it comes back');
    // A tap rocks it once.
    const before = ana.pictures.length;
    await ana.getByRole('button', { name: /^Wiggle/ }).click();
    await ana.getByRole('button', { name: /^Wiggle/, pressed: true }).waitFor();
    await ana.getByRole('button', { name: /^Wiggle/, pressed: false }).waitFor();
    equal(ana.pictures.length, before, 'pictures that were asked for again');
};

tests['wiggle with reduced motion is one fixed tilt'] = async (world) => {
    const ana = await looker(world);
    const wiggle = ana.getByRole('button', { name: /^Wiggle/ });
    await wiggle.focus();
    await ana.keyboard.down('Space');
    await asked(ana, (x) => x > 5);
    await ana.keyboard.up('Space');
    await becomes(() => ana.locator('.look .level').getAttribute('aria-label'), 'Tilt: straight');
    ok(!ana.pictures.some((u) => tiltOf(u)[0] < 0), 'it went to the other side');
};

tests['the wheel and two fingers zoom, and the small map shows which part'] = async (world) => {
    const ana = await looker(world);
    const side = async () => (await ana.locator('.picture').boundingBox()).width;
    const before = await side();
    const box = await ana.locator('.ocean [role=application]').boundingBox();
    await ana.mouse.move(box.x + box.width / 4, box.y + box.height / 4);
    await ana.mouse.wheel(0, -400);
    await until('a larger picture', async () => (await side()) > before * 1.4);
    await ana.locator('.ocean .map').waitFor();
    await ana.getByRole('button', { name: 'Straight', exact: true }).click();
    await until('the whole picture', async () => (await side()) < before * 1.05);
    await ana.locator('.ocean .map').waitFor({ state: 'hidden' });
    // Two fingers apart.
    await ana.locator('.ocean [role=application]').evaluate(
        (e, { x, y }) => {
            const at = (type, id, dx) =>
                e.dispatchEvent(
                    new PointerEvent(type, {
                        pointerId: id,
                        pointerType: 'touch',
                        button: type === 'pointermove' ? -1 : 0,
                        clientX: x + dx,
                        clientY: y,
                        bubbles: true,
                    }),
                );
            e.setPointerCapture = () => {}; // these fingers are not the browser's own
            at('pointerdown', 21, -40);
            at('pointerdown', 22, 40);
            at('pointermove', 21, -80);
            at('pointermove', 22, 80);
            at('pointerup', 21, -80);
            at('pointerup', 22, 80);
        },
        { x: box.x + box.width / 2, y: box.y + box.height / 2 },
    );
    await until('a pinched picture', async () => (await side()) > before * 1.8);
};

tests['A18 full size is larger on a phone, and the plan stays'] = async (world) => {
    const ana = await looker(world, { size: 'phone' });
    await ana.setViewportSize({ width: 360, height: 640 });
    const side = async () => (await ana.locator('.picture').boundingBox()).width;
    const before = await side();
    await ana.getByRole('button', { name: /full size/i }).click();
    await until('a larger picture', async () => (await side()) > before * 1.3);
    await ana.locator('.tray [data-air="4"]').click();
    await ana.getByRole('button', { name: 'I’m ready' }).click();
    await ana.locator('.dive.reveal').waitFor();
};

tests['the lamp is one button beside the ocean'] = async (world) => {
    const ana = await looker(world, { size: 'phone' });
    for (const where of ['No lamp', 'Above', 'Side', 'Below', 'No lamp']) {
        const lamp = ana.getByRole('button', { name: `Lamp: ${where}` });
        await lamp.waitFor();
        const [a, b] = [await lamp.boundingBox(), await ana.locator('.ocean .frame').boundingBox()];
        ok(a.y >= b.y + b.height || a.x >= b.x + b.width, 'it lies on the picture');
        await lamp.click();
    }
    ok(
        ana.pictures.some((u) => u.includes('/below:')),
        'a picture lit from below',
    );
};

/* ---- Ready ---- */

tests['A20 Ready is amber only when it can be pressed, and says that it waits for the connection'] =
    async (world) => {
        const ana = await looker(world);
        const ready = ana.locator('[data-part=ready]');
        const amber = () =>
            ready.evaluate((e) => getComputedStyle(e).backgroundColor === 'rgb(255, 200, 87)');
        await ready.hover();
        equal(await amber(), false, 'without a token it is');
        await ready.click({ force: true }); // it is closed, and says why
        await ana.locator('.toast', { hasText: 'Place at least one air token.' }).waitFor();
        await ana.locator('.tray [data-air="4"]').click();
        await ana.mouse.move(0, 0);
        await becomes(amber, true, 'with a token it is');
        await until('the plan at the server', () =>
            ana.heard.some((f) => f.includes('"tokens":[4]')),
        );
        await ana.context().setOffline(true);
        await ready.click();
        await ready.getByText('Sent when you’re back online').waitFor();
        await ana.context().setOffline(false);
        await ana.locator('.dive.reveal').waitFor();
    };

await run(tests);
