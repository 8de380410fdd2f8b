// whole.mjs: a person plays Soum Soum to its end, in any language and at any size.
import { equal } from '../../../tests/browser/harness.mjs';
import { asked, board, cell, firstFree } from './table.mjs';

/** What shows that the game is there, live and in a replay. */
export const shown = board;

export async function playOut(page) {
    for (let step = await asked(page); step !== 'over'; step = await asked(page)) {
        if (step === 'place') {
            await page.keyboard.press('1');
            await cell(page, await firstFree(page)).click();
            await page.locator('.acts .go:not([aria-disabled=true])').click();
        } else await page.locator('.acts .go').click();
        await page.waitForTimeout(50);
    }
}

/** Some turns, each without a diver. */
export async function playTurns(page, turns) {
    for (let n = 0; n < turns; n++) {
        equal(await asked(page), 'place', 'the step');
        await page.keyboard.press('1');
        await cell(page, await firstFree(page)).click();
        await page.locator('.acts .go:not([aria-disabled=true])').click();
        equal(await asked(page), 'diver', 'the step');
        await page.locator('.acts .go').click();
    }
    equal(await asked(page), 'place', 'the step');
}
