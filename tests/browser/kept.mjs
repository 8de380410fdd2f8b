// kept.mjs: a browser test that fails leaves what explains it. It runs itself once more with a test that is made to fail.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equal, ok, run } from './harness.mjs';

const planted = {
  'planted to fail': async (world) => {
    const page = await world.device();
    await page.evaluate(() => console.log('a line of the console'));
    await page.route('**/never', () => {}); // stays pending
    await page.evaluate(() => void fetch('/never').catch(() => undefined));
    await page.evaluate(() => fetch('/api/tables/0'));
    throw new Error('planted');
  },
};

const tests = {};

tests['W16 a browser test that fails keeps screenshot, console, requests and the log of the server, and says where'] = () => {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-kept-'));
  const { status, stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env: { ...process.env, PLANTED: '1', KEPT: folder }, encoding: 'utf8' });
  const where = join(folder, 'tests-browser-kept/planted-to-fail');
  equal(status, 1, 'the exit status');
  ok(/^not ok 1 - planted to fail$/m.test(stdout), stdout);
  ok(new RegExp(`^# kept in .*${basename(folder)}/tests-browser-kept/planted-to-fail$`, 'm').test(stdout), `the folder is not named: ${stdout}`);
  const read = (name) => readFileSync(join(where, name), 'utf8');
  ok(existsSync(join(where, 'page-0.png')), 'the screenshot');
  ok(read('error.txt').includes('planted'), 'the error');
  const page = read('page-0.txt');
  ok(page.includes('log: a line of the console'), `the console: ${page}`);
  ok(/failed requests\n(.*\n)*GET .*\/api\/tables\/0: 404/.test(page), `the failed request: ${page}`);
  ok(/pending requests\n(.*\n)*GET .*\/never$/m.test(page), `the pending request: ${page}`);
  ok(/http:\/\/[\d.]+:\d+/.test(read('server.log')), 'the log of the server');
  rmSync(folder, { recursive: true, force: true });
};

await run(process.env.PLANTED ? planted : tests);
