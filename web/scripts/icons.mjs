// icons.mjs: draws the icons of public/icons from src/art/logo.svg with Chromium. Run it when the logo changes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const logo = readFileSync(at('../src/art/logo.svg'), 'utf8');
/** Size, share of it that the logo takes, rounding of the ground in per cent. */
const icons = {
    'icon-192': [192, 0.74, 22],
    'icon-512': [512, 0.74, 22],
    'mask-512': [512, 0.56, 0],
    'apple-180': [180, 0.7, 0],
};

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
});
for (const [name, [size, share, round]] of Object.entries(icons)) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(
        `<style>body{margin:0}div{width:${size}px;height:${size}px;border-radius:${round}%;background:#CDE8E5;display:grid;place-items:center}svg{width:${size * share}px;height:${size * share}px}</style><div>${logo}</div>`,
    );
    await page.screenshot({ path: at(`../public/icons/${name}.png`), omitBackground: true });
    await page.close();
}
await browser.close();
