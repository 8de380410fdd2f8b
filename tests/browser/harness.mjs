// harness.mjs: what the browser tests share: a server of their own, Debian's Chromium, TAP lines.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(root, 'web/package.json'));
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export const sizes = { desktop: { width: 1366, height: 768 }, phone: { width: 390, height: 844 }, tablet: { width: 834, height: 1112 } };

/** A server on a free port with a store of its own, and bots that do not dawdle. */
export async function serve() {
  const program = process.env.FATHOM ?? join(root, 'build/fathom');
  if (!existsSync(program)) throw new Error(`${program} is missing: build it first`);
  const dir = mkdtempSync(join(tmpdir(), 'fathom-browser-'));
  const child = spawn(program, ['serve', '--port', '0', '--bot-ms', '40', '--store', `sqlite:${dir}/tables.db`, '--data', join(root, 'web/dist')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const address = await new Promise((done, fail) => {
    const hear = (text) => {
      said += text;
      const found = /http:\/\/[\d.]+:\d+/.exec(said);
      if (found) done(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
  });
  return {
    address,
    stop: () =>
      new Promise((done) => {
        child.removeAllListeners('exit');
        child.on('exit', () => {
          rmSync(dir, { recursive: true, force: true });
          done();
        });
        child.kill('SIGTERM');
      }),
  };
}

/** Debian's Chromium. */
export const browse = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

/** A device: one browser context with one page, in a language and a size; page errors fail the test. */
async function device(browser, world, { language = 'en', size = 'desktop', calm = true, open = true } = {}) {
  const context = await browser.newContext({
    viewport: sizes[size],
    locale: language,
    baseURL: world.address,
    reducedMotion: calm ? 'reduce' : 'no-preference',
    hasTouch: size !== 'desktop',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  page.on('pageerror', (e) => world.errors.push(String(e)));
  page.on('console', (m) => m.type() === 'error' && !/Failed to load resource|WebSocket/.test(m.text()) && world.errors.push(m.text()));
  if (open) await page.goto('/');
  return page;
}

export function equal(got, wanted, what = '') {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${what} expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

/** No serious violation of accessibility on this page. */
export async function accessible(page, where) {
  // axe goes in through the debugger: the page's own policy forbids foreign scripts.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ['violations'] });
    return result.violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.nodes.slice(0, 4).map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).join(' | ')}`);
  });
  equal(found, [], `${where}: axe`);
}

/** Whether the page is wider than the window: nothing may hang out. */
export async function fits(page, where) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  ok(over <= 0, `${where}: ${over} px too wide`);
}

/** Runs `tests`, an object of name: async function(world), and prints TAP. SHOTS=DIR keeps pictures. */
export async function run(tests) {
  const only = process.argv[2];
  const names = Object.keys(tests).filter((n) => only === undefined || n.includes(only));
  const server = await serve();
  const browser = await browse();
  const world = { address: server.address, errors: [], device: (o) => device(browser, world, o), shot };
  let bad = 0;
  console.log(`1..${names.length}`);
  for (const [i, name] of names.entries()) {
    world.errors = [];
    const begun = Date.now();
    const took = () => `# ${((Date.now() - begun) / 1000).toFixed(1)} s`;
    try {
      await tests[name](world);
      equal(world.errors, [], 'errors of the page:');
      console.log(`ok ${i + 1} - ${name}`);
      if (process.env.VERBOSE) console.log(took());
    } catch (e) {
      bad++;
      console.log(`not ok ${i + 1} - ${name}`);
      console.log(String(e.stack ?? e).replace(/^/gm, '# '));
      for (const [n, c] of browser.contexts().entries())
        for (const p of c.pages()) await shot(p, `failed-${name.replace(/\W+/g, '-').slice(0, 40)}-${n}`).catch(() => {});
    }
    for (const c of browser.contexts()) await c.close();
  }
  await browser.close();
  await server.stop();
  process.exit(bad === 0 ? 0 : 1);
}

async function shot(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}
