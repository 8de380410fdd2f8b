// dive.mjs: Dive through its real pages: whole games with pointer, keys and touch, every companion that is announced, the
// table screen, and that nobody's plan reaches another page before the dive.
import * as check from '../../../tests/browser/harness.mjs';
import {
    accessible,
    becomes,
    equal,
    fits,
    ok,
    PACE,
    run,
    sizes,
    until,
} from '../../../tests/browser/harness.mjs';
import { faults } from '../../../tests/browser/layout.mjs';
import { afterwards, bigScreen, kept } from '../../../tests/browser/room.mjs';
import {
    glance,
    isReady,
    over,
    playUnseen,
    point,
    sit,
    skip,
    stage,
    table,
    told,
    use,
} from './tables.mjs';

/* ---- playing ---- */

/** One step of the game with the keyboard alone. */
async function type(page, now) {
    if (now.stage === 'reveal' || now.stage === 'rest') await page.keyboard.press('Enter');
    else if (now.stage === 'plan' && now.open) {
        for (let n = now.laid + 1; n <= 3; n++)
            for (const k of [String(n), String(n)]) await page.keyboard.press(k);
        if (!now.sharks.includes(3)) await page.keyboard.press('s');
        await page.locator('.lv.l3 .air.shark').waitFor();
        await page.keyboard.press('Enter');
        await isReady(page);
    }
}

/** As `point`, but nobody expects a shark on the first level: somebody there is right, and the dive goes deeper. */
const pointCalmly = (page, now) => point(page, now, 3, []);

/** With these plans, round by round: how many levels, and where the sharks are. Then calmly. */
function planned(plans) {
    let round = 0;
    return async (page, now) => {
        await point(page, now, ...(plans[round] ?? [3, []]));
        if (now.stage === 'plan' && now.open) round++;
    };
}

/** Each page is played until this is so: that its game is over, unless said otherwise. */
async function toTheEnd(players, ended = (now) => now.over) {
    await until(
        'the end of the game',
        async () => {
            let done = 0;
            for (const [page, play] of players) {
                const now = await glance(page);
                if (ended(now)) done++;
                else await play(page, now);
            }
            return done === players.length;
        },
        600000,
    );
}

const atRest = (now) => now.stage === 'rest';

/** Chooses a companion for a diver who is the youngest, so that it is had. */
async function choose(page, name) {
    await page.getByRole('radio', { name }).click();
    await page.getByRole('button', { name: /^Take / }).click();
    await page.locator('.dive.plan').waitFor();
}

/** Pulls a window to a size: what depends on it has changed once a picture was drawn. */
async function pull(page, size) {
    await page.setViewportSize(size);
    await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
}

/** Until a second has passed in which the page was told nothing and did not change. */
async function quiet(page) {
    const state = async () => `${page.heard.length} ${await page.locator('.dive').innerHTML()}`;
    let before = '';
    await until('a quiet page', async () => {
        const now = await state();
        if (now === before) return true;
        before = now;
        await page.waitForTimeout(1000);
        return false;
    });
}

const announced = (page) => page.getByRole('list', { name: 'Companions in use' });

