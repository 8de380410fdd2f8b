// play.mjs: what happens at the table and what a player makes of it: being told, the last moves, notes and claims, keys.
import { becomes, equal, fits, ok, run, until } from '../../../tests/browser/harness.mjs';
import { answers, begin, heard, playUntil, view } from './table.mjs';

const tests = {};

const pick = (page, n) => page.getByRole('button', { name: new RegExp(`^Your card ${n}\\b`) });
const moves = (page) => page.getByRole('region', { name: 'Last moves' });
const announced = (page) => page.getByRole('log').locator('p').allTextContents();

/** One action over the page: waits until it is answered. */
async function doing(page, button) {
    const before = answers(page);
    await button.click();
    await heard(page, before);
}

const myTurn = (seat) => (v) => v.phase === 'action' && v.active === seat;

/** Tells the other diver their cards. */
async function tell(page, name) {
    await page.getByRole('button', { name: /^Walkie-talkie/ }).click();
    await doing(page, page.getByRole('dialog').getByRole('button', { name: `Tell ${name}` }));
}

/** Two people; Ana is to act. */
async function two(world, options = {}, devices = {}) {
    const { table, pages } = await begin(
        world,
        { divers: 2, first: 0, diver_cards: 'none', ...options },
        [0, 1],
        devices,
    );
    const [ana, bram] = pages;
    if (options.diver_cards === undefined) await playUntil(ana, pages, myTurn(0));
    return { table, pages, ana, bram };
}

tests['B1 the board waits while I read what I am told, and shows afterwards what happened'] =
    async (world) => {
        const { ana, bram } = await two(world, {}, { 1: { calm: false } });
        const hotels = async () =>
            /\d+/.exec(await bram.locator('.meter', { hasText: /^Hotels/ }).textContent())[0];
        const before = await hotels();
        await tell(ana, 'Bram');
        const dialog = bram.getByRole('dialog', { name: 'Ana tells you your cards' });
        await dialog.waitFor();
        await until('the corporations have played on', () => view(bram).active === 1);
        await dialog.getByText('While you read:').waitFor();
        await dialog.getByText(/^Corporations: /).waitFor();
        equal(await hotels(), before, 'nothing is built behind the dialogue');
        await world.shot(bram, 'divercity-told-meanwhile');
        await fits(bram, 'told');
        await dialog.getByRole('button', { name: 'I’ll remember' }).click();
        await becomes(hotels, String(view(bram).hotels.length), 'then it is shown');
        await moves(bram).getByText('Now, your turn').waitFor();
    };

tests['B2 after a reload I am told again until I have answered, and the last moves are there'] =
    async (world) => {
        const { ana, bram } = await two(world);
        await tell(ana, 'Bram');
        const dialog = bram.getByRole('dialog', { name: 'Ana tells you your cards' });
        await dialog.waitFor();
        const cards = () => dialog.getByRole('listitem').allTextContents();
        const told = await cards();
        await bram.reload();
        await dialog.waitFor();
        equal(await cards(), told, 'the same cards again');
        await dialog.getByRole('button', { name: 'I’ll remember' }).click();
        await dialog.waitFor({ state: 'detached' });
        const lines = await moves(bram).getByRole('listitem').allTextContents();
        ok(
            lines.some((l) => l.includes('tells you your cards')),
            `the last moves: ${lines}`,
        );
        await bram.reload();
        await moves(bram).waitFor();
        equal(
            await moves(bram).getByRole('listitem').allTextContents(),
            lines,
            'the last moves after a reload',
        );
        equal(await bram.getByRole('dialog').count(), 0, 'it was answered');
        const page = await bram.content();
        ok(!page.includes('Keep as my notes'), 'nothing of it is left');
        await bram.getByRole('button', { name: 'All moves' }).click();
        const all = bram.getByRole('dialog', { name: 'All moves' }).getByRole('listitem');
        await becomes(() => all.count(), view(bram).round, 'a line a turn');
    };

