// ocean.mjs: the page draws the same stacks as the program.
// usage: node tests/wasm/ocean.mjs [STACKS]    so many stacks, each from another side (default 6)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { built, bundle, module, root, run } from './bundle.mjs';

const STACKS = Number(process.argv[2] ?? 6);
const program = process.env.FATHOM ?? join(root, 'build/fathom');
const { blake2b } = await import(createRequire(join(root, 'web/package.json')).resolve('@noble/hashes/blake2.js'));
const { Engine, Ocean, SIZE } = await bundle('wasm', 'ocean');
const dir = mkdtempSync(join(tmpdir(), 'fathom-ocean-'));
process.on('exit', () => rmSync(dir, { recursive: true }));

const pack = () => inflateSync(readFileSync(built('drawings.bin')));
const drawer = (name, drawings = pack()) => new Ocean(new WebAssembly.Module(readFileSync(built(name))), drawings);
const engine = new Engine(module());
const ocean = drawer('ocean.wasm');
const { id: game, waters } = engine.games().find((g) => g.waters);

/* ---- the same stack for both ---- */

const hex = (text, bytes) => createHash('sha512').update(text).digest('hex').slice(0, 2 * bytes);

/** Hashed as src/base/hash.h does it: each part after its length. */
function hash(...parts) {
  const length = (n) => Buffer.from(new BigUint64Array([BigInt(n)]).buffer);
  return Buffer.from(blake2b(Buffer.concat(parts.flatMap((p) => [length(p.length), p])), { dkLen: 32 })).toString('hex');
}

const TILTS = [0, 28 / 6, -14, 28, -28 / 3];
const LAMPS = [null, null, 'above:0.25,0.75', 'below:0.5,0.5', 'side:1,0.5'];

/** The n-th stack: its seed for the program, and what the engine tells of it. */
function stackOf(n) {
  const seed = hex(`stack ${n}`, 32);
  const { seats } = engine.open({ game, seed });
  engine.start(Array.from({ length: seats }, () => ({ name: '-', bot: null })), '-');
  const dealt = engine.stack(1);
  const round = 1 + (n % 4);
  const lamp = LAMPS[n % LAMPS.length];
  return {
    seed: hash(Buffer.from('fathom deal 1'), Buffer.from(seed, 'hex')),
    round,
    lamp,
    tilt: [TILTS[n % TILTS.length], TILTS[(3 * n + 1) % TILTS.length]],
    water: waters[n % waters.length].id,
    what: { ...dealt, water: n % waters.length, left: dealt.sheets.length / 2 - (round - 1) * dealt.levels, lamps: lamp !== null },
  };
}

/** RGB of a PNG that the program wrote. */
function pixels(file) {
  const png = readFileSync(file);
  const parts = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const width = 3 * SIZE;
  const out = Buffer.alloc(width * SIZE);
  for (let y = 0; y < SIZE; y++)
    for (let x = 0; x < width; x++) {
      const left = x >= 3 ? out[y * width + x - 3] : 0;
      const above = y > 0 ? out[(y - 1) * width + x] : 0;
      const corner = x >= 3 && y > 0 ? out[(y - 1) * width + x - 3] : 0;
      out[y * width + x] = raw[y * (width + 1) + 1 + x] + predicted(raw[y * (width + 1)], left, above, corner);
    }
  return out;
}

