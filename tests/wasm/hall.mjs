// hall.mjs: tables that the page keeps itself: the same requests and streams as a server's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, module, root, run } from './bundle.mjs';

const program = process.env.FATHOM ?? join(root, 'build/fathom');
const { Engine, Hall, LOCAL } = await bundle('wasm', 'hall', '../net/local');
const engine = module();
const dir = mkdtempSync(join(tmpdir(), 'fathom-hall-'));
const file = join(dir, 'game.jsonl');
process.on('exit', () => rmSync(dir, { recursive: true }));

/** Chance that is the same in each run, and bots that do not dawdle. */
function world() {
  let n = 1;
  const hex = (bytes) => Array.from({ length: bytes }, () => ((n = (n * 75) % 65537) & 255).toString(16).padStart(2, '0')).join('');
  return { hex, now: () => performance.now(), botMs: 0 };
}

const newHall = (more = {}) => new Hall(() => new Engine(engine), { ...world(), ...more });

function ask(hall, method, path, body = null, token = null) {
  const { status, json } = hall.request(method, `/api/${path}`, body, token);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const refusal = (hall, ...request) => {
  const { status, json } = hall.request(...request);
  return [status, json.error?.code];
};

/** A table with a person in seat 0 and bots in the others, not started. */
function sitDown(hall, game, options = {}, bot = 'random') {
  const { table, host } = ask(hall, 'POST', 'tables', { game, options });
  const { token } = ask(hall, 'POST', `tables/${table}/seats`, { name: 'Ana', seat: 0, entropy: '00ff' });
  const info = ask(hall, 'GET', `tables/${table}`);
  for (const { seat } of info.seats.slice(1)) ask(hall, 'POST', `tables/${table}/bots`, { seat, bot }, host);
  return { table, host, token, info };
}

/** A stream that keeps what it was told; `on` hears each message. */
function stream(hall, table, hello, on = () => {}) {
  const told = [];
  const s = hall.connect(table, (text) => {
    const said = JSON.parse(text);
    told.push(said);
    on(said);
  });
  s.hear(JSON.stringify({ seqs: true, ...hello }));
  return Object.assign(s, { told, say: (said) => s.hear(JSON.stringify(said)) });
}

/** Plays seat 0 with the first or last thing that is legal, until the end. */
function playOn(hall, table, token) {
  return new Promise((done, fail) => {
    let n = 0;
    const s = stream(hall, table, { hello: token, earlier: true }, (said) => {
      if (said.refused !== undefined) fail(new Error(JSON.stringify(said)));
      if (said.view?.result) return setTimeout(() => done(s), 5);
      const legal = said.view?.legal ?? [];
      if (legal.length > 0) setTimeout(() => s.say({ id: `a${n}`, action: legal[n++ % 2 ? 0 : legal.length - 1] }), 0);
    });
  });
}

const tests = {};

for (const [game, options] of [['soumsoum', {}], ['soumsoum', { players: 4, market: true }], ['divercity', {}]])
  tests[`${game} ${JSON.stringify(options)} is played to its end, replayed, verified and accepted by the program`] = async () => {
    const hall = newHall();
    const { table, host, token, info } = sitDown(hall, game, options);
    assert.ok(table.startsWith(LOCAL) && table.length === 32);
    ask(hall, 'POST', `tables/${table}/start`, {}, host);
    const s = await playOn(hall, table, token);
    const over = ask(hall, 'GET', `tables/${table}`);
    assert.deepEqual([over.state, over.commitment], ['over', info.commitment]);

    const record = ask(hall, 'GET', `tables/${table}/record`);
    writeFileSync(file, record);
    execFileSync(program, ['replay', file]);

    const verdict = ask(hall, 'GET', `tables/${table}/verify`);
    assert.deepEqual([verdict.ok, verdict.steps.map((x) => x.ok)], [true, [true, true, true, true]]);
    assert.equal(verdict.steps[0].shown, info.commitment);

    // the replay shows what the stream was told
    const live = s.told.filter((x) => x.view).map(({ view }) => view);
    const { steps } = ask(hall, 'GET', `tables/${table}/replay/0`);
    assert.deepEqual(steps.slice(-live.length).map((x) => x.view), live);
    for (const who of ['open', 'table', 1]) assert.ok(ask(hall, 'GET', `tables/${table}/replay/${who}`).steps.length > 1);
    return `${record.split('\n').length - 3} moves`;
  };

tests['dive with bots alone goes through, its clock too'] = async () => {
  const hall = newHall();
  const { table, host } = ask(hall, 'POST', 'tables', { game: 'dive', options: { divers: 3, clock: 1 } });
  for (const seat of [0, 1, 2]) ask(hall, 'POST', `tables/${table}/bots`, { seat, bot: seat ? 'minnow' : 'steady' }, host);
  const over = new Promise((done) => stream(hall, table, { hello: null }, (said) => said.view?.result && done(said.view.result)));
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  assert.ok((await over).winners ?? true);
  assert.equal(ask(hall, 'GET', `tables/${table}/verify`).ok, true);
};

tests['dive: who draws is told what a server would show, and the page only what it is called'] = async () => {
  const shown = [];
  const hall = newHall({ show: (told) => shown.push(told) });
  const { table, host } = ask(hall, 'POST', 'tables', { game: 'dive', options: { divers: 2, clock: 1 }, water: 'murky' });
  for (const seat of [0, 1]) ask(hall, 'POST', `tables/${table}/bots`, { seat, bot: 'minnow' }, host);
  assert.equal(ask(hall, 'GET', `tables/${table}`).water, 'murky');
  assert.equal(hall.request('GET', `/api/tables/${table}/ocean/1/`, null, null).json.error.code, 'gone');
  const told = [];
  const over = new Promise((done) => stream(hall, table, { hello: null }, (said) => (told.push(said), said.view?.result && done())));
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  assert.deepEqual(Object.keys(ask(hall, 'GET', `tables/${table}/ocean/1/`)), ['stack']);
  const { what } = shown.at(-1);
  assert.deepEqual([what.left, what.turned, what.water, what.sheets.length / 2], [36, 0, 2, 36]);
  assert.equal(hall.request('GET', `/api/tables/${table}/ocean/2/`, null, null).status, 404, 'a round that has not come');
  await over;
  assert.ok(told.every((said) => !JSON.stringify(said).includes(what.secret)));
  const { stack } = ask(hall, 'GET', `tables/${table}/ocean/1/`);
  assert.equal(shown.at(-1).stack, stack);
  assert.ok(shown.at(-1).what.turned > 0 && shown.at(-1).what.top === 35, 'after the game all rounds can be seen');
  assert.ok(ask(hall, 'GET', `tables/${table}/replay/table`).visit);
};

tests['practice: the sheets are shown after a guess'] = () => {
  const shown = [];
  const hall = newHall({ show: (told) => shown.push(told.what) });
  const { practice, levels } = ask(hall, 'POST', 'practice', {});
  ask(hall, 'GET', `practice/${practice}/`);
  assert.deepEqual([shown.at(-1).turned, shown.at(-1).lamps], [0, true]);
  const guess = (all) => hall.request('POST', `/api/practice/${practice}/guess`, { guess: all }, null);
  for (const bad of [[], ['whale', null, null, null, null], 'shark']) assert.equal(guess(bad).json.error.code, 'bad-value');
  assert.equal(guess(Array(levels).fill(null)).json.truth.length, levels);
  ask(hall, 'GET', `practice/${practice}/`);
  assert.equal(shown.at(-1).turned, levels);
  assert.equal(hall.request('GET', `/api/practice/${practice.replace(/.$/, 'x')}/`, null, null).json.error.code, 'gone');
};

tests['dive: the clock speaks for somebody who does nothing'] = async () => {
  const hall = newHall();
  const { table, host, token } = sitDown(hall, 'dive', { divers: 2, clock: 1 }, 'minnow');
  const dived = new Promise((done) => {
    let clock = false;
    stream(hall, table, { hello: token }, (said) => {
      clock ||= said.clock > 0;
      if (clock && said.events?.length > 0 && said.view.round > 1) done();
    });
  });
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  await dived;
};

tests['an action is acknowledged once and not applied twice; what is refused changes nothing'] = async () => {
  const hall = newHall();
  const { table, host, token } = sitDown(hall, 'soumsoum', { first: 0 });
  const s = stream(hall, table, { hello: token });
  assert.deepEqual([s.told[0].seq, s.told[0].view], [-1, null]);
  s.say({ id: 'early', action: { do: 'pass' } });
  assert.deepEqual([s.told.at(-1).refused, s.told.at(-1).code], ['early', 'not-started']);
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const { legal } = s.told.findLast((x) => x.view).view;
  s.say({ id: 'x', action: { do: 'pass' } });
  assert.equal(s.told.at(-1).code, 'wrong-phase');
  s.say({ id: 'x1', action: { do: 'place', card: 9, at: [0, 0] } });
  assert.equal(s.told.at(-1).refused, 'x1');
  s.say({ what: 'w', if: [legal[0], { do: 'pass' }] });
  assert.equal(s.told.at(-1).what, 'w');
  assert.equal(s.told.at(-1).view.seat, 0);
  s.say({ id: 'a', action: legal[0] });
  const [change, ack] = s.told.filter((x) => x.ack !== undefined || x.view?.phase === 'diver').slice(-2);
  assert.deepEqual([change.seq, ack.ack, ack.seq], [1, 'a', 1]);
  s.say({ id: 'a', action: legal[0] });
  assert.deepEqual(s.told.at(-1), { ack: 'a', seq: 1 });
};

tests['who comes back is told what it missed and what was before'] = async () => {
  const hall = newHall();
  const { table, host, token } = sitDown(hall, 'soumsoum', { first: 0 });
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const s = await playOn(hall, table, token);
  const told = s.told.filter((x) => x.events).flatMap((x) => x.events);
  s.close();
  const back = stream(hall, table, { hello: token, from: 0, earlier: true }).told[0];
  assert.deepEqual([...back.earlier, ...back.events].slice(-told.length), told);
  assert.equal(back.seqs.length, back.earlier.length + back.events.length);
  const afresh = stream(hall, table, { hello: token, earlier: true }).told[0];
  assert.equal(afresh.events, undefined);
  assert.deepEqual(afresh.earlier, [...back.earlier, ...back.events]);
};

tests['a rematch has the same seats, and adds new chance'] = async () => {
  const hall = newHall();
  const { table, host, token } = sitDown(hall, 'soumsoum');
  ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const s = await playOn(hall, table, token);
  const next = ask(hall, 'POST', `tables/${table}/rematch`, {}, token).table;
  assert.equal(ask(hall, 'POST', `tables/${table}/rematch`, {}, host).table, next);
  assert.equal(s.told.at(-1).rematch, next);
  ask(hall, 'PUT', `tables/${next}/entropy`, { entropy: 'ab' }, token);
  ask(hall, 'POST', `tables/${next}/start`, {}, host);
  await playOn(hall, next, token);
  const record = ask(hall, 'GET', `tables/${next}/record`);
  assert.deepEqual(JSON.parse(record.split('\n')[0]).entropy, ['ab', null]);
};

tests['requests that a server refuses are refused here'] = () => {
  const hall = newHall();
  const { table, host, token } = sitDown(hall, 'soumsoum');
  const path = `/api/tables/${table}`;
  assert.deepEqual(refusal(hall, 'GET', `/api/tables/${LOCAL}${'1'.repeat(16)}`, null, null), [404, 'no-such-table']);
  assert.deepEqual(refusal(hall, 'POST', '/api/tables', { game: 'chess' }, null), [400, 'no-such-game']);
  assert.deepEqual(refusal(hall, 'POST', '/api/tables', { game: 'soumsoum', options: { players: 9 } }, null), [400, 'too-many-seats']);
  assert.deepEqual(refusal(hall, 'POST', `${path}/seats`, { name: 'Bo' }, null), [409, 'table-full']);
  assert.deepEqual(refusal(hall, 'POST', `${path}/seats`, { name: '\u200b ', seat: 0 }, null), [400, 'name-empty']);
  assert.deepEqual(refusal(hall, 'POST', `${path}/start`, {}, token), [403, 'forbidden']);
  assert.deepEqual(refusal(hall, 'GET', `${path}/record`, null, null), [409, 'not-over']);
  assert.deepEqual(refusal(hall, 'POST', `${path}/bots`, { seat: 1, bot: 'kraken' }, host), [400, 'bad-value']);
  ask(hall, 'POST', `tables/${table}/bots`, { seat: 1, bot: null }, host);
  assert.deepEqual(refusal(hall, 'POST', `${path}/start`, {}, host), [409, 'seat-free']);
};

tests['games, options and the referee answer as a server does'] = () => {
  const hall = newHall();
  const { games } = ask(hall, 'GET', 'games');
  assert.deepEqual(games.map((g) => g.id), ['soumsoum', 'dive', 'divercity']);
  const { answers } = ask(hall, 'POST', 'games/dive/check', { options: [{}, { divers: 9 }] });
  assert.deepEqual([answers[0].ok, answers[1].code, answers[1].path], [true, 'too-many-seats', 'divers']);
  const said = ask(hall, 'POST', 'referee/0', { game: 'soumsoum', options: { first: 0 }, setup: {}, actions: [{ seat: 0, do: 'pass' }] });
  assert.deepEqual([said.ok, said.error.action, said.error.code], [false, 0, 'wrong-phase']);
};

tests['a record that was altered, cut or is of newer rules is refused with its line'] = () => {
  const e = new Engine(engine);
  execFileSync(program, ['sim', 'soumsoum', '--games', '1', '--jobs', '1', '--record', file]);
  const record = readFileSync(file, 'utf8');
  assert.equal(e.verify(record).ok, true);
  const wrong = (text) => { const v = e.verify(text); return [v.ok, v.code, v.steps.find((x) => x.ok === false)?.line]; };
  assert.deepEqual(wrong(record.replace('"do":"place"', '"do":"diver"')), [false, 'bad-record', 2]);
  assert.equal(wrong(record.slice(0, -5))[1], 'bad-record');
  assert.equal(wrong('{"a":1}\n')[1], 'bad-record');
  assert.equal(wrong('')[1], 'bad-record');
  assert.throws(() => [...e.steps(record.slice(0, 400), 0)], (x) => x.keys.code === 'bad-record');
  assert.equal(e.verify(record, 'ab'.repeat(32)).ok, false, 'another commitment was shown');
};

await run(tests);
