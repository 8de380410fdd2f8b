// harness.mjs: what the browser tests share: one server for each file and one browser for each process (several.mjs runs more than
// one file in it), devices that are used again, TAP lines, and what is kept of a test that fails.
import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(root, 'web/package.json'));
const { chromium, firefox } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A laptop shows its browser's bars; a desktop and a laptop have a mouse, the others are touched. */
export const sizes = {
  desktop: { width: 1366, height: 768 },
  laptop: { width: 1366, height: 620 },
  phone: { width: 390, height: 844 },
  'small phone': { width: 360, height: 640 },
  landscape: { width: 844, height: 390 },
  tablet: { width: 834, height: 1112 },
};

/** A screen that is opened in each language and size is examined by axe once a size: its structure has no language. */
export const examined = { desktop: 'en', phone: 'fr', tablet: 'nl' };

/** How long anything may take, in ms: only what is broken takes so long, on a slow and busy machine too. PATIENCE=… while one looks for a fault. */
export const PATIENCE = Number(process.env.PATIENCE ?? 120000);
/** The same for a whole test, with several games in it. */
const LONGEST = 900000;

/** How fast whole games are shown, and bots on the device act, or one would wait for them most of the time: so many times faster than usual. */
export const PACE = 12;

/* ---- the server ---- */

/**
 * A server on a free port with a store of its own, and bots that do not dawdle. `seeded`: its chance is the same in each
 * run (see seeded.c), so what a test meets does not depend on the deal of the day.
 */
export async function serve({ seeded = false, flags = [] } = {}) {
  const program = process.env.FATHOM ?? join(root, 'build/fathom');
  if (!existsSync(program)) throw new Error(`${program} is missing: build it first`);
  const chance = join(root, 'build/tests/libseeded.so');
  const dir = mkdtempSync(join(tmpdir(), 'fathom-browser-'));
  const child = spawn(program, ['serve', '--port', '0', '--bot-ms', '40', '--store', `sqlite:${dir}/tables.db`, '--data', process.env.DIST ?? join(root, 'web/dist'), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(seeded && existsSync(chance) ? { LD_PRELOAD: chance } : {}) },
  });
  const server = { address: '', log: '', ended: false };
  server.address = await new Promise((done, fail) => {
    const hear = (text) => {
      server.log += text;
      const found = /http:\/\/[\d.]+:\d+/.exec(server.log);
      if (found) done(found[0]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      server.ended = true;
      server.log += `\nthe server ended with ${code ?? signal}\n`;
      fail(new Error(`the server ended with ${code ?? signal}: ${server.log}`));
    });
  });
  server.stop = () =>
    new Promise((done) => {
      const gone = () => {
        rmSync(dir, { recursive: true, force: true });
        done();
      };
      if (server.ended) return gone();
      child.on('exit', gone);
      child.kill('SIGTERM');
    });
  return server;
}

/* ---- the browser ---- */

/** Where a browser is: tools/browser knows its names. Whatever it says when there is none is the test's error. */
const found = (name) => execFileSync(join(root, 'tools/browser'), [name], { encoding: 'utf8' }).trim();

/** BROWSER=firefox: a Firefox like any other, over WebDriver BiDi. */
export const inFirefox = process.env.BROWSER === 'firefox';

/**
 * Letters are drawn as they are in Chromium with its windows. A page of a test lives for seconds: to optimize its code would
 * take longer than it saves, a tenth of all processor time. `optimizes`: it is done all the same, as for a player.
 */
export const browse = ({ optimizes = false } = {}) =>
  inFirefox
    ? firefox.launch({
        channel: 'moz-firefox',
        executablePath: found('firefox'),
        // Playwright cannot ask for calm pages over BiDi; and JSON is to be a page like any other, see clean().
        firefoxUserPrefs: { 'ui.prefersReducedMotion': 1, 'devtools.jsonview.enabled': false },
        timeout: PATIENCE,
      })
    : chromium.launch({
        executablePath: found('chromium'),
        args: ['--no-sandbox', '--font-render-hinting=slight', ...(optimizes ? [] : ['--js-flags=--no-opt --no-maglev'])],
        timeout: PATIENCE,
      });