tests['B4 a dialogue owns the keyboard: keys do nothing behind it, and Escape closes it'] = async (
    world,
) => {
    const { ana } = await two(world);
    await pick(ana, 1).click();
    const { round, species_discard } = view(ana);
    await ana.getByRole('button', { name: 'All moves' }).click();
    const dialog = ana.getByRole('dialog', { name: 'All moves' });
    await dialog.waitFor();
    await ana.keyboard.press('2');
    await ana.keyboard.press('p');
    await ana.keyboard.press('w');
    equal(await ana.getByRole('dialog').count(), 1, 'no other dialogue');
    // Focus that fell out of it comes back with the next key.
    await ana.evaluate(() => document.activeElement.blur());
    await ana.keyboard.press('p');
    ok(await dialog.evaluate((d) => d.contains(document.activeElement)), 'the focus is inside');
    await ana.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    equal(await pick(ana, 1).getAttribute('aria-pressed'), 'true', 'the pick is as it was');
    equal(
        [view(ana).round, view(ana).species_discard],
        [round, species_discard],
        'nothing was played',
    );
    await ana.keyboard.press('?');
    await ana.getByRole('heading', { name: 'Keys' }).waitFor();
    await ana.keyboard.press('p');
    equal(view(ana).round, round, 'nor from a drawer');
};

tests['B11 a tap on my card ahead of my turn picks it; only a button says it in public'] = async (
    world,
) => {
    const { bram, pages } = await two(world);
    equal(view(bram).active, 0, 'it is not my turn');
    await pick(bram, 2).click();
    equal(await bram.getByRole('dialog').count(), 0, 'no dialogue');
    equal(await pick(bram, 2).getAttribute('aria-pressed'), 'true', 'picked');
    await bram.getByRole('button', { name: /About your card 2/ }).click();
    const dialog = bram.getByRole('dialog');
    equal(
        await dialog.getByRole('radio', { name: 'Private note' }).getAttribute('aria-checked'),
        'true',
        'notes first',
    );
    await dialog.getByRole('button', { name: /^Octopus/ }).click();
    await dialog.getByRole('radio', { name: 'Say in public' }).click();
    await dialog.getByRole('button', { name: /^Eel/ }).click();
    await bram.keyboard.press('Escape');
    for (const page of pages)
        equal(view(page).claims.flat().filter(Boolean), [], 'nobody said anything');
};

tests['B12 with diver cards on any turn, the captain’s owner gives the order'] = async (world) => {
    const { pages, ana, bram } = await two(world, { diver_cards: 'choose', any_turn: true });
    await doing(ana, ana.getByRole('button', { name: 'Take Diving' }));
    await doing(bram, bram.getByRole('button', { name: 'Take Captain' }));
    await playUntil(ana, pages, myTurn(0));
    await bram.getByRole('button', { name: /^Use now.*Captain/ }).click();
    await doing(bram, bram.getByRole('dialog').getByRole('button', { name: 'Use Captain' }));
    await until('the order', async () =>
        (await announced(ana)).some((l) => l.startsWith('Bram orders you to play')),
    );
    await ana
        .getByRole('heading', { name: 'Bram orders you to play' })
        .waitFor({ state: 'attached' });
    equal(
        (await announced(ana)).filter((l) => l.startsWith('Ana orders')),
        [],
        'not I',
    );
    // A used diver card is still there after a reload.
    await bram.reload();
    await bram.getByText('Used', { exact: true }).first().waitFor();
};

