// hall.mjs: tables that the page keeps itself: the same requests and streams as a server's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, module, root, run } from './bundle.mjs';

const program = process.env.FATHOM ?? join(root, 'build/fathom');
const { Conflict, Engine, Hall, LOCAL } = await bundle('wasm', 'hall', 'kept', '../net/local');
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

/** A device: what it keeps is a copy, as in a database. `full`: it has no more room. */
function newDevice() {
  const tables = new Map();
  const lines = new Map();
  return {
    tables,
    lines,
    full: false,
    async load(id) {
      await null;
      return tables.has(id) ? structuredClone({ table: tables.get(id), lines: lines.get(id) }) : undefined;
    },
    async save(table, n, more) {
      await null;
      if (this.full) throw new Error('QuotaExceededError');
      const old = lines.get(table.id) ?? [];
      if (more.length > 0 && old.length > n) throw new Conflict();
      tables.set(table.id, structuredClone(table));
      lines.set(table.id, [...old.slice(0, n), ...structuredClone(more)]);
    },
  };
}

const newHall = (device = newDevice(), more = {}) => new Hall(() => new Engine(engine), { ...world(), ...more }, device);

async function ask(hall, method, path, body = null, token = null) {
  const { status, json } = await hall.request(method, `/api/${path}`, body, token);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const refusal = async (hall, ...request) => {
  const { status, json } = await hall.request(...request);
  return [status, json.error?.code];
};

/** A table with a person in seat 0 and bots in the others, not started. */
async function sitDown(hall, game, options = {}, bot = 'random') {
  const { table, host } = await ask(hall, 'POST', 'tables', { game, options });
  const { token } = await ask(hall, 'POST', `tables/${table}/seats`, { name: 'Ana', seat: 0, entropy: '00ff' });
  const info = await ask(hall, 'GET', `tables/${table}`);
  for (const { seat } of info.seats.slice(1)) await ask(hall, 'POST', `tables/${table}/bots`, { seat, bot }, host);
  return { table, host, token, info };
}

/** A stream that keeps what it was told; `on` hears each message. */
async function stream(hall, table, hello, on = () => {}) {
  const told = [];
  const s = hall.connect(table, (text) => {
    const said = JSON.parse(text);
    told.push(said);
    on(said);
  });
  const made = Object.assign(s, { told, say: (said) => s.hear(JSON.stringify(said)) });
  await made.say({ seqs: true, ...hello });
  return made;
}

/** Plays seat 0 with the first or last thing that is legal, until the end, or until it has made so many moves and is asked again. */
function playOn(hall, table, token, moves = Infinity, name = 'a') {
  return new Promise((done, fail) => {
    let n = 0;
    const s = stream(hall, table, { hello: token, earlier: true }, async (said) => {
      if (said.refused !== undefined) fail(new Error(JSON.stringify(said)));
      if (said.view?.result) return setTimeout(() => done(s), 5);
      const legal = said.view?.legal ?? [];
      if (legal.length === 0) return;
      if (n >= moves) return done(s);
      const id = `${name}${++n}`;
      const legalOf = (what) => legal.find((a) => a.do === what);
      const program = legalOf('program') && { do: 'program', levels: [{ tokens: [1, 2, 3, 4, 5], shark: false }] };
      const action = legalOf('ready') ?? program ?? legal[n % 2 ? legal.length - 1 : 0];
      setTimeout(async () => (await s).say({ id, action }), 0);
    });
  });
}

const tests = {};

for (const [game, options] of [['soumsoum', {}], ['soumsoum', { players: 4, market: true }], ['divercity', {}]])
  tests[`${game} ${JSON.stringify(options)} is played to its end, replayed, verified and accepted by the program`] = async () => {
    const hall = newHall();
    const { table, host, token, info } = await sitDown(hall, game, options);
    assert.ok(table.startsWith(LOCAL) && table.length === 32);
    await ask(hall, 'POST', `tables/${table}/start`, {}, host);
    const s = await playOn(hall, table, token);
    const over = await ask(hall, 'GET', `tables/${table}`);
    assert.deepEqual([over.state, over.commitment], ['over', info.commitment]);

    const record = await ask(hall, 'GET', `tables/${table}/record`);
    writeFileSync(file, record);
    execFileSync(program, ['replay', file]);

    const verdict = await ask(hall, 'GET', `tables/${table}/verify`);
    assert.deepEqual([verdict.ok, verdict.steps.map((x) => x.ok)], [true, [true, true, true, true]]);
    assert.equal(verdict.steps[0].shown, info.commitment);

    // the replay shows what the stream was told
    const live = s.told.filter((x) => x.view).map(({ view }) => view);
    const { steps } = await ask(hall, 'GET', `tables/${table}/replay/0`);
    assert.deepEqual(steps.slice(-live.length).map((x) => x.view), live);
    for (const who of ['open', 'table', 1]) assert.ok((await ask(hall, 'GET', `tables/${table}/replay/${who}`)).steps.length > 1);
    return `${record.split('\n').length - 3} moves`;
  };

for (const [game, fair] of [['soumsoum', true], ['divercity', true], ['soumsoum', false]])
  tests[`${game}: a recorded game${fair ? '' : ' of the program'} is taken up before a move, kept, and played to another end`] = async () => {
    const device = newDevice();
    const hall = newHall(device);
    let record;
    if (fair) {
      const { table, host, token } = await sitDown(hall, game);
      await ask(hall, 'POST', `tables/${table}/start`, {}, host);
      await playOn(hall, table, token);
      record = await ask(hall, 'GET', `tables/${table}/record`);
    } else {
      execFileSync(program, ['sim', game, '--games', '1', '--jobs', '1', '--record', file]);
      record = readFileSync(file, 'utf8');
    }
    const lines = record.trimEnd().split('\n').map((line) => JSON.parse(line));
    const seats = lines[0].seats.length;
    const moves = lines.findIndex((l, i) => i > lines.length / 2 && l.seat === 0 && l.do !== 'claim') - 1;
    assert.ok(moves > 0, 'seat 0 moves in the second half');
    const steps = [...new Engine(engine).steps(record, 0)];
    const wanted = { record, moves, seat: 0, name: 'Ana', bots: Array(seats).fill('random') };

    const { table, token } = await ask(hall, 'POST', 'records/take-up', wanted);
    const info = await ask(hall, 'GET', `tables/${table}`);
    assert.deepEqual([info.from, info.state, info.seats[0].name, info.seats[1].bot], [moves, 'playing', 'Ana', 'random']);
    const { view } = await viewOf(hall, table, token);
    assert.deepEqual({ ...view, legal: null }, { ...steps[moves].view, legal: null });
    assert.ok(view.legal.length > 0, 'it is asked something');

    // a page that is opened again goes on there
    const later = newHall(device);
    assert.deepEqual((await viewOf(later, table, token)).view, view);
    await playOn(later, table, token);
    const over = await ask(later, 'GET', `tables/${table}`);
    assert.deepEqual([over.state, over.from], ['over', moves]);
    assert.equal(device.tables.get(table).from, moves, 'it is kept as what it is');

    // dealt anew: the same to the seat, not the same to all, kept, and without a record
    const hidden = new Set();
    for (let i = 0; i < 3; i++) {
      const anew = await ask(hall, 'POST', 'records/take-up', { ...wanted, anew: true });
      assert.equal((await ask(hall, 'GET', `tables/${anew.table}`)).redealt, true);
      const seen = (await viewOf(hall, anew.table, anew.token)).view;
      assert.deepEqual(seen, view);
      assert.deepEqual((await viewOf(newHall(device), anew.table, anew.token)).view, seen);
      hidden.add(device.tables.get(anew.table).redealt.seed);
      const again = newHall(device);
      await playOn(again, anew.table, anew.token);
      assert.equal((await ask(again, 'GET', `tables/${anew.table}`)).state, 'over');
      assert.deepEqual(await refusal(again, 'GET', `/api/tables/${anew.table}/record`, null, null), [404, 'gone']);
      assert.ok((await stream(again, anew.table, { hello: anew.token, earlier: true })).told[0].earlier.length > 0, 'all is told again');
    }
    assert.equal(hidden.size, 3, 'three deals');

    assert.deepEqual(await refusal(hall, 'POST', '/api/records/take-up', { ...wanted, record: record.replace('"seat":0', '"seat":1') }, null), [400, 'bad-record']);
    assert.deepEqual(await refusal(hall, 'POST', '/api/records/take-up', { ...wanted, moves: lines.length - 2 }, null), [409, 'over']);
    assert.deepEqual(await refusal(hall, 'POST', '/api/records/take-up', { ...wanted, seat: 9 }, null), [400, 'no-such-seat']);
    return `after ${moves} of ${lines.length - 2} moves`;
  };

tests['a puzzle: choices are compared with its candidates, what decides nothing is done, and the game goes on from there'] = async () => {
  const puzzle = JSON.parse(readFileSync(join(root, 'tests/fuzz/corpus/puzzle/divercity-01.json'), 'utf8'));
  const { seat, best, step } = puzzle;
  const record = puzzle.record.map((line) => `${line}\n`).join('');
  const others = puzzle.candidates.map((c) => c.action);
  const hall = newHall();
  const { table } = await ask(hall, 'POST', 'records', { record, part: true });
  assert.deepEqual(await refusal(hall, 'POST', '/api/records', { record }, null), [400, 'bad-record'], 'it is no whole game');
  const { steps } = await ask(hall, 'GET', `tables/${table}/replay/${seat}`);
  const { legal } = steps.at(-1).view;
  assert.equal(JSON.stringify(legal).includes(JSON.stringify(best)), true, 'the best is legal');

  const choice = (action) => ask(hall, 'POST', `tables/${table}/choice`, { seat, action, others });
  for (const [as, action] of others.entries()) assert.deepEqual(await choice(action), { decides: true, as, done: true });
  const claim = { do: 'claim', card: 0, species: 'eel' };
  assert.deepEqual(await choice(claim), { decides: false, as: null, done: false });
  const told = await ask(hall, 'POST', `tables/${table}/act`, { seat, action: claim });
  assert.equal(told.view.seq > steps.at(-1).view.seq, true, 'a claim is noticed');
  assert.deepEqual(await choice(best), { decides: true, as: 0, done: true });
  const request = (action) => refusal(hall, 'POST', `/api/tables/${table}/choice`, { seat, action, others }, null);
  assert.deepEqual(await request({ do: 'rig', card: 9 }), [400, 'bad-value']);
  assert.equal((await request({ do: 'play', card: 0 }))[0], 400, 'against the rules');

  const taken = await ask(hall, 'POST', 'records/take-up', { record, moves: step - 1, seat, name: 'Ana', bots: ['random', 'random'], part: true });
  assert.equal((await ask(hall, 'GET', `tables/${taken.table}`)).state, 'playing');
  await ask(hall, 'DELETE', `tables/${table}`);
  assert.deepEqual(await refusal(hall, 'GET', `/api/tables/${table}`, null, null), [404, 'no-such-table']);
};

tests['dive with bots alone goes through, its clock too'] = async () => {
  const hall = newHall();
  const { table, host } = await ask(hall, 'POST', 'tables', { game: 'dive', options: { divers: 3, clock: 1 } });
  for (const seat of [0, 1, 2]) await ask(hall, 'POST', `tables/${table}/bots`, { seat, bot: seat ? 'minnow' : 'steady' }, host);
  const over = new Promise((done) => stream(hall, table, { hello: null }, (said) => said.view?.result && done(said.view.result)));
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  assert.ok((await over).winners ?? true);
  assert.equal((await ask(hall, 'GET', `tables/${table}/verify`)).ok, true);
};

tests['dive: who draws is told what a server would show, and the page only what it is called'] = async () => {
  const shown = [];
  const hall = newHall(newDevice(), { show: (told) => shown.push(told) });
  const { table, host } = await ask(hall, 'POST', 'tables', { game: 'dive', options: { divers: 2, clock: 1 }, water: 'murky' });
  for (const seat of [0, 1]) await ask(hall, 'POST', `tables/${table}/bots`, { seat, bot: 'minnow' }, host);
  assert.equal((await ask(hall, 'GET', `tables/${table}`)).water, 'murky');
  assert.equal((await hall.request('GET', `/api/tables/${table}/ocean/1/`, null, null)).json.error.code, 'gone');
  const told = [];
  const over = new Promise((done) => stream(hall, table, { hello: null }, (said) => (told.push(said), said.view?.result && done())));
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  assert.deepEqual(Object.keys(await ask(hall, 'GET', `tables/${table}/ocean/1/`)), ['stack']);
  const { what } = shown.at(-1);
  assert.deepEqual([what.left, what.turned, what.water, what.sheets.length / 2], [36, 0, 2, 36]);
  assert.equal((await hall.request('GET', `/api/tables/${table}/ocean/2/`, null, null)).status, 404, 'a round that has not come');
  await over;
  assert.ok(told.every((said) => !JSON.stringify(said).includes(what.secret)));
  const { stack } = await ask(hall, 'GET', `tables/${table}/ocean/1/`);
  assert.equal(shown.at(-1).stack, stack);
  assert.ok(shown.at(-1).what.turned > 0 && shown.at(-1).what.top === 35, 'after the game all rounds can be seen');
  assert.ok((await ask(hall, 'GET', `tables/${table}/replay/table`)).visit);
};

tests['dive: a stack that was dealt anew is another one below what was turned over, and is what the dive turns over'] = async () => {
  const shown = [];
  const hall = newHall(newDevice(), { show: (told) => shown.push(told.what) });
  execFileSync(program, ['sim', 'dive', '--divers', '2', '--bots', 'steady', '--games', '1', '--jobs', '1', '--record', file]);
  const record = readFileSync(file, 'utf8');
  const lines = record.trimEnd().split('\n').map((line) => JSON.parse(line));
  const second = lines.findIndex((l, i) => i > 0 && l.do === 'program' && l.seat === 0 && lines.slice(0, i).filter((e) => e.do === 'program' && e.seat === 0).length === 1);
  const wanted = { record, moves: second - 1, seat: 0, name: 'Ana', bots: ['random', 'minnow'] };
  const stackOf = async (table, round) => (await ask(hall, 'GET', `tables/${table}/ocean/${round}/`), shown.at(-1));
  const asItLay = await stackOf((await ask(hall, 'POST', 'records/take-up', wanted)).table, 2);
  const { table, token } = await ask(hall, 'POST', 'records/take-up', { ...wanted, anew: true });
  const anew = await stackOf(table, 2);
  assert.ok(anew.left > 20 && anew.left < 36, 'the second round');
  assert.deepEqual([anew.left, anew.secret, anew.sheets.slice(2 * anew.left)], [asItLay.left, asItLay.secret, asItLay.sheets.slice(2 * anew.left)], 'what was turned over');
  assert.notEqual(anew.sheets, asItLay.sheets);
  const dived = new Promise((done) => stream(hall, table, { hello: token }, (said) => said.view?.dive?.round === 2 && done(said.view.dive)));
  const s = await stream(hall, table, { hello: token });
  s.say({ id: '1'.repeat(32), action: { do: 'program', levels: [{ tokens: [1], shark: false }, { tokens: [2], shark: true }] } });
  s.say({ id: '2'.repeat(32), action: { do: 'ready' } });
  const kinds = (await dived).cards.map((card) => anew.kinds.indexOf(card));
  assert.deepEqual(kinds, kinds.map((_, i) => parseInt(anew.sheets.slice(2 * (anew.left - 1 - i), 2 * (anew.left - i)), 16) & 7), 'the sheets that were drawn');
};

tests['practice: the sheets are shown after a guess'] = async () => {
  const shown = [];
  const hall = newHall(newDevice(), { show: (told) => shown.push(told.what) });
  const { practice, levels } = await ask(hall, 'POST', 'practice', {});
  await ask(hall, 'GET', `practice/${practice}/`);
  assert.deepEqual([shown.at(-1).turned, shown.at(-1).lamps], [0, true]);
  const guess = (all) => hall.request('POST', `/api/practice/${practice}/guess`, { guess: all }, null);
  for (const bad of [[], ['whale', null, null, null, null], 'shark']) assert.equal((await guess(bad)).json.error.code, 'bad-value');
  assert.equal((await guess(Array(levels).fill(null))).json.truth.length, levels);
  await ask(hall, 'GET', `practice/${practice}/`);
  assert.equal(shown.at(-1).turned, levels);
  assert.equal((await hall.request('GET', `/api/practice/${practice.replace(/.$/, 'x')}/`, null, null)).json.error.code, 'gone');
};

tests['dive: the clock speaks for somebody who does nothing'] = async () => {
  const hall = newHall();
  const { table, host, token } = await sitDown(hall, 'dive', { divers: 2, clock: 1 }, 'minnow');
  const dived = new Promise((done) => {
    let clock = false;
    stream(hall, table, { hello: token }, (said) => {
      clock ||= said.clock > 0;
      if (clock && said.events?.length > 0 && said.view.round > 1) done();
    });
  });
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  await dived;
};

tests['an action is acknowledged once and not applied twice; what is refused changes nothing'] = async () => {
  const hall = newHall();
  const { table, host, token } = await sitDown(hall, 'soumsoum', { first: 0 });
  const s = await stream(hall, table, { hello: token });
  assert.deepEqual([s.told[0].seq, s.told[0].view], [-1, null]);
  await s.say({ id: 'early', action: { do: 'pass' } });
  assert.deepEqual([s.told.at(-1).refused, s.told.at(-1).code], ['early', 'not-started']);
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const { legal } = s.told.findLast((x) => x.view).view;
  await s.say({ id: 'x', action: { do: 'pass' } });
  assert.equal(s.told.at(-1).code, 'wrong-phase');
  await s.say({ id: 'x1', action: { do: 'place', card: 9, at: [0, 0] } });
  assert.equal(s.told.at(-1).refused, 'x1');
  await s.say({ what: 'w', if: [legal[0], { do: 'pass' }] });
  assert.equal(s.told.at(-1).what, 'w');
  assert.equal(s.told.at(-1).view.seat, 0);
  await s.say({ id: 'a', action: legal[0] });
  const [change, ack] = s.told.filter((x) => x.ack !== undefined || x.view?.phase === 'diver').slice(-2);
  assert.deepEqual([change.seq, ack.ack, ack.seq], [1, 'a', 1]);
  await s.say({ id: 'a', action: legal[0] });
  assert.deepEqual(s.told.at(-1), { ack: 'a', seq: 1 });
};

tests['who comes back is told what it missed and what was before'] = async () => {
  const hall = newHall();
  const { table, host, token } = await sitDown(hall, 'soumsoum', { first: 0 });
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const s = await playOn(hall, table, token);
  const told = s.told.filter((x) => x.events).flatMap((x) => x.events);
  s.close();
  const back = (await stream(hall, table, { hello: token, from: 0, earlier: true })).told[0];
  assert.deepEqual([...back.earlier, ...back.events].slice(-told.length), told);
  assert.equal(back.seqs.length, back.earlier.length + back.events.length);
  const afresh = (await stream(hall, table, { hello: token, earlier: true })).told[0];
  assert.equal(afresh.events, undefined);
  assert.deepEqual(afresh.earlier, [...back.earlier, ...back.events]);
};

tests['a rematch has the same seats, and adds new chance'] = async () => {
  const hall = newHall();
  const { table, host, token } = await sitDown(hall, 'soumsoum');
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const s = await playOn(hall, table, token);
  const next = (await ask(hall, 'POST', `tables/${table}/rematch`, {}, token)).table;
  assert.equal((await ask(hall, 'POST', `tables/${table}/rematch`, {}, host)).table, next);
  assert.equal(s.told.at(-1).rematch, next);
  await ask(hall, 'PUT', `tables/${next}/entropy`, { entropy: 'ab' }, token);
  await ask(hall, 'POST', `tables/${next}/start`, {}, host);
  await playOn(hall, next, token);
  const record = await ask(hall, 'GET', `tables/${next}/record`);
  assert.deepEqual(JSON.parse(record.split('\n')[0]).entropy, ['ab', null]);
};

/* ---- what the device keeps ---- */

const viewOf = async (hall, table, token) => (await stream(hall, table, { hello: token, earlier: true })).told[0];

for (const [game, options] of [['soumsoum', { first: 0 }], ['divercity', {}], ['dive', { divers: 2, clock: 60 }]])
  tests[`${game} goes on after its Worker has ended, with the same state, history and tokens, to a record that the program accepts`] = async () => {
    const device = newDevice();
    const first = newHall(device);
    const { table, host, token } = await sitDown(first, game, options);
    await ask(first, 'POST', `tables/${table}/start`, {}, host);
    await ask(first, 'PUT', `tables/${table}/notes`, { notes: 'the shark lies deep' }, token);
    const s = await playOn(first, table, token, 3);
    const before = await viewOf(first, table, token);
    await first.drop(table);
    s.close();

    const second = newHall(device);
    assert.deepEqual(await viewOf(second, table, token), before);
    assert.equal((await ask(second, 'GET', `tables/${table}/notes`, null, token)).notes, 'the shark lies deep');
    const again = await stream(second, table, { hello: token });
    await again.say({ id: 'a2', action: { do: 'pass' } });
    assert.equal(again.told.at(-1).ack, 'a2', 'what was acknowledged is not done twice');
    assert.equal((await viewOf(second, table, token)).seq, before.seq);
    again.close();
    if (game === 'dive') return `${before.seq} changes`;
    await playOn(second, table, token, Infinity, 'b');
    const record = await ask(second, 'GET', `tables/${table}/record`);
    assert.equal(record, await ask(newHall(device), 'GET', `tables/${table}/record`));
    writeFileSync(file, record);
    execFileSync(program, ['replay', file]);
    assert.equal((await ask(second, 'GET', `tables/${table}/verify`)).ok, true);
    const kept = device.tables.get(table);
    assert.deepEqual([kept.state, kept.moves], ['over', record.split('\n').length - 3]);
    assert.ok(kept.view.result, 'what everybody may see is kept beside it');
    return `${kept.moves} moves`;
  };

tests['nothing is told before it is kept'] = async () => {
  const device = newDevice();
  const hall = newHall(device);
  const { table, host, token } = await sitDown(hall, 'soumsoum', { first: 0 });
  const s = await stream(hall, table, { hello: token });
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const { legal } = s.told.findLast((x) => x.view).view;
  let keep;
  const save = device.save;
  device.save = async (...what) => {
    await new Promise((go) => (keep = go));
    return save.apply(device, what);
  };
  const n = s.told.length;
  const acted = s.say({ id: 'a', action: legal[0] });
  await new Promise((r) => setTimeout(r, 20));
  assert.deepEqual([s.told.length, device.lines.get(table).length], [n, 1]);
  device.save = save;
  keep();
  await acted;
  assert.deepEqual([s.told.at(-1).ack, device.lines.get(table).length], ['a', 2]);
};

tests['a device without room says so and plays on; what it kept stays, and is made whole when there is room again'] = async () => {
  const device = newDevice();
  const hall = newHall(device);
  const { table, host, token } = await sitDown(hall, 'soumsoum', { first: 0 });
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  const s = await playOn(hall, table, token, 1);
  const kept = structuredClone(device.lines.get(table));
  device.full = true;
  await s.say({ id: 'b', action: s.told.findLast((x) => x.view).view.legal[0] });
  assert.ok(s.told.some((x) => x.kept === false), 'it is said');
  assert.equal(s.told.findLast((x) => x.ack)?.ack, 'b', 'the game goes on');
  assert.deepEqual(device.lines.get(table), kept, 'what was kept stays as it was');
  assert.equal((await stream(hall, table, { hello: null })).told.findLast((x) => x.kept !== undefined).kept, false, 'who comes is told');
  device.full = false;
  await ask(hall, 'PUT', `tables/${table}/notes`, { notes: 'x' }, token);
  assert.equal(s.told.findLast((x) => x.kept !== undefined).kept, true);
  assert.ok(device.lines.get(table).length > kept.length);
  const seq = (await viewOf(hall, table, token)).seq;
  assert.ok((await viewOf(newHall(device), table, token)).seq >= seq - 2);
};

tests['two halls with one table write one history: who comes second reads it again'] = async () => {
  const device = newDevice();
  const [first, second] = [newHall(device), newHall(device)];
  const { table, host, token } = await sitDown(first, 'soumsoum', { players: 2, first: 0 });
  await ask(first, 'POST', `tables/${table}/bots`, { seat: 1, bot: null }, host);
  const other = await ask(first, 'POST', `tables/${table}/seats`, { name: 'Ben', seat: 1 });
  await ask(first, 'POST', `tables/${table}/start`, {}, host);
  const [a, b] = [await stream(first, table, { hello: token }), await stream(second, table, { hello: token })];
  const { legal } = a.told[0].view;
  await a.say({ id: 'a', action: legal[0] });
  await b.say({ id: 'b', action: legal.at(-1) });
  assert.ok(b.told.some((x) => x.retry === 0), 'it is told to come back');
  assert.ok(!b.told.some((x) => x.ack), 'and nothing was acknowledged');
  assert.equal(device.lines.get(table).length, 2);
  assert.deepEqual((await viewOf(second, table, token)).view, (await viewOf(first, table, token)).view);
  assert.ok(other.token);
};

tests['a table that does not go on as it was kept is refused, and stays where it is'] = async () => {
  const device = newDevice();
  const { table, host, token } = await sitDown(newHall(device), 'soumsoum', { first: 0 });
  const hall = newHall(device);
  await ask(hall, 'POST', `tables/${table}/start`, {}, host);
  await playOn(hall, table, token, 1);
  device.lines.get(table)[1].text = device.lines.get(table)[1].text.replace(/"state":"./, '"state":"x');
  assert.deepEqual(await refusal(newHall(device), 'GET', `/api/tables/${table}`, null, null), [400, 'diverged']);
  assert.ok(device.tables.has(table));
};

tests['a request for a seat that is sent again gets the same seat'] = async () => {
  const hall = newHall();
  const { table } = await ask(hall, 'POST', 'tables', { game: 'soumsoum' });
  const body = { name: 'Ana', id: 'ab'.repeat(16) };
  const sat = await ask(hall, 'POST', `tables/${table}/seats`, body);
  assert.deepEqual(await ask(hall, 'POST', `tables/${table}/seats`, body), sat);
  assert.equal((await ask(hall, 'POST', `tables/${table}/seats`, { name: 'Ben' })).seat, 1);
};

tests['requests that a server refuses are refused here'] = async () => {
  const hall = newHall();
  const { table, host, token } = await sitDown(hall, 'soumsoum');
  const path = `/api/tables/${table}`;
  assert.deepEqual(await refusal(hall, 'GET', `/api/tables/${LOCAL}${'1'.repeat(16)}`, null, null), [404, 'no-such-table']);
  assert.deepEqual(await refusal(hall, 'POST', '/api/tables', { game: 'chess' }, null), [400, 'no-such-game']);
  assert.deepEqual(await refusal(hall, 'POST', '/api/tables', { game: 'soumsoum', options: { players: 9 } }, null), [400, 'too-many-seats']);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/seats`, { name: 'Bo' }, null), [409, 'table-full']);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/seats`, { name: '\u200b ', seat: 0 }, null), [400, 'name-empty']);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/seats`, { name: 'x'.repeat(33), seat: 0 }, null), [400, 'name-too-long']);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/start`, {}, token), [403, 'forbidden']);
  assert.deepEqual(await refusal(hall, 'GET', `${path}/record`, null, null), [409, 'not-over']);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/bots`, { seat: 1, bot: 'kraken' }, host), [400, 'bad-value']);
  await ask(hall, 'POST', `tables/${table}/bots`, { seat: 1, bot: null }, host);
  assert.deepEqual(await refusal(hall, 'POST', `${path}/start`, {}, host), [409, 'seat-free']);
};

tests['games, options and the referee answer as a server does'] = async () => {
  const hall = newHall();
  const { games } = await ask(hall, 'GET', 'games');
  assert.deepEqual(games.map((g) => g.id), ['soumsoum', 'dive', 'divercity']);
  const { answers } = await ask(hall, 'POST', 'games/dive/check', { options: [{}, { divers: 9 }] });
  assert.deepEqual([answers[0].ok, answers[1].code, answers[1].path], [true, 'too-many-seats', 'divers']);
  const said = await ask(hall, 'POST', 'referee/0', { game: 'soumsoum', options: { first: 0 }, setup: {}, actions: [{ seat: 0, do: 'pass' }] });
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