/** What a page does that one wants to know when its test fails. */
function watch(page) {
  const seen = { console: [], failed: [], pending: new Set() };
  page.seen = seen;
  page.on('console', (m) => seen.console.push(`${m.type()}: ${m.text()}`));
  page.on('pageerror', (e) => seen.console.push(`uncaught: ${e.stack ?? e}`));
  page.on('request', (r) => seen.pending.add(r));
  page.on('requestfinished', (r) => seen.pending.delete(r));
  page.on('requestfailed', (r) => {
    seen.pending.delete(r);
    seen.failed.push(`${r.method()} ${r.url()}: ${r.failure()?.errorText}`);
  });
  page.on('response', (r) => r.status() >= 400 && seen.failed.push(`${r.request().method()} ${r.url()}: ${r.status()}`));
}

/**
 * A page is drawn only while somebody looks at its pixels, see withPixels(): drawing takes a quarter of the processor time
 * of a test, and roles, texts and boxes are the same without it. Dialogues lie above the root, so they are drawn anyway.
 */
const drawNothing = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { opacity: 0 }');
  document.adoptedStyleSheets = [sheet];
};

/** Does something while the page is drawn: takes a picture, or looks at colours. */
async function withPixels(page, look) {
  const draw = (on) => page.evaluate((on) => document.adoptedStyleSheets.forEach((sheet) => (sheet.disabled = on)), on);
  await draw(true);
  try {
    return await look();
  } finally {
    await draw(false);
  }
}

/** The part that a player adds to the deal is fixed as well; other random numbers must differ from page to page. */
const fixEntropy = () => {
  const draw = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (bytes) => (bytes.byteLength === 32 ? bytes.fill(7) : draw(bytes));
};

/** This device has played before: no game introduces itself. */
const meetGames = () => {
  if (location.protocol !== 'http:') return; // an empty page has no storage
  if (localStorage.getItem('fathom.met') === null) localStorage.setItem('fathom.met', JSON.stringify(['dive', 'divercity', 'soumsoum']));
};

/** What is shown step by step, and the bots of this device, go faster. */
const goFaster = (pace) => {
  if (location.protocol !== 'http:' || localStorage.getItem('fathom.settings') !== null) return;
  const usual = { name: '', sound: false, calm: false, theme: 'auto', motion: false, tapToBreathe: false };
  localStorage.setItem('fathom.settings', JSON.stringify({ ...usual, pace }));
};
/** The same for a page that has begun at the usual pace, once it is loaded again. */
export const quicken = (page) => page.evaluate(goFaster, PACE);

/** An open result works out what luck and choices were worth, for seconds of the processor. Here nobody does. */
const analyseNothing = () => {
  const { Worker } = window;
  window.Worker = function (url, options) {
    return String(url).includes('analysis-worker') ? Object.assign(new EventTarget(), { postMessage() {}, terminate() {} }) : new Worker(url, options);
  };
};

/** How the keys of messages begin: "common", "dive" and so on. */
const keyStarts = [join(root, 'web/src/i18n/messages/en'), ...readdirSync(join(root, 'games')).map((game) => join(root, 'games', game, 'page'))]
  .flatMap((folder) => (existsSync(folder) ? readdirSync(folder).map((file) => join(folder, file)) : []))
  .filter((file) => /messages.en.[a-z]+\.json$|page.en\.json$/.test(file))
  .flatMap((file) => Object.keys(JSON.parse(readFileSync(file, 'utf8'))).map((key) => key.split('.')[0]));

