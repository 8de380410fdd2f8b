// records.mjs: a record that somebody opens is shown in the replay viewer, and is sent nowhere.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessible, becomes, equal, examined, fits, ok, run, until } from './harness.mjs';

const tests = {};
const program = process.env.FATHOM ?? 'build/fathom';
const { blake2b } = createRequire(new URL('../../web/package.json', import.meta.url))('@noble/hashes/blake2.js');
const golden = 'games/soumsoum/tests/golden/2-greedy-market.jsonl';

/** Drops a file onto the page, as a browser tells it. */
const drop = (page, name, bytes) =>
  page.evaluate(
    async ([name, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], name));
      const tell = (what) => document.body.dispatchEvent(new DragEvent(what, { dataTransfer, bubbles: true, cancelable: true }));
      tell('dragenter');
      while (tell('dragover')) await new Promise((done) => setTimeout(done, 20)); // until somebody takes it
      tell('drop');
    },
    [name, Buffer.from(bytes).toString('base64')],
  );

/** A record with other lines: its sums as docs/protocol.md defines them. */
function summed(lines) {
  let chain = Buffer.alloc(32);
  const span = (bytes) => {
    const length = Buffer.alloc(8);
    length.writeUInt32LE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return lines.map((line) => {
    const text = line.replace(/,"sum":"\w+"}$/, '');
    chain = Buffer.from(blake2b(Buffer.concat([Buffer.from('fathom record 1'), chain, Buffer.from(text)].map(span)), { dkLen: 32 }));
    return `${text},"sum":"${chain.toString('hex', 0, 4)}"}\n`;
  }).join('');
}

/** A page at home, and what it asks the server for, besides its games and open tables. */
async function home(world, options) {
  const page = await world.device(options);
  const asked = [];
  page.on('request', (request) => {
    const what = `${request.method()} ${new URL(request.url()).pathname}`;
    if (what.includes('/api/') && !/^GET \/api\/(tables|games)$/.test(what)) asked.push(what);
  });
  return { page, asked };
}

for (const [language, size] of [['en', 'desktop'], ['fr', 'phone']])
  tests[`a record that is dropped is shown, again after a reload, verified and saved, in ${language} on a ${size}`] = async (world) => {
    const record = readFileSync(golden);
    const { page, asked } = await home(world, { language, size });
    await drop(page, 'game.jsonl', record);
    await page.getByRole('grid').waitFor();
    equal(await page.locator('.drop').count(), 0, 'hints where to drop it');
    await page.keyboard.press('End');
    const moves = record.toString().trim().split('\n').length - 1;
    ok((await page.locator('.tl').innerText()).includes(String(moves)), 'all of its steps');
    await page.reload();
    await page.getByRole('grid').waitFor();
    const id = page.url().split('/')[5];
    await page.goto(`/#/verify/${id}`);
    await page.locator('.foot code').waitFor();
    equal(await page.getByRole('alert').count(), 0, 'alerts');
    await fits(page, 'verify a record');
    if (examined[size] === language) await accessible(page, 'verify a record');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.locator('a[download][href^="blob:"]').click()]);
    ok(record.equals(readFileSync(await saved.path())), 'the same bytes');
    equal(asked, [], 'what the server was asked for');
  };

tests['a record is chosen by hand, from a page that says what to do'] = async (world) => {
  const { page } = await home(world, {});
  await page.goto('/#/replay');
  await page.getByRole('heading', { name: 'Open a record' }).waitFor();
  await fits(page, 'open a record');
  await accessible(page, 'open a record');
  await page.getByLabel('Choose a file').setInputFiles(golden);
  await page.getByRole('grid').waitFor();
  await page.getByRole('link', { name: 'Close' }).click();
  await page.getByRole('article').first().waitFor();
};

tests['what is no record, or not one for this page, is refused with a sentence, and nothing else happens'] = async (world) => {
  const record = readFileSync(golden, 'utf8');
  const lines = record.trimEnd().split('\n');
  equal(summed(lines), record, 'the sums of the record itself');
  const headed = (from, to) => summed([lines[0].replace(from, to), ...lines.slice(1)]);
  const { page, asked } = await home(world, {});
  const bad = 'This is not a complete record of a game';
  for (const [what, bytes, sentence] of [
    ['a picture', readFileSync('web/src/art/logo.svg'), bad],
    ['nothing', '', bad],
    ['bytes', Buffer.from([0, 255, 254, 10, 0]), bad],
    ['cut in a line', record.slice(0, record.length / 2), bad],
    ['cut after a line', `${lines.slice(0, -2).join('\n')}\n`, bad],
    ['altered', record.replace('"seat":0', '"seat":1'), bad],
    ['newer rules', headed('"rules":1', '"rules":9'), 'This game was played by newer rules than this page knows.'],
    ['a foreign game', headed('"game":"soumsoum"', '"game":"chess"'), 'This page does not have the game or the deck of this record.'],
    ['a foreign deck', headed(/"hash":"\w{4}/, '"hash":"0000'), 'This page does not have the game or the deck of this record.'],
    ['too large', Buffer.alloc(16 * 2 ** 20 + 1, 32), 'This file is too large to be a record.'],
  ]) {
    await drop(page, what, bytes);
    const toast = page.locator('.toast.bad', { hasText: sentence });
    await toast.waitFor();
    await toast.getByRole('button').click();
    await becomes(() => page.locator('.toast').count(), 0, `toasts after ${what}:`);
    ok(!page.url().includes('/replay/'), what);
  }
  equal(asked, [], 'what the server was asked for');
};

tests['fathom replay --open serves the record to this machine, asks the desktop to show it, and leaves nothing behind'] = async (world) => {
  const page = await world.device({ open: false });
  const folder = mkdtempSync(join(tmpdir(), 'fathom-open-'));
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > ${folder}/shown\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, TMPDIR: folder };
  const serving = spawn(program, ['replay', '--open', golden], { env });
  let said = '';
  serving.stdout.on('data', (text) => (said += text));
  const ended = new Promise((done) => serving.on('exit', done));
  try {
    await until('its address', () => /http:\S+/.test(said));
    const [address] = /http:\S+/.exec(said);
    await until('the desktop', () => readFileSync(join(folder, 'shown'), { encoding: 'utf8', flag: 'a+' }) === `${address}\n`);
    await page.goto(address);
    await page.getByRole('grid').waitFor();
  } finally {
    serving.kill('SIGTERM');
  }
  equal(await ended, 0, 'exit status');
  equal(readdirSync(folder).sort(), ['shown', 'xdg-open'], 'files that are left');
  rmSync(folder, { recursive: true });
};

await run(tests);