await run({
    'a whole game on a TV and two phones that typed its code': async (world) => {
        const { tv, phones, table: made } = await bigScreen(world, 'dive', ['Ana', 'Bram']);
        await tv.locator('.dive.tv .ocean img').waitFor();
        for (const phone of phones) await phone.locator('.dive.private').waitFor();
        const here = (page) =>
            page
                .locator('.dive.lookup')
                .getByRole('button', { name: 'Show the dive on this phone too' });
        // The first deal of a seeded server: with another one the game is as good, but longer.
        const wisely = planned([
            [5, [1, 4, 5]],
            [5, [1, 2, 3, 5]],
            [5, [1]],
            [3, [2, 3]],
        ]);
        const beside = (play) => (page, now) => (now.beside ? here(page).click() : play(page, now));
        const [ana, bram] = [
            [phones[0], beside(wisely)],
            [phones[1], beside(pointCalmly)],
        ];
        await toTheEnd([ana, bram], atRest);
        await Promise.all([
            toTheEnd([ana]),
            playUnseen(phones[1], made, (await kept(phones[1]))[0].seats[0].token),
        ]);
        await tv.locator('.dive.tv.over .rank li').nth(1).waitFor(); // at its own pace
        equal(await faults(tv), [], 'the end on the TV');
        await world.shot(tv, 'dive-tv-end');
        await over(phones[0]).click();
        for (const phone of phones) {
            await phone.getByRole('heading', { level: 1, name: /win|lose|draw/i }).waitFor();
            await fits(phone, 'the end');
        }
    },

    'a whole game: a laptop with bars, a diver with keys, a phone on its side, and a bot': async (
        world,
    ) => {
        // The first deal of a server of its own, so the plans are known to be right.
        const address = await world.serve();
        const made = await table({ address }, { divers: 4 }, ['Ana', 'Bram', 'Chloé']);
        const [ana, bram, chloe] = [
            await sit(world, made, 0, { address, size: 'laptop', pace: PACE }),
            await sit(world, made, 1, { address, pace: PACE }),
            await sit(world, made, 2, { address, size: 'landscape', pace: PACE }),
        ];
        const wisely = planned([
            [5, [1]],
            [5, [4]],
            [5, [3, 5]],
            [5, [1]],
        ]);
        const others = [
            [ana, wisely],
            [bram, type],
        ];
        await toTheEnd([...others, [chloe, pointCalmly]], atRest);
        await fits(chloe, 'a phone on its side: rest');
        // Each kind of device plays to the end somewhere; this one is seen again then.
        await Promise.all([toTheEnd(others), playUnseen(chloe, made.table, made.seats[2].token)]);
        await chloe.getByRole('img', { name: /Depth after each round/ }).waitFor();
        await fits(chloe, 'a phone on its side: the end');
        await over(ana).click();
        await ana.getByRole('heading', { level: 1, name: /win|draw/i }).waitFor();
        await becomes(
            () => ana.locator('.dive.result .rank li').count(),
            4,
            'divers in the ranking',
        );
        await ana.getByRole('img', { name: /Depth after each round/ }).waitFor();
        await accessible(ana, 'the end');
        await world.shot(ana, 'dive-end');
        await bram.reload();
        await bram.getByRole('img', { name: /Depth after each round/ }).waitFor(); // a page that comes late asks for the record
        await afterwards(bram, made.table, check, 'Dive');
    },

    'nothing of a plan reaches another page before the dive': async (world) => {
        const made = await table(world, { divers: 2 }, ['Ana', 'Bram']);
        const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
        const table0 = await world.device();
        await table0.goto(`/#/screen/${made.table}`);
        await table0.locator('.dive.tv').waitFor();
        // Beside a table screen both have their private boards; Ana looks at the ocean as well.
        await ana.getByRole('button', { name: 'Look here' }).click();
        await ana.locator('.ocean img').first().waitFor();
        await bram.locator('.dive.private').waitFor();
        await quiet(ana);
        const [heard, seen] = [ana.heard.length, await ana.locator('.dive').innerHTML()];
        for (const n of [5, 4, 3]) await bram.locator(`.tray [data-air="${n}"]`).click();
        await bram.locator('.lv.l2 .flipb').click();
        await until('the plan at the server', () =>
            bram.heard.some((f) => f.includes('"tokens":[3]')),
        );
        await ana.waitForTimeout(600);
        equal(ana.heard.slice(heard), [], 'what Ana was told while Bram planned:');
        equal(await ana.locator('.dive').innerHTML(), seen, "Ana's page while Bram planned:");
        await bram.getByRole('button', { name: 'I’m ready' }).click();
        await until('Bram being ready', () => ana.heard.some((f) => f.includes('"event":"ready"')));
        ok(
            !ana.heard.join().includes('"tokens":[5]'),
            "Bram's plan in Ana's stream before the dive",
        );
        await ana.locator('.tray [data-air="1"]').click();
        await ana.getByRole('button', { name: 'I’m ready' }).click();
        await ana.locator('.dive.lookup').waitFor();
        await until('the dive showing the plan', () => ana.heard.join().includes('"tokens":[5]')); // so the check above can fail
    },

    'plan, dive and rest are accessible and fit, on a desktop, a tablet and a phone': async (
        world,
    ) => {
        // A touched device is pulled from one size to the other.
        for (const all of [['desktop'], ['tablet', 'phone']]) {
            const made = await table(world, { divers: 4, flashlight: true }, ['Ana']);
            const ana = await sit(world, made, 0, { size: all[0] });
            const examined = async (what) => {
                for (const size of all) {
                    await pull(ana, sizes[size]);
                    await accessible(ana, `${size}: ${what}`);
                    await fits(ana, `${size}: ${what}`);
                    await world.shot(ana, `dive-${size}-${what}`);
                }
            };
            await ana.locator('.ocean img').first().waitFor();
            for (const n of [2, 4]) await ana.locator(`.tray [data-air="${n}"]`).click();
            await until('the bots', () =>
                JSON.parse(told(ana) || '{}')
                    .view?.ready.slice(1)
                    .every(Boolean),
            );
            await examined('plan');
            await ana.getByRole('button', { name: 'I’m ready' }).click();
            await ana.locator('.dive.reveal').waitFor();
            await ana.getByRole('button', { name: 'Pause' }).click();
            await ana.getByRole('button', { name: 'Skip animation' }).click();
            await examined('dive');
            await until('rest', async () => {
                if ((await stage(ana)) === 'reveal') await skip(ana);
                return (await stage(ana)) === 'rest';
            });
            await examined('rest');
        }
    },

    'a private board beside a table screen: the log waits for the dive': async (world) => {
        const made = await table(world, { divers: 2 }, ['Ana']);
        const tv = await world.device({ pace: PACE });
        await tv.setViewportSize({ width: 1920, height: 1080 });
        await tv.goto(`/#/screen/${made.table}`);
        const ana = await sit(world, made, 0, { size: 'phone', pace: PACE });
        await ana.locator('.dive.private').waitFor();
        await becomes(() => ana.locator('.ocean').count(), 0, 'oceans on a private board');
        await ana.locator('.tray [data-air="1"]').click();
        await ana.getByRole('button', { name: 'Menu' }).click();
        await ana.getByRole('button', { name: 'What happened' }).click();
        const log = ana.locator('aside ol');
        // The log lies over the button, and there is no bar to open it from while the dive is shown.
        await ana.locator('.btn.go', { hasText: 'I’m ready' }).dispatchEvent('click');
        await ana.locator('.dive.lookup').waitFor();
        ok(
            !/Level|right|wrong|stays|goes from/.test((await log.textContent()) ?? ''),
            'the log tells what is still being shown',
        );
        await ana.keyboard.press('Escape');
        await ana.getByRole('button', { name: 'Show the dive on this phone too' }).click();
        await tv.locator('.dive.tv.reveal, .dive.tv.rest').waitFor();
        await toTheEnd([[ana, point]], atRest); // whole games beside a table screen are above
        await ana.getByRole('button', { name: 'Menu' }).click();
        await ana.getByRole('button', { name: 'What happened' }).click();
        await log
            .getByText(/Level 1/)
            .first()
            .waitFor(); // and later it does
        await tv.locator('.dive.tv.rest, .dive.tv.plan').waitFor(); // at its own pace
    },

    'great white, narwhal and green turtle are announced, and all are told': async (world) => {
        for (const [mine, theirs] of [
            [/Great white/, /Narwhal/],
            [/Giant green turtle/, /Clownfish/],
        ]) {
            const made = await table(world, { divers: 2, companions: 'ten', ages: [0, 1] }, [
                'Ana',
                'Bram',
            ]);
            const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
            await bram.getByRole('radio', { name: theirs }).click();
            await bram.getByRole('button', { name: /^Take / }).click();
            await choose(ana, mine);
            for (const [page, other, companion] of [
                [ana, bram, mine],
                ...(theirs.source === 'Narwhal' ? [[bram, ana, theirs]] : []),
            ]) {
                await use(page);
                await announced(other).getByText(companion).waitFor();
                await page.locator('.mate').getByText('In use this round.').waitFor();
                await page.locator('.mate').click();
                await becomes(
                    () => page.getByRole('button', { name: 'Use it now' }).count(),
                    0,
                    'it is used once',
                );
                await page.keyboard.press('Escape');
            }
            for (const page of [ana, bram]) {
                await page.locator('.tray [data-air="1"]').click();
                await page.getByRole('button', { name: 'I’m ready' }).click();
            }
            await ana.locator('.dive.reveal').waitFor();
        }
    },

    'a plan is laid by dragging, tapping and keys alike; a gap closes Ready': async (world) => {
        const made = await table(world, { divers: 2 }, ['Ana']);
        const ana = await sit(world, made, 0);
        const drop = async (token, level) => {
            const from = await ana.locator(`.tray [data-air="${token}"]`).boundingBox();
            const to = await ana.locator(`[data-level="${level}"]`).boundingBox();
            await ana.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
            await ana.mouse.down();
            await ana.mouse.move(to.x + 90, to.y + to.height / 2, { steps: 6 });
            await ana.mouse.up();
        };
        await drop(2, 1);
        await drop(5, 4); // closed: it stays in the tray
        await ana.locator('.tray [data-air="3"]').click();
        await ana.locator('.lv.l1 button.no').click();
        await ana.locator('.tray [data-air="4"]').click();
        await ana.keyboard.press('5');
        await ana.keyboard.press('3');
        const label = (level) => ana.locator(`[data-level="${level}"]`).getAttribute('aria-label');
        await becomes(
            async () => [await label(1), await label(2), await label(3), await label(4)],
            [
                'Level 1: air 2 and 4, speed 6, No shark',
                'Level 2: air 3, speed 3, No shark',
                'Level 3: air 5, speed 5, No shark',
                'Level 4, next',
            ],
        );
        await ana.locator('.lv.l2 .air').click();
        await becomes(() => label(2), 'Level 2, a gap');
        await ana.getByRole('button', { name: 'I’m ready' }).click({ force: true });
        ok(
            !(await ana.getByRole('button', { name: /Ready ✓/ }).isVisible()),
            'a plan with a gap is not ready',
        );
        await until('the levels above the gap at the server', () =>
            told(ana).includes('"program":{"levels":[{"tokens":[2,4],"shark":false}]}'),
        );
        await ana.keyboard.press('1');
        await ana.keyboard.press('2');
        await ana.getByRole('button', { name: 'I’m ready' }).click();
        await ana.locator('.dive.reveal').waitFor();
    },

    'a game on a phone with companions, lamps and the chief': async (world) => {
        const made = await table(
            world,
            { divers: 2, companions: 'ten', flashlight: true, chief: true, ages: [0, 1] },
            ['Ana'],
        );
        const ana = await sit(world, made, 0, { size: 'phone', pace: PACE });
        ok(
            (await ana.getByRole('radio', { name: /Dolphins|Great white/ }).count()) === 0,
            'these two are not for games with the chief',
        );
        await choose(ana, /Clownfish/);
        const conch = ana.locator('.dive-bar .conch');
        const [chip, drawn] = [await conch.boundingBox(), await conch.locator('img').boundingBox()];
        ok(
            drawn.width <= chip.width && drawn.y >= chip.y && drawn.x >= chip.x,
            `the chief’s conch lies in its chip: ${JSON.stringify({ chip, drawn })}`,
        );
        await ana.getByRole('button', { name: 'No lamp' }).click();
        await until('a picture by lamplight', () =>
            ana.pictures.some((u) => u.includes('/above:')),
        );
        await ana.locator('.tray [data-air="4"]').click();
        await use(ana, 'Place it');
        await ana.locator('.lv.l1 button.no').click();
        await becomes(() => ana.locator('.lv.l1 .speed b').innerText(), '7', '4 and the clownfish');
        await until('the clownfish at the server', () =>
            ana.heard.some((f) => f.includes('"clownfish":1')),
        );
        const breathing = async (page, now) => {
            if (!now.breath) await point(page, now); // else the fugu ends the plan by itself
        };
        await toTheEnd([[ana, breathing]], atRest);
        await playUnseen(ana, made.table, made.seats[0].token);
        await ana.locator('.dive.result .rank li').nth(2).waitFor(); // the chief is ranked, too
    },

    'the octopus is placed by hand and seen by all': async (world) => {
        const made = await table(world, { divers: 2, companions: 'seven', ages: [0, 1] }, [
            'Ana',
            'Bram',
        ]);
        const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
        await bram.getByRole('radio', { name: /Dolphins/ }).click();
        await bram.getByRole('button', { name: /^Take / }).click();
        await choose(ana, /Giant octopus/);
        await use(ana, 'Place it');
        for (const k of ['ArrowLeft', 'ArrowLeft', 'ArrowUp']) await ana.keyboard.press(k);
        await ana.getByRole('button', { name: 'Place it here' }).click();
        await announced(bram)
            .getByText(/Giant octopus/)
            .waitFor();
        await until('the place', () =>
            ana.heard.some((f) => f.includes('"companion":"octopus","x":0.4000,"y":0.4500')),
        );
        await bram.getByRole('button', { name: /^Your companion/ }).click();
        await bram
            .getByRole('group', { name: /Who do/ })
            .getByRole('button', { name: 'Ana' })
            .click();
        await announced(ana).getByText('Bram sends the dolphins to Ana.').waitFor();
    },

    'the orca stops all plans after ten seconds, as they lie': async (world) => {
        const made = await table(world, { divers: 2, companions: 'seven', ages: [0, 1] }, [
            'Ana',
            'Bram',
        ]);
        const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
        await bram.getByRole('radio', { name: /Clownfish/ }).click();
        await bram.getByRole('button', { name: /^Take / }).click();
        await choose(ana, /Orca/);
        for (const n of [1, 2, 3]) await bram.locator(`.tray [data-air="${n}"]`).click();
        await bram.locator('.lv.l2 .air').click();
        await use(ana);
        const clock = () =>
            bram.heard.map((f) => /"clock":(\d+)/.exec(f)?.[1]).findLast((ms) => ms !== undefined);
        await until('the clock', clock);
        ok(Number(clock()) <= 10000, `ten seconds at most, not ${clock()} ms`);
        await bram.locator('.dive.reveal').waitFor();
        ok(
            told(bram).includes(
                '"programs":[{"levels":[]},{"levels":[{"tokens":[1],"shark":false}]}]',
            ),
            'nothing below the gap counts',
        );
    },

    'under the fugu planning goes on while the breath is held': async (world) => {
        const made = await table(world, { divers: 2, companions: 'ten', ages: [0, 1] }, [
            'Ana',
            'Bram',
        ]);
        const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
        await bram.getByRole('radio', { name: /Narwhal/ }).click();
        await bram.getByRole('button', { name: /^Take / }).click();
        await choose(ana, /Fugu/);
        await use(ana);
        // There are five seconds to take hold.
        const hold = ana
            .locator('.breath')
            .hover({ force: true })
            .then(() => ana.mouse.down());
        await Promise.all([
            hold,
            bram
                .locator('.breath')
                .waitFor()
                .then(() => bram.keyboard.down('Space')),
        ]);
        await bram.keyboard.press('4');
        await bram.keyboard.press('1');
        await ana.waitForTimeout(6000); // longer than there is time to take hold
        await ana.locator('.breath.held').waitFor(); // she still holds
        await bram.keyboard.up('Space');
        await bram.getByText('You took a breath').waitFor();
        await ana.mouse.up();
        await ana.locator('.dive.reveal').waitFor();
        await until('what Bram laid', () => told(ana).includes('"tokens":[4]'));
    },

    'the axolotl asks with its effect, after Rest': async (world) => {
        const made = await table(world, { divers: 2, companions: 'ten', ages: [0, 1] }, [
            'Ana',
            'Bram',
        ]);
        const [ana, bram] = [await sit(world, made, 0), await sit(world, made, 1)];
        await bram.getByRole('radio', { name: /Narwhal/ }).click();
        await bram.getByRole('button', { name: /^Take / }).click();
        await choose(ana, /Axolotl/);
        for (const page of [ana, bram]) {
            await page.locator('.tray [data-air="1"]').click();
            await page.getByRole('button', { name: 'I’m ready' }).click();
        }
        await until('rest', async () => {
            for (const page of [ana, bram]) if ((await stage(page)) === 'reveal') await skip(page);
            return (await stage(ana)) === 'rest' && (await stage(bram)) === 'rest';
        });
        const odd = JSON.parse(told(ana)).view.pawns[1] % 2 === 1;
        const asked = ana.getByRole('group', { name: 'Use your axolotl now?' });
        await asked
            .getByText(odd ? /Bram \d+ to \d+|odd spaces/ : /Nobody else|odd spaces/)
            .waitFor();
        await bram.getByText('Ana is deciding about the axolotl.').waitFor();
        await asked.getByRole('button', { name: 'Use it' }).click();
        await bram.getByRole('button', { name: 'Round 2' }).waitFor();
        if (odd) await bram.getByText(/axolotl: back to/).waitFor();
    },

    "the children's version has faces only, and a phone for a table screen holds the stack": async (
        world,
    ) => {
        const made = await table(world, { divers: 2, children: true }, ['Ana', 'Bram']);
        const ana = await sit(world, made, 0, { size: 'phone' });
        const bram = await sit(world, made, 1);
        const tv = await world.device();
        await tv.setViewportSize({ width: 1920, height: 1080 });
        await tv.goto(`/#/screen/${made.table}`);
        await tv.locator('.dive.tv .ocean img').waitFor();
        await ana.getByRole('button', { name: 'Take the stack' }).click();
        const level = ana.getByRole('button', { name: /Tilt the stack on the big screen/ });
        await level.focus();
        for (let i = 0; i < 3; i++) await ana.keyboard.press('ArrowRight');
        await tv.getByText('Ana is tilting the stack from a phone').waitFor();
        await accessible(tv, 'the table screen');
        await accessible(ana, 'the private board');
        await world.shot(tv, 'dive-tv');
        for (const page of [ana, bram]) {
            ok((await page.locator('[data-air]').count()) === 0, 'no tokens for children');
            for (let n = 1; n <= 5; n++)
                await page
                    .locator(`.lv.l${n} [role=radio]`)
                    .nth(n % 2)
                    .click();
            await page.getByRole('button', { name: 'I’m ready' }).click();
        }
        await tv.locator('.dive.reveal').waitFor();
        await bram.getByRole('button', { name: 'Show the dive on this phone too' }).click();
        await until('rest', async () => {
            if ((await stage(bram)) === 'reveal') await skip(bram);
            return (await stage(bram)) === 'rest';
        });
        await bram.getByText('Each right level is one step down.').first().waitFor();
    },
});