/** A page that shows or says the key of a message in place of the message complains in its console, which fails the test. */
const watchKeys = (starts) => {
  const key = new RegExp(`(?:^|[\\s(:,])((?:${starts.join('|')})\\.[a-z][\\w-]*(?:\\.[\\w-]+)*)`);
  const said = ['aria-label', 'alt', 'title', 'placeholder', 'aria-description', 'aria-roledescription'];
  const seen = new Set();
  const examine = (text) => {
    const found = key.exec(text ?? '')?.[1];
    if (found === undefined || seen.has(found)) return;
    seen.add(found);
    console.error(`the key of a message is shown: ${found}`);
  };
  const read = (node) => {
    if (node.nodeType === Node.TEXT_NODE && !/^(script|style|code|pre|textarea)$/.test(node.parentElement?.localName ?? '')) examine(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    for (const name of said) examine(node.getAttribute(name));
    for (const child of node.childNodes) read(child);
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes)
      if (type === 'childList') addedNodes.forEach(read);
      else if (type === 'attributes') examine(target.getAttribute(attributeName));
      else read(target);
  }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: said });
};

/**
 * A device: one browser context with one page, in a language and a size; page errors fail the test. One that a test before
 * had is used again if it is of this kind; `fresh`: it is new, and no other test gets it. That is for what cannot be
 * undone: another clock, a script of the test's own, a first visit. `newcomer`: it has not played before, so games introduce themselves.
 * `keeps`: the page is kept by its service worker; other tests go without, which would fetch every file for each device.
 * `pace`: so many times faster than usual does it show what happened, and do its own bots act. `analyses`: it works out what
 * was worth what in a game that has ended.
 */
async function device(browser, world, { language = 'en', size = 'desktop', calm = true, open = true, fresh = false, newcomer = false, keeps = false, pace = 1, analyses = false, address = world.address } = {}) {
  const touch = size !== 'desktop' && size !== 'laptop';
  const how = { language, touch, calm, address, newcomer, keeps, pace, analyses };
  const kind = JSON.stringify(how);
  const left = fresh ? -1 : world.idle.findIndex((page) => page.kind === kind);
  const page = left >= 0 ? world.idle.splice(left, 1)[0] : await newDevice(browser, { ...how, kind });
  (fresh || address !== world.address ? world.once : world.used).push(page);
  await page.setViewportSize(sizes[size]);
  watch(page);
  // What is refused, or breaks off, is told by browsers, not by the page; Firefox tells it among the page's own errors.
  const note = (text) => /Failed to load resource|Refused to apply style|WebSocket|connection to (the server at )?ws:/.test(text) || world.errors.push(text);
  page.on('pageerror', (e) => note(String(e)));
  page.on('console', (m) => m.type() === 'error' && note(m.text()));
  if (open) await page.goto('/');
  return page;
}

async function newDevice(browser, { language, touch, calm, address, newcomer, keeps, pace, analyses, kind }) {
  const context = await browser.newContext({
    viewport: sizes.desktop,
    locale: language,
    baseURL: address,
    reducedMotion: calm ? 'reduce' : 'no-preference',
    hasTouch: touch,
    serviceWorkers: keeps ? 'allow' : 'block',
    permissions: inFirefox ? [] : ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(drawNothing);
  await context.addInitScript(fixEntropy);
  await context.addInitScript(watchKeys, [...new Set(keyStarts)]);
  if (!newcomer) await context.addInitScript(meetGames);
  if (pace !== 1) await context.addInitScript(goFaster, pace);
  if (!analyses) await context.addInitScript(analyseNothing);
  const page = await context.newPage();
  const screenshot = page.screenshot.bind(page);
  page.screenshot = (options) => withPixels(page, () => screenshot(options));
  page.address = address;
  if (inFirefox) await fillGaps(page);
  page.kind = kind;
  page.own = new Set([...Object.keys(page), 'own']);
  return page;
}

/** What Playwright does not hear from Firefox over BiDi: that only the part behind the # is new, and what sockets receive. */
async function fillGaps(page) {
  const load = page.goto.bind(page);
  page.goto = async (path) => {
    const [before, after] = [page.url(), new URL(path, page.address).href];
    if (!after.includes('#') || before.split('#')[0] !== after.split('#')[0]) return load(path);
    await page.evaluate((to) => void (location.href = to), after);
  };
  let socket;
  await page.exposeFunction('heardBySocket', (payload) => {
    if (payload === null) page.emit('websocket', (socket = new EventEmitter()));
    else socket.emit('framereceived', { payload });
  });
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      constructor(...address) {
        super(...address);
        window.heardBySocket(null);
        this.addEventListener('message', (m) => window.heardBySocket(m.data));
      }
    };
  });
}

