// stage.mjs: the dive as theatre: what is told when, going on, skipping and pausing, the table screen and the phones beside it.
import {
    accessible,
    becomes,
    equal,
    fits,
    ok,
    run,
    until,
} from '../../../tests/browser/harness.mjs';
import { sit, skip, table, told, use } from './tables.mjs';

const beat = (page) => page.locator('.stage').getAttribute('data-beat');

/** Ana lays five levels of one token and is ready; the bots are, too. */
async function dive(world, options, device) {
    const made = await table(world, options, ['Ana']);
    const ana = await sit(world, made, 0, device);
    await ana.locator('.dive.plan').waitFor();
    return [ana, made];
}

async function ready(page, tokens = [5, 1, 2, 3, 4]) {
    for (const n of tokens) await page.locator(`.tray [data-air="${n}"]`).click();
    await page.locator('.btn.go', { hasText: 'I’m ready' }).click();
}

/** All words of a page that somebody could read or hear, with what only the pictures' labels say. */
const wordsOf = (page) =>
    page.evaluate(() => {
        const said = [...document.querySelectorAll('[aria-label], [alt], [title]')].flatMap((e) =>
            ['aria-label', 'alt', 'title'].map((a) => e.getAttribute(a) ?? ''),
        );
        const live = [...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map(
            (e) => e.textContent ?? '',
        );
        return [document.title, document.body.innerText, ...said, ...live].join(' \n');
    });

/** Names what lies on a sheet: a shark, none, or one of the helpers. */
const names = /shark|turtle|manta/i;

await run({
    'A6 no word names the sheet before its verdict': async (world) => {
        const [ana, made] = await dive(world, { divers: 3 });
        const tv = await world.device();
        await tv.setViewportSize({ width: 1920, height: 1080 });
        await tv.goto(`/#/screen/${made.table}`);
        await tv.locator('.dive.tv .ocean').waitFor();
        // Whatever either page says from now on is kept with the beat that it was said in.
        for (const page of [ana, tv])
            await page.evaluate(() => {
                window.said = [];
                const note = () => {
                    const at = document.querySelector('.stage')?.getAttribute('data-beat');
                    if (at === undefined || at === null) return;
                    const labels = [
                        ...document.querySelectorAll('.stage [alt], .stage [aria-label]'),
                    ]
                        .map(
                            (e) =>
                                `${e.getAttribute('alt') ?? ''} ${e.getAttribute('aria-label') ?? ''}`,
                        )
                        .join(' ');
                    const live = [...document.querySelectorAll('[aria-live]')]
                        .map((e) => e.textContent)
                        .join(' ');
                    const told = document.querySelector('.stage .pit')?.innerText ?? '';
                    window.said.push([Number(at), `${document.title} ${labels} ${live} ${told}`]);
                };
                new MutationObserver(note).observe(document, {
                    subtree: true,
                    childList: true,
                    attributes: true,
                    characterData: true,
                });
            });
        await ready(ana);
        await ana.getByRole('button', { name: 'Show the dive on this phone too' }).click();
        await ana.locator('.stage').waitFor();
        await ana.getByRole('button', { name: 'Pause' }).click();
        await ana.locator('.lift img[alt="The top sheet"]').waitFor({ state: 'attached' });
        while (Number(await beat(ana)) < 4) {
            ok(!names.test(await wordsOf(ana)), `beat ${await beat(ana)}: ${await wordsOf(ana)}`);
            await ana.keyboard.press('ArrowRight');
        }
        await until('the verdict on both', async () => {
            if ((await beat(ana)) === '4') await ana.keyboard.press('ArrowRight');
            return (
                (await ana.locator('.told').isVisible()) &&
                tv.evaluate(() => window.said.some(([at]) => at === 5))
            );
        });
        for (const page of [ana, tv]) {
            const said = await page.evaluate(() => window.said);
            const early = said.filter(
                ([at, words]) => at < 5 && names.test(words.replaceAll(/I’m ready/g, '')),
            );
            equal(early, [], 'named before the verdict:');
            ok(
                said.some(([at, words]) => at >= 5 && /shark/i.test(words)),
                'and never named after it',
            );
        }
        await ana.getByRole('img', { name: /^Revealed sheet: / }).waitFor();
    },

    'the stage goes beat by beat, holds, skips, and rings the creatures where the server says':
        async (world) => {
            const [ana] = await dive(world, { divers: 2 });
            await ready(ana);
            await ana.locator('.stage').waitFor();
            await ana.getByRole('button', { name: 'Pause' }).click();
            equal(await ana.locator('header.bar').count(), 0, 'bars while the lights are down:');
            equal(await ana.locator('.flip.turned').count(), 0, 'faces up in the first beats:');
            const held = await beat(ana);
            await ana.waitForTimeout(1200); // longer than this beat would hold
            equal(await beat(ana), held, 'the beat that is held:');
            const view = JSON.parse(told(ana)).view;
            for (let level = 1; level <= view.dive.cards.length; level++) {
                if ((await ana.locator('.stage').count()) === 0) break; // nobody has reached the last ones
                await becomes(
                    () => ana.locator('.plates .on').innerText(),
                    String(level),
                    'the level on stage',
                );
                await ana.locator('.stage').press('ArrowRight');
                await ana.locator('.lift img').first().waitFor();
                await ana.getByRole('button', { name: 'Skip animation' }).click();
                await ana.locator('.told').waitFor();
                const card = view.dive.cards[level - 1];
                await becomes(
                    () => ana.locator('[data-spot=shark]').count(),
                    Number(card.includes('shark')),
                    `rings on ${card}`,
                );
                const helped = view.dive.moves.some((m) => m.level === level);
                await becomes(() => beat(ana), helped ? '6' : '5', `the last beat of ${card}`);
                equal(await ana.locator('.swim').count(), Number(helped), 'a helper that swims:');
                await skip(ana);
            }
            await ana.locator('.dive.rest').waitFor();
            await ana.locator('header.bar').waitFor(); // the lights are on again
        },

    'the stage fits a low laptop, a phone upright and on its side, and keeps the descent in view':
        async (world) => {
            const [ana] = await dive(world, { divers: 4, chief: true });
            await ready(ana);
            await ana.locator('.stage').waitFor();
            await ana.getByRole('button', { name: 'Pause' }).click();
            await ana.getByRole('button', { name: 'Skip animation' }).click();
            for (const [width, height] of [
                [1366, 620],
                [1024, 768],
                [844, 390],
                [683, 384],
                [390, 844],
                [360, 640],
            ]) {
                const where = `${width}×${height}`;
                await ana.setViewportSize({ width, height });
                await fits(ana, where);
                const seen = await ana.evaluate(() => {
                    const box = (what) => document.querySelector(what).getBoundingClientRect();
                    const rows = [...document.querySelectorAll('.cast1')].map((e) =>
                        e.getBoundingClientRect(),
                    );
                    const [line, sheet, ctl, told] = ['.stage .line', '.lift', '.ctl', '.told'].map(
                        box,
                    );
                    const inside = (b) =>
                        b.top >= -1 &&
                        b.left >= -1 &&
                        b.bottom <= innerHeight + 1 &&
                        b.right <= innerWidth + 1;
                    const apart = (a, b) =>
                        a.right <= b.left + 1 ||
                        b.right <= a.left + 1 ||
                        a.bottom <= b.top + 1 ||
                        b.bottom <= a.top + 1;
                    return {
                        inside: [line, sheet, ctl, told, ...rows].every(inside),
                        apart:
                            rows.every((r) => [line, sheet, ctl, told].every((b) => apart(r, b))) &&
                            apart(sheet, line) &&
                            apart(ctl, sheet) &&
                            apart(told, sheet),
                        rows: rows.every((r, i) => rows.every((q, j) => i === j || apart(r, q))),
                        sheet: Math.min(sheet.width, sheet.height),
                        targets: [...document.querySelectorAll('.ctl .btn')].every(
                            (b) =>
                                b.getBoundingClientRect().height >= 44 &&
                                b.getBoundingClientRect().width >= 44,
                        ),
                    };
                });
                ok(seen.inside, `${where}: something is off the screen: ${JSON.stringify(seen)}`);
                ok(
                    seen.apart && seen.rows,
                    `${where}: something lies on something else: ${JSON.stringify(seen)}`,
                );
                ok(seen.sheet >= 200, `${where}: the sheet has ${seen.sheet} px`);
                ok(seen.targets, `${where}: a button is too small`);
                await world.shot(ana, `dive-stage-${width}x${height}`);
            }
            await accessible(ana, 'the stage');
        },

    'phones say look up while the table screen plays the dive, and tell no outcome': async (
        world,
    ) => {
        const [ana, made] = await dive(world, { divers: 2 }, { size: 'phone' });
        const tv = await world.device();
        await tv.setViewportSize({ width: 1920, height: 1080 });
        await tv.goto(`/#/screen/${made.table}`);
        await tv.locator('.dive.tv').waitFor();
        await ana.locator('.dive.private').waitFor();
        await ready(ana);
        await ana.getByRole('heading', { name: 'Look up' }).waitFor();
        await ana.locator('.dive.lookup li.now').waitFor();
        equal(
            await ana.locator('.dive.lookup .airs b').allInnerTexts(),
            ['5', '1', '2', '3', '4'],
            'the own plan:',
        );
        ok(
            !/right|wrong|turtle|manta|keeps|loses/i.test(await wordsOf(ana)),
            'the phone tells what is on stage',
        );
        await tv.locator('.dive.tv .stage').waitFor();
        equal(await tv.locator('.stage button').count(), 0, 'buttons on the table screen:');
        await until('a large picture', () =>
            tv.evaluate(() => (document.querySelector('.lift img')?.naturalWidth ?? 0) === 1024),
        );
        await accessible(ana, 'look up');
        await fits(ana, 'look up');
        await world.shot(ana, 'dive-lookup');
        await world.shot(tv, 'dive-stage-tv');
        await ana.getByRole('button', { name: 'Show the dive on this phone too' }).click();
        await ana.locator('.stage').waitFor();
        await until('rest on the phone', async () => {
            if (await ana.locator('.stage').isVisible()) await skip(ana);
            return ana.locator('.dive.rest').isVisible();
        });
        await tv.locator('.dive.tv.rest, .dive.tv.plan').waitFor(); // it goes on by itself
    },

    'A16 with a clock Rest stays until it was read': async (world) => {
        const [ana] = await dive(world, { divers: 2, clock: 60 });
        await ready(ana, [5]);
        await ana.locator('.dive.rest').waitFor(); // the clock waits for nobody: the dive goes on by itself
        const starts = await ana.evaluate(() => performance.now());
        await until('the clock of round 2', () => ana.locator('.rest .clock').isVisible());
        await until(
            'the time after which it used to close',
            async () => (await ana.evaluate(() => performance.now())) > starts + 8000,
        );
        ok(await ana.locator('.dive.rest').isVisible(), 'Rest has closed by itself');
        await ana.getByRole('button', { name: /^Round 2/ }).click();
        await ana.locator('.dive.plan').waitFor();
    },

    'A20 the stage shows the clownfish on a phone': async (world) => {
        const made = await table(world, { divers: 2, companions: 'seven', ages: [0, 1] }, [
            'Ana',
            'Bram',
        ]);
        const [ana, bram] = [
            await sit(world, made, 0, { size: 'phone' }),
            await sit(world, made, 1),
        ];
        await bram.getByRole('radio', { name: /Orca/ }).click();
        await bram.getByRole('button', { name: /^Take / }).click();
        await ana.getByRole('radio', { name: /Clownfish/ }).click();
        await ana.getByRole('button', { name: /^Take / }).click();
        await ana.locator('.dive.plan').waitFor();
        await ana.locator('.tray [data-air="4"]').click();
        await use(ana, 'Place it');
        await ana.locator('.lv.l1 button.no').click();
        await until('the clownfish at the server', () =>
            ana.heard.some((f) => f.includes('"clownfish":1')),
        );
        await ana.locator('.btn.go', { hasText: 'I’m ready' }).click();
        await ready(bram, [5]);
        await ana.locator('.stage').waitFor();
        await ana.getByRole('button', { name: 'Pause' }).click();
        await ana.getByRole('button', { name: 'Skip animation' }).click();
        await ana.locator('.cast1 .cf').waitFor();
        await becomes(
            () => ana.locator('.cast1[data-who="0"] .sp').innerText(),
            '7',
            '4 and the clownfish',
        );
    },

    'the stage keeps its beats as cuts where motion is reduced, and moves where it is not': async (
        world,
    ) => {
        for (const calm of [true, false]) {
            const [ana] = await dive(world, { divers: 2 }, { calm });
            await ready(ana);
            await ana.locator('.stage').waitFor();
            await ana.getByRole('button', { name: 'Pause' }).click();
            const moves = await ana
                .locator('.flip > span')
                .first()
                .evaluate((e) => getComputedStyle(e).transitionDuration);
            equal(moves === '0s', calm, `${calm ? 'calm' : 'lively'}: a face turns in ${moves}`);
            await becomes(async () => Number(await beat(ana)) < 4, true, 'beats are not left out');
        }
    },
});
