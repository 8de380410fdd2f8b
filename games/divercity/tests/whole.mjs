// whole.mjs: a person plays DiverCity to its end, in any language and at any size: whatever is asked, the first card.

/** What shows that the game is there, live and in a replay. */
export const shown = (page) => page.locator('.dc.board .hands');

export async function playOut(page) {
    const end = page.locator('.strip .btn');
    const told = page.locator('dialog[open] .btn.go');
    const take = page.locator('.dock .pick').first();
    const act = page.locator('.dock .act:not(.off):not([aria-disabled=true])').first();
    const picked = page.locator('.dock .pick[aria-pressed=true]');
    const ending = page.locator('.dock .act.wide:not(.off)');
    while (!(await end.isVisible())) {
        if (await told.isVisible()) await told.click({ timeout: 2000 }).catch(() => {});
        else if (await ending.isVisible()) await ending.click({ timeout: 2000 }).catch(() => {});
        else if ((await picked.count()) === 0) await take.click({ timeout: 2000 }).catch(() => {});
        else await act.click({ timeout: 2000 }).catch(() => {});
        await page.waitForTimeout(50);
    }
}
