// ear.mjs: DiverCity without eyes, from the deal to the end: the player hears the live region, and finds everything by its
// role and its name.
import { equal, ok, run, until } from '../../../tests/browser/harness.mjs';
import { begin } from './table.mjs';

const tests = {};

/** Hears every sentence of the live region once, in order: sentences join at its end and leave at its beginning. */
function listener(page) {
    let before = [];
    const heard = [];
    const listen = async () => {
        const now = await page.getByRole('log').getByRole('paragraph').allTextContents();
        let gone = 0;
        while (before.slice(gone).some((line, i) => line !== now[i])) gone++;
        const fresh = now.slice(before.length - gone);
        before = now;
        heard.push(...fresh);
        return fresh;
    };
    return { heard, listen };
}

const button = (page, name) => page.getByRole('button', { name });
/** As somebody does who cannot see it: with the keyboard. */
const press = (page, name) => button(page, name).press('Enter');

/** What a player does about what was said; null: it asks for nothing. */
const answers = [
    [/^The rig strikes first\. /, rig],
    [/ orders you to play\. /, ordered],
    [/^What you see ahead\. /, (page) => press(page, 'Put them back')],
    [/ Your action is done\. /, (page) => press(page, /^End the turn/)],
    [/^Your turn, Ana\. Choose one action: /, action],
];

async function rig(page) {
    await press(page, /^Your card 1\b/);
    await press(page, /^Give up card 1/);
}

async function ordered(page) {
    await press(page, /^Your card 1\b/);
    await press(page, /^Play card 1/);
}

/** Asks for the table, then does one of the actions that were named. */
async function action(page, said, ear) {
    const from = ear.heard.length;
    await page.keyboard.press('t');
    await until('the table is read', async () => {
        await ear.listen();
        return ear.heard.slice(from).some((line) => /^Your hand: card 1, /.test(line));
    });
    const table = ear.heard.slice(from);
    ok(table.includes(said), 'the question is part of it');
    for (const part of [
        /^Saved: \d of \d\.$/,
        /^Extinct: /,
        /^Blue: |^Green: |^Red: /,
        /: card 1, .+(knows|does not know) this card/,
    ])
        ok(
            table.some((line) => part.test(line)),
            `${part} is read: ${table.join(' ')}`,
        );
    const built = Number(
        /^Hotels: (\d)/.exec(table.find((line) => line.startsWith('Hotels: ')))[1],
    );
    page.turns = (page.turns ?? 0) + 1;
    if (built >= 4 && said.includes('Close a hotel')) return closeHotel(page);
    if (page.turns % 3 === 1 && said.includes('Walkie-talkie')) return talk(page);
    await page.keyboard.press('1');
    await page.keyboard.press('p');
}

async function talk(page) {
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'Tell someone what they hold' });
    await press(dialog, /^Tell /);
}

async function closeHotel(page) {
    await page.keyboard.press('1');
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'Close a hotel' });
    await dialog
        .getByRole('radiogroup', { name: 'Which hotel' })
        .getByRole('radio')
        .first()
        .press('Space');
    await press(dialog, /^Close the/);
}

/** Reads what is told in a dialogue, and keeps it. */
async function told(dialog) {
    const cards = await dialog.getByRole('listitem').allTextContents();
    ok(cards.length > 0 && cards.every((c, i) => c.includes(`card ${i + 1}`)), `told: ${cards}`);
    await press(dialog, 'Keep as my notes');
}

tests['B22 a whole game by ear: roles, names and announcements are enough'] = async (world) => {
    const { pages } = await begin(world, { divers: 2, first: 0, level: 'poseidon' }, [0]);
    const [page] = pages;
    const ear = listener(page);
    const dialog = page.getByRole('dialog', { name: /tells you your cards|Your own cards/ });
    const ended = /^(The sea is saved: the divers win|The corporations win)$/;
    const did = [];
    let repeated = false;
    while (!ear.heard.some((line) => ended.test(line))) {
        let fresh = [];
        await until('something is said or asked', async () => {
            fresh = await ear.listen();
            return fresh.length > 0 || (await dialog.isVisible());
        });
        if (await dialog.isVisible()) {
            await told(dialog);
            did.push('told');
            continue;
        }
        for (const line of fresh) {
            const [, answer] = answers.find(([asks]) => asks.test(line)) ?? [];
            if (!answer) continue;
            if (!repeated) {
                const from = ear.heard.length;
                await page.keyboard.press('r');
                await until('it is said again', async () => {
                    await ear.listen();
                    return ear.heard.slice(from).includes(line);
                });
                repeated = true;
            }
            did.push(line);
            await answer(page, line, ear);
        }
    }
    ok(
        did.some((d) => d.startsWith('Your turn')),
        `what was asked: ${did.join(' ')}`,
    );

    // No announcement was lost: as many corporation cards were heard as were told after the page was opened.
    const events = page.frames.flatMap((f) => (f.view ? (f.events ?? []) : []));
    const cards = events.filter((e) => e.event === 'corporation').length;
    const spoken = ear.heard.filter((line) => line.startsWith('Corporations: ')).length;
    equal(spoken, cards, 'corporation cards that were announced');
    equal(
        ear.heard.filter((line) => line.includes('\u00ad')),
        [],
        'soft hyphens in what is said',
    );
    const names = await page.getByRole('main').first().ariaSnapshot();
    ok(!names.includes('\u00ad'), 'soft hyphens in names');

    await press(page, 'See the result');
    await page.getByRole('heading', { level: 1, name: /^You (win|lose): / }).waitFor();
};

await run(tests);