function predicted(filter, left, above, corner) {
  if (filter < 4) return [0, left, above, (left + above) >> 1][filter];
  const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

function drawn(...args) {
  const file = join(dir, 'picture.png');
  execFileSync(program, ['ocean', '--out', file, ...args]);
  return pixels(file);
}

const looked = ({ seed, round, tilt, lamp, water }) =>
  drawn('--seed', seed, '--round', String(round), '--tilt', tilt.map((v) => v.toFixed(3)).join(), '--preset', water, ...(lamp === null ? [] : ['--lamp', lamp]));

/* ---- how far apart two pictures may be ---- */

/** Of 255, on average; and the part of all bytes that may be more than FAR apart: rims of holes are sampled otherwise. */
const MEAN = 0.08;
/** The water behind a sheet alone runs from one colour to another: there is more to round. */
const ALONE = 0.3;
const FAR = 8;
const PART = 0.0005;

/** `theirs` RGB, `ours` RGBA. */
function apart(theirs, ours) {
  let sum = 0;
  let far = 0;
  for (let i = 0; i < theirs.length; i++) {
    const d = Math.abs(theirs[i] - ours[4 * Math.floor(i / 3) + (i % 3)]);
    sum += d;
    far += d > FAR;
  }
  return { mean: sum / theirs.length, part: far / theirs.length };
}

const same = ({ mean, part }) => mean <= MEAN && part <= PART;
const said = ({ mean, part }) => `mean ${mean.toFixed(3)}, ${(100 * part).toFixed(3)} % far`;

/** The pack, with no ink in the drawings of a role (src/ocean/pack.h). */
function without(role) {
  const bytes = pack();
  const HEAD = 56;
  const n = bytes.readUInt32LE(0);
  let at = 4 + HEAD * n;
  for (let i = 0; i < n; i++) {
    const head = 4 + HEAD * i + 32;
    for (let side = 512 >> bytes.readUInt32LE(head + 4); side >= 64; side /= 2) {
      if (bytes.readUInt32LE(head) === role) bytes.fill(0, at, at + 4 * side * side);
      at += 4 * side * side;
    }
  }
  assert.equal(at, bytes.length);
  return bytes;
}

const tests = {};

tests[`${STACKS} stacks look as the program draws them, in all waters, by day and by lamp`] = () => {
  let worst = { mean: 0, part: 0 };
  for (let n = 0; n < STACKS; n++) {
    const stack = stackOf(n);
    const found = apart(looked(stack), ocean.look(stack.what, stack.tilt, stack.lamp));
    assert.ok(same(found), `stack ${n}, seed ${stack.seed}: ${said(found)}`);
    worst = { mean: Math.max(worst.mean, found.mean), part: Math.max(worst.part, found.part) };
  }
  return said(worst);
};

tests['what could be wrong would be noticed: a sheet, a depth, a water, a drawing, what covers the stack'] = () => {
  const stack = { ...stackOf(0), lamp: null };
  const theirs = looked(stack);
  const { what, tilt } = stack;
  const differs = (why, changed, by = ocean, from = tilt) => {
    const found = apart(theirs, by.look({ ...what, ...changed }, from, null));
    assert.ok(!same(found), `${why}: ${said(found)}`);
  };
  assert.ok(same(apart(theirs, ocean.look(what, tilt, null))));
  const turned = (level) => {
    const bytes = Buffer.from(what.sheets, 'hex');
    bytes[what.left - level] ^= 8 * 2; // half a turn
    return bytes.toString('hex');
  };
  for (const level of [1, 2, 3, 4, 5, 6]) differs(`the sheet of level ${level} is turned`, { sheets: turned(level) });
  const other = Buffer.from(what.sheets, 'hex');
  other[what.left - 5] ^= 4; // with a shark, or without
  differs('another card on level 5', { sheets: other.toString('hex') });
  differs('a sheet is missing', { left: what.left - 1 });
  differs('another water', { water: 1 });
  differs('a step further', {}, ocean, [tilt[0] + 28 / 6, tilt[1]]);
  differs('something covers it', { cover: [0.5, 0.5] });
  differs('the sharks are not drawn', {}, drawer('ocean.wasm', without(0)));
  differs('the green turtle is not drawn', {}, drawer('ocean.wasm', without(1)));
};

tests['revealed sheets, and where their creatures lie'] = () => {
  for (let n = 0; n < Math.max(2, STACKS / 10); n++) {
    const { seed, what, water } = stackOf(3 * n);
    const found = apart(drawn('--seed', seed, '--sheet', '1', '--round', String(1 + ((3 * n) % 4)), '--preset', water), ocean.sheet(what, what.left - 1));
    assert.ok(found.mean <= ALONE && found.part <= PART, `sheet of stack ${3 * n}: ${said(found)}`);
    const kind = what.kinds[parseInt(what.sheets.slice(2 * what.left - 2, 2 * what.left), 16) & 7];
    assert.equal(ocean.creatures(what, what.left - 1).map((c) => c.creature).join('+') || 'empty', kind);
  }
};

tests['without vectors every byte is the same'] = () => {
  const plain = drawer('ocean-plain.wasm');
  assert.deepEqual([ocean.kernel, plain.kernel], ['simd128', 'plain']);
  for (const n of [0, 2, 3, 4]) {
    const { what, tilt, lamp } = stackOf(n);
    assert.ok(Buffer.from(ocean.look(what, tilt, lamp).buffer).equals(Buffer.from(plain.look(what, tilt, lamp).buffer)), `stack ${n}`);
  }
};

tests['all rounds of a game fit into 64 MB'] = () => {
  const one = drawer('ocean.wasm');
  const { what } = stackOf(1);
  for (let left = what.left; left >= 0; left -= what.levels) one.look({ ...what, left, lamps: true, cover: [0.5, 0.5] }, [28, 28], 'above');
  const mb = one.size / 2 ** 20;
  assert.ok(mb <= 64, `${mb} MB`);
  return `${mb.toFixed(0)} MB`;
};

tests['what is no pack, no deal, no look or no sheet is refused'] = () => {
  const refused = (what) => assert.throws(what, { message: /no such|no drawings/ });
  refused(() => drawer('ocean.wasm', new Uint8Array(100)));
  refused(() => drawer('ocean.wasm', pack().subarray(0, 100000)));
  const { what } = stackOf(0);
  refused(() => ocean.look({ ...what, water: 9 }, [0, 0], null));
  refused(() => ocean.look({ ...what, lamps: false }, [0, 0], 'above'));
  refused(() => ocean.look({ ...what, lamps: true }, [0, 0], 'moon'));
  refused(() => ocean.look(what, [29, 0], null));
  refused(() => ocean.look(what, [NaN, 0], null));
  refused(() => ocean.sheet(what, 36));
  assert.ok(ocean.look(what, [0, 0], null).length > 0, 'and then it goes on');
};

await run(tests);
