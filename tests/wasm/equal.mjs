// equal.mjs: the engine of the page and the program play the same games, byte for byte.
// usage: node tests/wasm/equal.mjs [GAMES]    so many of every game and version of its rules, each way (default 6)
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { bundle, module, run } from './bundle.mjs';
import { fathom, flags, scratch, tables } from './games.mjs';

const GAMES = Number(process.argv[2] ?? 6);
const { Engine } = await bundle('wasm');
const engine = new Engine(module());
const file = scratch('game.jsonl');

const bytes = (text, n) => createHash('sha512').update(text).digest('hex').slice(0, 2 * n);

/** A record that the program made is played again in the engine, from its seed and actions alone. */
function again(record) {
  const [first, ...rest] = record.trimEnd().split('\n').map((line) => JSON.parse(line));
  const last = rest.pop();
  const { game, rules, options, table } = first;
  engine.open({ game, rules, options, seed: last.seed, ...(table === undefined ? {} : { table }) });
  let made = engine.start(first.seats, first.created);
  for (const { t, seat, state, sum, ...action } of rest) made += seat === undefined ? engine.clock(t) : engine.act(seat, t, action);
  return made + engine.end();
}

/** A game that random bots play in the engine, as at a table. */
function play(game, rules, options, name) {
  const { seats } = engine.open({ game, rules, options, seed: bytes(`${name} seed`, 32), table: bytes(`${name} table`, 16) });
  const people = Array.from({ length: seats }, (_, i) => ({ name: i === 0 ? 'Zoë "Ö"' : 'random', bot: i === 0 ? null : 'random', entropy: i === 1 ? null : bytes(`${name} ${i}`, 32) }));
  let made = engine.start(people, '2026-11-17T12:00:00Z');
  for (let t = 0; !engine.over; ) {
    const choices = people.flatMap((_, seat) => (engine.may(seat) ? [{ seat, ...engine.think(seat, 'random') }] : [])).filter((c) => c.action !== null);
    const next = choices.sort((a, b) => a.after - b.after)[0];
    t = next === undefined ? engine.deadline : t + next.after;
    made += next === undefined || (engine.deadline !== null && t > engine.deadline) ? engine.clock((t = engine.deadline)) : engine.act(next.seat, t, next.action);
  }
  return made + engine.end();
}

const tests = {};
for (const { id, rules: versions } of engine.games())
  for (const rules of versions) {
    const all = tables(engine, id, rules);
    const said = all.filter((options) => flags(options) !== null);
    tests[`${id}, rules ${rules}: what the program plays is the same in the engine`] = () => {
      let lines = 0;
      for (let i = 0; i < GAMES; i++) {
        const options = said[i % said.length];
        fathom('sim', id, '--rules', String(rules), ...flags(options), '--games', '1', '--jobs', '1', '--seed', String(i), '--record', file);
        const record = readFileSync(file, 'utf8');
        assert.equal(again(record), record, `seed ${i}, ${JSON.stringify(options)}`);
        const verdict = engine.verify(record, JSON.parse(record.slice(0, record.indexOf('\n'))).commitment);
        assert.deepEqual([verdict.ok, verdict.message], [true, null], `seed ${i}`);
        lines += record.split('\n').length - 1;
      }
      return `${GAMES} games, ${lines} lines`;
    };
    tests[`${id}, rules ${rules}: what the engine plays is accepted by the program`] = () => {
      for (let i = 0; i < GAMES; i++) {
        const options = all[i % all.length];
        writeFileSync(file, play(id, rules, options, `${id} ${rules} ${i}`));
        fathom('replay', file);
      }
      return `${GAMES} games`;
    };
  }

await run(tests);
