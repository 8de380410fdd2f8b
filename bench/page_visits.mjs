// page_visits.mjs: what the page costs when it is opened again and when it plays by itself, for bench/page.
import { readdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A slow phone's network, and how much slower its processor is. */
export const SLOW = { latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (750e3 / 8) * 0.9 };
export const SLOWER = 4;

/**
 * The same network between a browser and a server: what the debugger slows is the page alone, not its Workers. Requests
 * arrive after the latency; all answers share one line.
 */
export async function slowLine(address) {
  const { hostname, port } = new URL(address);
  const sockets = new Set();
  let free = 0;
  const line = createServer((browser) => {
    const server = connect(Number(port), hostname);
    const after = () => {
      free = Math.max(free, performance.now());
      return free - performance.now();
    };
    browser.on('data', (bytes) => setTimeout(() => server.write(bytes), SLOW.latency));
    server.on('data', (bytes) => {
      after();
      free += (bytes.length / SLOW.downloadThroughput) * 1000;
      setTimeout(() => browser.destroyed || browser.write(bytes), after());
    });
    browser.on('close', () => server.destroy());
    server.on('close', () => setTimeout(() => browser.destroy(), after()));
    for (const socket of [browser, server]) {
      sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    }
  });
  await new Promise((done) => line.listen(0, '127.0.0.1', done));
  return {
    address: `http://127.0.0.1:${line.address().port}`,
    stop: () =>
      new Promise((done) => {
        line.close(done);
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** The engine's file: its name and what it weighs packed. */
export function engineFile(dist) {
  const name = readdirSync(join(dist, 'assets')).find((file) => /^engine-.*\.wasm$/.test(file));
  if (name === undefined) throw new Error(`${dist} has no engine: run tools/web`);
  return { name, bytes: gzipSync(readFileSync(join(dist, 'assets', name)), { level: 9 }).length };
}

/** The ms from the wish to play here until the engine has told its games. */
async function engineReady(context, dist, address) {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForLoadState('networkidle');
  const link = readdirSync(join(dist, 'assets')).find((file) => /^link-.*\.js$/.test(file));
  const ms = await page.evaluate(async (script) => {
    const begun = performance.now();
    const { link } = await import(script);
    await link().request('GET', '/api/games', null, null);
    return performance.now() - begun;
  }, `${address}/assets/${link}`);
  await page.close();
  return ms;
}

/**
 * The same on a slow phone. The debugger cannot slow a Worker, so what it takes here, with all files at hand, counts as
 * often as the processor is slower.
 */
export async function engineOnSlowPhone(browser, dist, server) {
  const line = await slowLine(server.address);
  const fresh = { serviceWorkers: 'block' };
  const [far, near] = [await browser.newContext(fresh), await browser.newContext(fresh)];
  const slow = await engineReady(far, dist, line.address);
  await engineReady(near, dist, server.address); // its files are in the browser's cache now
  const several = [];
  for (let i = 0; i < 3; i++) several.push(await engineReady(near, dist, server.address));
  const here = Math.min(...several); // other programs make it longer, nothing makes it shorter
  await far.close();
  await near.close();
  await line.stop();
  return { ready: slow + (SLOWER - 1) * here, line: slow, here };
}

/** In ms since the address was asked for: when Play now was painted, and no task of more than 50 ms came after. */
async function interactive(page, open) {
  await open();
  await page.locator('.plate .btn.go').first().waitFor();
  return page.evaluate(async () => {
    const of = (type) =>
      new Promise((done) => {
        const all = [];
        new PerformanceObserver((list) => all.push(...list.getEntries())).observe({ type, buffered: true });
        setTimeout(() => done(all), 1000);
      });
    const [paints, tasks] = await Promise.all([of('paint'), of('longtask')]);
    const painted = paints.find((p) => p.name === 'first-contentful-paint').startTime;
    return Math.max(painted, window.usable, ...tasks.map((t) => t.startTime + t.duration));
  });
}

/** Home opened again once its service worker has kept it: with the slow network, and without any. */
export async function secondVisit(browser, size, server) {
  const line = await slowLine(server.address);
  const context = await browser.newContext({ viewport: size, baseURL: line.address, serviceWorkers: 'allow' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    new MutationObserver(() => {
      if (window.usable === undefined && document.querySelector('.plate .btn.go')) window.usable = performance.now();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, { timeout: 300000 });
  const wire = await context.newCDPSession(page);
  await wire.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const online = await interactive(page, () => page.reload());
  await line.stop();
  const offline = await interactive(page, () => page.reload());
  await context.close();
  return { online, offline };
}