/** Makes a device as good as new: nothing of the test before is kept, listened to or shown. */
async function clean(page) {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const event of page.eventNames()) if (event !== 'close' && event !== 'crash') page.removeAllListeners(event); // these two are Playwright's
  await page.unrouteAll();
  await context.setOffline(false);
  await page.emulateMedia({ media: null });
  await page.goto('/healthz'); // a document without scripts, of the origin whose storage is cleared
  await page.mouse.move(0, 0);
  await page.evaluate(() => [localStorage, sessionStorage].forEach((all) => all.clear()));
  await page.evaluate(() => new Promise((done) => Object.assign(indexedDB.deleteDatabase('fathom'), { onsuccess: done, onerror: done, onblocked: done })));
  for (const name of Object.keys(page)) if (!page.own.has(name)) delete page[name]; // what the test put there
  return page;
}

/* ---- checks ---- */

export function equal(got, wanted, what = '') {
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${what} expected ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`);
}

export function ok(value, what) {
  if (!value) throw new Error(what);
}

/** Asks again and again until the answer is yes. */
export async function until(what, done, ms = PATIENCE) {
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) if (await done()) return;
  throw new Error(`waited ${ms} ms for ${what}`);
}

/** The same for a value: it may take a while to become what it should be. */
export async function becomes(get, wanted, what = '', ms = PATIENCE) {
  let got;
  for (const end = Date.now() + ms; Date.now() < end; await new Promise((r) => setTimeout(r, 50))) {
    got = await get();
    if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  }
  equal(got, wanted, what);
}

/** No serious violation of accessibility on this page, and enough contrast by night as well as by day. */
export const accessible = (page, where) => withPixels(page, () => examine(page, where));

async function examine(page, where) {
  // axe goes in through the debugger: the page's own policy forbids foreign scripts.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violations = (runOnly) =>
    page.evaluate(async (runOnly) => {
      // Rules whose findings are let pass below need not run: a quarter of its time. Axe tells their impact nowhere else.
      const slight = window.axe._audit.rules.filter((r) => r.impact === 'minor' || r.impact === 'moderate');
      const rules = Object.fromEntries(slight.map((r) => [r.id, { enabled: false }]));
      const result = await window.axe.run(document, { resultTypes: ['violations'], ...(runOnly ? { runOnly } : { rules }) });
      return result.violations
        .filter((v) => v.impact === 'serious' || v.impact === 'critical')
        .map((v) => `${v.id}: ${v.nodes.slice(0, 4).map((n) => `${n.target.join(' ')} ${n.any[0]?.message ?? ''}`).join(' | ')}`);
    }, runOnly);
  const wear = (theme) =>
    page.evaluate((theme) => {
      const before = document.documentElement.dataset.theme;
      document.documentElement.dataset.theme = theme;
      // Colours change at once.
      for (const a of document.getAnimations()) if (a instanceof CSSTransition) a.finish();
      return before;
    }, theme);
  equal(await violations(), [], `${where}: axe`);
  const theme = await wear('dark');
  if (theme === 'dark') return;
  const found = await violations(['color-contrast']);
  await wear(theme);
  equal(found, [], `${where}, by night: axe`);
}

/** Whether the page is wider than the window: nothing may hang out. Says what does. */
export async function fits(page, where) {
  const { over, wide } = await page.evaluate(() => {
    const room = document.documentElement.clientWidth;
    const named = (e) => `${e.localName}.${[...e.classList].join('.')}`;
    const out = [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > room + 0.5);
    return { over: document.documentElement.scrollWidth - room, wide: out.slice(0, 6).map(named).join(', ') };
  });
  ok(over <= 0, `${where}: ${over} px too wide: ${wide}`);
}

/* ---- running ---- */

/** What runs: this file, and of its tests those whose names contain `only`; or a file after the other, see several.mjs. */
export const running = { file: process.argv[1] ?? 'browser', only: process.argv[2], several: false, failed: false };

let browser = null;

/** Ends the browser and the process. */
export async function end() {
  await browser?.close();
  process.exit(running.failed ? 1 : 0);
}

/** Runs `tests`, an object of name: async function(world), and prints TAP. SHOTS=DIR keeps pictures. */
export async function run(tests) {
  const { file, only, several } = running;
  const names = Object.keys(tests).filter((n) => only === undefined || n.includes(only));
  let server = await serve({ seeded: true });
  let idle = [];
  console.log(`1..${names.length}`);
  for (const [i, name] of names.entries()) {
    const begun = Date.now();
    const title = several ? `${file}: ${name}` : name;
    if (!browser?.isConnected()) browser = await browse(); // none was needed so far, or it crashed in the test before, which has failed
    if (server.ended) server = await serve({ seeded: true });
    const servers = [server];
    const world = { address: server.address, errors: [], idle, used: [], once: [], device: (o) => device(browser, world, o), shot };
    /** One more server, with flags of its own; answers its address. */
    world.serve = async (...flags) => {
      servers.push(await serve({ seeded: true, flags }));
      return servers.at(-1).address;
    };
    try {
      await inTime(tests[name](world));
      equal(world.errors, [], 'errors of the page:');
      for (const page of world.once) await page.context().close();
      for (const page of world.used) idle.push(await clean(page));
      console.log(`ok ${i + 1} - ${title}`);
      if (process.env.VERBOSE) console.log(`# ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    } catch (e) {
      running.failed = true;
      const said = String(e.stack ?? e);
      console.log(`not ok ${i + 1} - ${title}`);
      console.log(said.replace(/^/gm, '# '));
      console.log(`# kept in ${await keep(name, said, browser, servers)}`);
      for (const c of browser.contexts()) await c.close();
      idle = [];
    }
    for (const s of servers.slice(1)) await s.stop();
  }
  for (const page of idle) await page.context().close();
  await server.stop();
  if (!several) await end();
}

