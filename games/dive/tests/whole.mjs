// whole.mjs: a person plays Dive to its end, in any language and at any size: some air on each level, a shark on the first.
import { skip, stage } from './tables.mjs';

/** What shows that the game is there, live and in a replay. */
export const shown = (page) => page.locator('.dive.plan .picture');

async function plan(page) {
    const ready = page.locator('.plan button.ready');
    if (!(await ready.isVisible())) return;
    const air = page.locator('.tray [data-air]:not([disabled])');
    if ((await air.count()) > 2) await air.last().click();
    else if ((await page.locator('.lv.l1 .air.shark').count()) === 0) {
        const flip = page.locator('.lv.l1 .flipb');
        if (await flip.isVisible()) await flip.click();
        else await page.locator('.lv.l1 [role=radio]').nth(1).click();
    } else {
        await ready.click();
        await ready.waitFor({ state: 'hidden' });
    }
}

export async function playOut(page) {
    const end = page.locator('.strip .btn');
    while (!(await end.isVisible())) {
        const at = await stage(page);
        if (at === 'plan') await plan(page);
        else if (at === 'reveal') await skip(page);
        else if (at === 'rest')
            await page
                .locator('.dive.rest .btn.go.big')
                .click({ timeout: 2000 })
                .catch(() => {});
        await page.waitForTimeout(30);
    }
}
