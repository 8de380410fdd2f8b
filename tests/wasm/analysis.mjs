// analysis.mjs: the page analyses records as the program does, byte for byte; where it has to look into a stack, as far as it sees the same.
// usage: node tests/wasm/analysis.mjs [GAMES]    so many of every game and version of its rules (default 2)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { built, bundle, module, run } from './bundle.mjs';
import { fathom, flags, scratch, tables } from './games.mjs';

const GAMES = Number(process.argv[2] ?? 2);
const { Analyst, Engine, Ocean, analyse: analysed } = await bundle('wasm', 'analysis', 'analyse', 'ocean');
const engine = new Engine(module());
const analyst = new Analyst(module('analysis.wasm'));
const file = scratch('game.jsonl');

let drawer;
const ocean = () => (drawer ??= new Ocean(module('ocean.wasm'), inflateSync(readFileSync(built('drawings.bin')))));
const analyse = (record, seat, budget, water = null) => analysed(analyst, async () => ocean(), { record, seat, budget, water });

/** What the program prints; null: it does not analyse games of this kind. */
function printed(seat, ...flags) {
  try {
    return fathom('analyse', file, '--budget', 'quick', '--json', ...(seat === null ? [] : ['--seat', String(seat)]), ...flags).trimEnd();
  } catch (e) {
    assert.match(String(e.stderr), /cannot be analysed/);
    return null;
  }
}

const tests = {};
let known = 0;

/** Beliefs of the page may differ from the program's by so much, on average and at most: it paints some pixels by a shade otherwise, and eyes
    that are not sure sometimes see something else then. */
const SHADE = { mean: 0.06, most: 0.4 };

/** By how much the chances of each level of two decisions differ. */
const apart = (a, b) =>
  (a.knew.levels ?? []).map((l, i) => Math.max(...Object.entries(l.chances).map(([kind, chance]) => Math.abs(chance - b.knew.levels[i].chances[kind]))));

/** What depends on nothing but the seat's own view and what it saw: not luck, which comes from the next decision. */
const own = ({ luck, ...rest }) => (assert.equal(typeof luck, 'number'), JSON.stringify(rest));

/** Decisions from two lots of pictures: where eyes believe the same, everything else is the same; else they believe nearly the same. */
function compare(here, there) {
  const shades = here.decisions.flatMap((d, i) => {
    const other = there.decisions[i];
    const truth = ({ knew: { levels = [] } }) => levels.map((l) => [l.there, l.seen]);
    assert.deepEqual(truth(d), truth(other), 'what was there');
    const by = apart(d, other);
    if (by.every((b) => b === 0)) assert.equal(own(d), own(other), `move ${d.step}`);
    return by;
  });
  assert.deepEqual(here.decisions.map((d) => d.step), there.decisions.map((d) => d.step));
  const mean = shades.reduce((sum, s) => sum + s, 0) / shades.length;
  assert.ok(mean <= SHADE.mean && Math.max(...shades) <= SHADE.most, `beliefs differ by ${mean} on average, ${Math.max(...shades)} at most`);
  return shades;
}

function comparePictures(id, rules, water) {
  fathom('sim', id, '--rules', String(rules), '--games', '1', '--jobs', '1', '--seed', '3', '--record', file);
  const record = readFileSync(file, 'utf8');
  return analyse(record, 0, 'quick', water).then((text) => {
    const shades = compare(JSON.parse(text), JSON.parse(printed(0, '--water', water)));
    known++;
    const mean = shades.reduce((sum, s) => sum + s, 0) / shades.length;
    return `${shades.length} levels, beliefs differ by ${mean.toFixed(3)} on average and ${Math.max(...shades).toFixed(3)} at most`;
  });
}
for (const { id, rules: versions, waters } of engine.games())
  for (const rules of versions) {
    const said = tables(engine, id, rules).filter((options) => flags(options) !== null);
    tests[`${id}, rules ${rules}: equal records have equal analyses in the page and in the program`] = async () => {
      if (waters) return comparePictures(id, rules, waters[(rules - 1) % waters.length].id);
      let bytes = 0;
      for (let i = 0; i < GAMES; i++) {
        const options = said[(i * 5) % said.length];
        fathom('sim', id, '--rules', String(rules), ...flags(options), '--games', '1', '--jobs', '1', '--seed', String(i), '--record', file);
        const record = readFileSync(file, 'utf8');
        const seat = i % 2 === 0 ? null : 0;
        const text = printed(seat);
        assert.equal(await analyse(record, seat, 'quick'), text, `seed ${i}, ${JSON.stringify(options)}`);
        if (text === null) return 'not analysed by either';
        known++;
        bytes += text.length;
      }
      return `${GAMES} games, ${bytes} bytes`;
    };
  }
tests['some games are analysed at all'] = () => assert.ok(known > 0);

tests['a record that was altered is refused, and so is a seat that is not there'] = async () => {
  fathom('sim', 'soumsoum', '--games', '1', '--jobs', '1', '--seed', '1', '--record', file);
  const record = readFileSync(file, 'utf8');
  await assert.rejects(() => analyse(record.replace('"seat":0', '"seat":1'), null, 'quick'), (e) => e.keys.code === 'bad-record');
  await assert.rejects(() => analyse(record, 7, 'quick'), (e) => e.keys.code === 'no-such-seat');
  await assert.rejects(() => analyse('', null, 'quick'), (e) => e.keys.code === 'bad-record');
};

await run(tests);