async function inTime(test) {
  let timer;
  const late = new Promise((_, fail) => (timer = setTimeout(() => fail(new Error(`not done after ${LONGEST / 1000} s`)), LONGEST)));
  await Promise.race([test, late]).finally(() => clearTimeout(timer));
}

async function shot(page, name) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`) });
}

/** Keeps what explains a failure: each page as a picture with what it logged and asked for, and the server's log. */
async function keep(name, said, browser, servers) {
  const file = relative(root, running.file).replace(/\.mjs$/, '').replaceAll('/', '-');
  const folder = join(process.env.KEPT ?? join(root, 'build-logs/browser'), file, name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'error.txt'), `${name}\n${said}\n`);
  writeFileSync(join(folder, 'server.log'), servers.map((s) => s.log).join('\n'));
  const pages = browser.contexts().flatMap((c) => c.pages()).filter((page) => page.seen); // not those of tests before
  for (const [n, page] of pages.entries()) {
    const { console: lines, failed, pending } = page.seen;
    const parts = [
      ['address', [page.url()]],
      ['console', lines],
      ['failed requests', failed],
      ['pending requests', [...pending].map((r) => `${r.method()} ${r.url()}`)],
    ];
    writeFileSync(join(folder, `page-${n}.txt`), parts.map(([title, all]) => `== ${title}\n${all.join('\n')}\n`).join('\n'));
    await page.screenshot({ path: join(folder, `page-${n}.png`), timeout: 20000 }).catch((e) => writeFileSync(join(folder, `page-${n}.png.txt`), String(e)));
  }
  return relative(process.cwd(), folder) || folder;
}
