// analysis.mjs: the page analyses records as the program does, byte for byte.
// usage: node tests/wasm/analysis.mjs [GAMES]    so many of every game and version of its rules (default 2)
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { bundle, module, run } from './bundle.mjs';
import { fathom, flags, scratch, tables } from './games.mjs';

const GAMES = Number(process.argv[2] ?? 2);
const { Analyst, Engine } = await bundle('wasm', 'analysis');
const engine = new Engine(module());
const analyst = new Analyst(module('analysis.wasm'));
const file = scratch('game.jsonl');

function analyse(record, seat, budget) {
  const { analysed, decisions } = analyst.open(record, seat, budget);
  if (!analysed) return null;
  for (let i = 0; i < decisions; i++) analyst.weigh(i);
  return analyst.settle();
}

/** What the program prints; null: it does not analyse games of this kind. */
function printed(seat) {
  try {
    return fathom('analyse', file, '--budget', 'quick', '--json', ...(seat === null ? [] : ['--seat', String(seat)])).trimEnd();
  } catch (e) {
    assert.match(String(e.stderr), /cannot be analysed/);
    return null;
  }
}

const tests = {};
let analysed = 0;
for (const { id, rules: versions, waters } of engine.games())
  for (const rules of versions) {
    const said = tables(engine, id, rules).filter((options) => flags(options) !== null);
    tests[`${id}, rules ${rules}: equal records have equal analyses in the page and in the program`] = () => {
      let bytes = 0;
      for (let i = 0; i < GAMES; i++) {
        const options = said[(i * 5) % said.length];
        fathom('sim', id, '--rules', String(rules), ...flags(options), '--games', '1', '--jobs', '1', '--seed', String(i), '--record', file);
        const record = readFileSync(file, 'utf8');
        const seat = i % 2 === 0 ? null : 0;
        if (waters) {
          assert.equal(analyse(record, seat, 'quick'), null, 'the page draws no pictures for it');
          return 'not analysed in the page';
        }
        const text = printed(seat);
        assert.equal(analyse(record, seat, 'quick'), text, `seed ${i}, ${JSON.stringify(options)}`);
        if (text === null) return 'not analysed by either';
        analysed++;
        bytes += text.length;
      }
      return `${GAMES} games, ${bytes} bytes`;
    };
  }
tests['some games are analysed at all'] = () => assert.ok(analysed > 0);

tests['a record that was altered is refused, and so is a seat that is not there'] = () => {
  fathom('sim', 'soumsoum', '--games', '1', '--jobs', '1', '--seed', '1', '--record', file);
  const record = readFileSync(file, 'utf8');
  assert.throws(() => analyse(record.replace('"seat":0', '"seat":1'), null, 'quick'), (e) => e.keys.code === 'bad-record');
  assert.throws(() => analyse(record, 7, 'quick'), (e) => e.keys.code === 'no-such-seat');
  assert.throws(() => analyse('', null, 'quick'), (e) => e.keys.code === 'bad-record');
};

await run(tests);
