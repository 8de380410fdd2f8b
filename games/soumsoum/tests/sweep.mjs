// sweep.mjs: every phase of Soum Soum in windows of many sizes, in the longest language; see tests/browser/layout.mjs.
import { run, until } from '../../../tests/browser/harness.mjs';
import { sweep } from '../../../tests/browser/layout.mjs';
import { playOut } from '../../../tests/browser/room.mjs';
import { atStep, begin, cell, freePlaces } from './table.mjs';

const tests = {};
/** In play nothing scrolls, neither the page nor the words beside the board. */
const still = () => 'html, main.board, .soum, .soum .hands';
const people = [{ language: 'fr' }];

/** One turn from its first card to the bots' moves, looked at in each step. */
async function turn(world, options, look) {
    const { players } = await begin(world, { people, bots: 3, options });
    const [{ page }] = players;
    await atStep(page, 'place');
    await look(page, 'the first turn');
    for (let n = 0; n < 4; n++) {
        await page.keyboard.press('1');
        const free = await freePlaces(page, false);
        await cell(page, free[(n * 5) % free.length]).click();
        await page.locator('.pv .big').waitFor();
        if (n === 3) await look(page, 'a preview');
        await page.locator('.acts .go').click();
        await atStep(page, 'diver');
        if (n === 3) await look(page, 'the diver step');
        await page.locator('.acts .go').click();
        if (options.market) {
            await atStep(page, 'take');
            await page.keyboard.press('1');
            if (n === 3) await look(page, 'the open cards');
            await page.locator('.acts .go').click();
        }
        await atStep(page, 'place');
    }
    return players[0];
}

tests['every step of a turn fits any window'] = async (world) => {
    const { page, token } = await turn(world, {}, (p, where) => sweep(p, where, { still }));
    await cell(page, 12).hover();
    const table = page.url().match(/table\/([^/]+)/)[1];
    await playOut(page, table, [token]);
    await page.locator('.strip').waitFor();
    // The way to the result takes some of the room: there the lowest windows scroll.
    await sweep(page, 'the full board', {
        still: (width, height) => (Math.min(width, height) < 400 ? 'html' : still()),
    });
};

tests['the open market fits any window'] = async (world) => {
    await turn(world, { market: true }, (p, where) => sweep(p, `market: ${where}`, { still }));
};

tests['two wait for each other in any window'] = async (world) => {
    const { players } = await begin(world, { people: [...people, ...people] });
    const { page, heard } = players[1];
    await until('a view', () => heard.view !== null);
    await sweep(page, 'waiting', { still });
};

await run(tests);