tests['B15 a note stands in the sentences, is claimed by one button, and goes with its card'] =
    async (world) => {
        const { pages, ana, bram } = await two(world);
        const note = async (n, species) => {
            await ana.getByRole('button', { name: new RegExp(`About your card ${n}`) }).click();
            await ana
                .getByRole('dialog')
                .getByRole('button', { name: new RegExp(`^${species}`) })
                .click();
            await ana.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
        };
        await note(2, 'Octopus');
        await note(3, 'Nudibranch');
        await pick(ana, 2).click();
        const zone = { green: 'in green', blue: 'in blue', red: 'in red' }[
            view(ana).ladder.octopus
        ];
        await ana
            .getByRole('button', {
                name: new RegExp(`^Play card 2 You noted octopus, ${zone}: rises one zone`),
            })
            .waitFor();
        await ana.getByRole('button', { name: /About your card 2/ }).click();
        await ana
            .getByText('Everybody will see: card 2: octopus and card 3: nudibranch.')
            .waitFor();
        await world.shot(ana, 'divercity-claim-notes');
        await ana.getByRole('button', { name: 'Say all my notes in public' }).click();
        await until('both claims', () =>
            [1, 2].every((i) => view(bram).claims[0][i] === ['', 'octopus', 'nudibranch'][i]),
        );
        const noted = () =>
            ana.getByRole('button', { name: /About your card \d: .*my note: octopus/ }).count();
        equal(await noted(), 1, 'the note is under its card');
        await doing(ana, ana.getByRole('button', { name: /^Play card 2/ }));
        await becomes(noted, 0, 'the note goes with its card');
        ok(pages.length === 2, 'two people');
    };

tests['B15 in the lesson too a note goes with its card'] = async (world) => {
    const page = await world.device();
    await page.goto('/#/learn/divercity');
    const told = page.getByRole('button', { name: 'Keep as my notes' });
    const [on, forMe] = ['Next', 'Do it for me'].map((name) => page.getByRole('button', { name }));
    await on.waitFor();
    const step = () =>
        page
            .getByText(/^Step \d+ of \d+$/)
            .first()
            .textContent();
    for (let before = ''; !(await told.isVisible());) {
        const now = await step();
        ok(now !== before, `stuck in ${now}`);
        before = now;
        await ((await forMe.isVisible()) ? forMe : on).click();
        await until('the next step', async () => (await step()) !== now);
    }
    await told.click();
    const noted = () => page.getByRole('button', { name: /About your card 1: .*my note/ }).count();
    await becomes(noted, 1, 'a note under card 1');
    await on.click();
    await forMe.click();
    await becomes(noted, 0, 'the card was played');
};

tests['B17 the visionary’s card keeps the focus while it is moved; keys work without focus'] =
    async (world) => {
        const { pages, ana, bram } = await two(world, { diver_cards: 'choose' });
        await doing(ana, ana.getByRole('button', { name: 'Take Visionary' }));
        await doing(bram, bram.getByRole('button', { name: 'Take Diving' }));
        await playUntil(ana, pages, myTurn(0));
        await ana.evaluate(() => document.activeElement.blur());
        await ana.keyboard.press('2');
        equal(await pick(ana, 2).getAttribute('aria-pressed'), 'true', 'a key without focus');
        await ana.getByRole('button', { name: /^Use now.*Visionary/ }).click();
        await doing(ana, ana.getByRole('dialog').getByRole('button', { name: 'Use Visionary' }));
        const first = ana.getByRole('button', { name: /position 1$/ });
        await first.focus();
        const card = await ana.evaluate(() => {
            window.held = document.activeElement;
            return window.held.textContent.replace(/\d/g, '');
        });
        for (const place of [2, 3]) {
            await ana.keyboard.press('ArrowRight');
            await until(`the card in position ${place}`, () =>
                ana.evaluate(
                    (n) =>
                        document.activeElement === window.held &&
                        window.held.textContent.trim().endsWith(`position ${n}`),
                    place,
                ),
            );
        }
        ok(card.length > 0, 'a card with words');
    };

tests['B18 with fewer animations the partner’s move is a sentence, said and shown'] = async (
    world,
) => {
    const { ana, bram } = await two(world);
    await pick(ana, 1).click();
    await doing(ana, ana.getByRole('button', { name: /^Play card 1/ }));
    await until('the move', () => view(bram).species_discard.length > 0);
    await until('the sentence', async () =>
        (await announced(bram)).some((l) => l.startsWith('Ana plays card 1: ')),
    );
    const line = moves(bram)
        .getByRole('listitem')
        .filter({ hasText: /Turn \d+, Ana/ })
        .first();
    await line.getByRole('img', { name: 'plays' }).waitFor({ state: 'attached' });
    ok(
        /green|saved|blue|no longer moves/.test(await line.textContent()),
        `the line: ${await line.textContent()}`,
    );
};

await run(tests);
