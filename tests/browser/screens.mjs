// screens.mjs: pictures of a few screens beside committed references. Lessons stand for the boards: they are dealt once
// and for all. A picture may differ in a small share of its pixels, as fonts and Chromium do, but not by a missing panel.
// REFERENCES=update takes them anew.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ok, run } from './harness.mjs';

const folder = fileURLToPath(new URL('references/', import.meta.url));
/** A pixel differs when its colour is this far off; so large a share of them may. */
const FAR = 48;
const SHARE = 0.01;

/** The share of pixels in which two pictures differ; 1 if their sizes do. */
const compare = (page, one, two) =>
  page.evaluate(
    async ([a, b, far]) => {
      const pixels = async (text) => {
        const bitmap = await createImageBitmap(await (await fetch(`data:image/webp;base64,${text}`)).blob());
        const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
        const context = canvas.getContext('2d');
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height);
      };
      const [x, y] = [await pixels(a), await pixels(b)];
      if (x.width !== y.width || x.height !== y.height) return 1;
      let n = 0;
      for (let i = 0; i < x.data.length; i += 4)
        if (Math.abs(x.data[i] - y.data[i]) + Math.abs(x.data[i + 1] - y.data[i + 1]) + Math.abs(x.data[i + 2] - y.data[i + 2]) > far) n++;
      return n / (x.width * x.height);
    },
    [one.toString('base64'), two.toString('base64'), FAR],
  );

/** The page, with everything it loads. */
async function open(world, size, path) {
  const page = await world.device({ size, open: false });
  await page.goto(`/${path}`);
  await page.locator('main, .strip').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((i) => i.decode().catch(() => undefined)));
  });
  // A lesson looks now and then where its ring belongs: until two looks agree.
  if ((await page.locator('.strip[data-point]').count()) > 0) {
    await page.locator('.ring').waitFor();
    for (let old = '', now = ' '; old !== now; ) {
      old = now;
      await page.waitForTimeout(350);
      now = JSON.stringify(await page.locator('.ring').boundingBox());
    }
  }
  return page;
}

/** A picture at half its size: a small file, in which letters weigh little. */
async function picture(page) {
  const { width, height } = page.viewportSize();
  await page.mouse.move(0, 0);
  const full = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  const small = await page.context().newPage();
  const text = await small.evaluate(
    async ([data, w, h]) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob(), { resizeWidth: w, resizeHeight: h, resizeQuality: 'high' });
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [w, h];
      canvas.getContext('2d').drawImage(bitmap, 0, 0);
      return canvas.toDataURL('image/webp', 0.8).split(',')[1];
    },
    [full.toString('base64'), width >> 1, height >> 1],
  );
  await small.close();
  return Buffer.from(text, 'base64');
}

const screens = {
  home: '#/',
  create: '#/new/divercity',
  dive: '#/learn/dive',
  divercity: '#/learn/divercity',
  soumsoum: '#/learn/soumsoum',
};
const tests = {};
for (const [name, path] of Object.entries(screens))
  for (const size of ['desktop', 'phone'])
    tests[`${name} on a ${size} looks as it did`] = async (world) => {
      const file = `${folder}${name}-${size}.webp`;
      const page = await open(world, size, path);
      const now = await picture(page);
      if (process.env.REFERENCES === 'update') {
        mkdirSync(folder, { recursive: true });
        writeFileSync(file, now);
        return;
      }
      const blank = await page.context().newPage();
      const share = await compare(blank, readFileSync(file), now);
      console.log(`# ${name} ${size}: ${(share * 100).toFixed(3)} % differ`);
      if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/reference-${name}-${size}.webp`, now);
      ok(share <= SHARE, `${(share * 100).toFixed(2)} % of the pixels differ from ${file}`);
    };

tests['a missing panel is noticed'] = async (world) => {
  if (process.env.REFERENCES === 'update') return;
  for (const [name, size, panel] of [['home', 'desktop', '.join'], ['create', 'phone', '.side'], ['dive', 'desktop', '.look'], ['divercity', 'phone', '.isles'], ['soumsoum', 'desktop', '.scores']]) {
    const page = await open(world, size, screens[name]);
    await page.locator(panel).first().evaluate((e) => (e.style.visibility = 'hidden'));
    const blank = await page.context().newPage();
    const share = await compare(blank, readFileSync(`${folder}${name}-${size}.webp`), await picture(page));
    console.log(`# ${name} without ${panel}: ${(share * 100).toFixed(2)} % differ`);
    ok(share > SHARE, `${name} without ${panel} passes with ${(share * 100).toFixed(2)} %`);
  }
};

await run(tests);
