// The tables of this device: the same requests and streams as a server's (docs/protocol-server.md), without a network.
import { LOCAL } from '../net/local';
import type { Answer } from '../net/transport';
import type { Action, Json, JsonObject, RefusalKeys, Replay, Scenario } from '../net/types';
import { Conflict, type Keeper } from './kept';
import { Practices } from './practice';
import { Recorded } from './recorded';
import { refuse } from './refuse';
import { keysOf, LocalTable, type Listener, type Making, type World } from './table';
import type { Engine } from './wasm';

type Body = { [key: string]: Json | undefined };

/** Statuses of refusals other than 400. */
const STATUS: Record<string, number> = {
  'no-such-token': 401,
  forbidden: 403,
  'no-such-table': 404,
  'no-such-path': 404,
  gone: 404,
};
const NOT_NOW = [
  'seat-taken',
  'table-full',
  'seat-free',
  'started',
  'not-started',
  'not-over',
  'over',
  'conflict',
  'no-reason',
];

const statusOf = ({ code }: RefusalKeys): number =>
  STATUS[code] ?? (NOT_NOW.includes(code) ? 409 : 400);

function viewer(text: string | undefined): Replay['who'] {
  if (text === 'open' || text === 'table') return text;
  return /^\d$/.test(text ?? '') ? Number(text) : refuse('no-such-path', 'there is nothing here');
}

const ELSEWHERE = { code: 'conflict', message: 'something else has happened at this table' };

const NAME_CHARACTERS = 32;

/** A name as a server would keep it: nothing in it that cannot be seen. */
function nameOf(name: Json | undefined): string {
  const shown = (typeof name === 'string' ? name : '')
    .replace(/\p{Zs}|[\t\n\r]/gu, ' ')
    .replace(/\p{C}|[\u2028\u2029\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu, '')
    .replace(/ +/g, ' ')
    .trim();
  if (shown === '') refuse('name-empty', 'there is nothing to read in this name');
  if ([...shown].length > NAME_CHARACTERS)
    refuse('name-too-long', 'this name is too long', { max: NAME_CHARACTERS });
  return shown;
}

/** A table that nobody looks at leaves memory after so long. */
const IDLE_MS = 30000;

export class Hall {
  /** Those in memory, and those that are being restored. */
  private readonly tables = new Map<string, Promise<LocalTable>>();
  private readonly recorded = new Map<string, Recorded>();
  /** For what is asked without a table, and for records. */
  private readonly reader: Engine;
  private readonly practices: Practices;

  constructor(
    private readonly engine: () => Engine,
    private readonly world: World,
    private readonly keeper: Keeper,
  ) {
    this.reader = engine();
    this.practices = new Practices(engine, world);
  }

  async request(
    method: string,
    path: string,
    body: JsonObject | null,
    token: string | null,
  ): Promise<Answer> {
    try {
      const json = await this.answer(method, path.split('/').slice(2), (body ?? {}) as Body, token);
      return { status: 200, json };
    } catch (e) {
      const error = e instanceof Conflict ? ELSEWHERE : keysOf(e);
      return { status: statusOf(error), json: { error } };
    }
  }

  private async answer(
    method: string,
    path: string[],
    body: Body,
    token: string | null,
  ): Promise<unknown> {
    const [what, id, ...rest] = path;
    if (what === 'games') return this.games(id, rest[0], body);
    if (what === 'referee') return this.reader.referee(body as Scenario, viewer(id));
    if (what === 'records') return this.records(id, body);
    if (what === 'practice') return this.practices.answer(method, id, rest[0], body);
    if (what !== 'tables') return refuse('no-such-path', 'there is nothing here');
    if (id === undefined) return method === 'POST' ? this.make(body) : { tables: [] };
    const shown = this.recorded.get(id);
    if (shown !== undefined) return this.of(shown, `${method} ${rest[0] ?? ''}`, rest[1], body);
    return this.at(await this.table(id), `${method} ${rest[0] ?? ''}`, rest.slice(1), body, token);
  }

  /** Judges a record, or opens it: then it can be asked for as a table that is over. */
  private records(what: string | undefined, body: Body): unknown {
    const { record, commitment, part } = body;
    if (typeof record !== 'string') return refuse('bad-value', 'record: a text is expected here');
    if (what === 'verify') return this.reader.verify(record, (commitment as string | null) ?? '');
    if (what === 'take-up') return this.takeUp(record, body);
    if (what !== undefined) return refuse('no-such-path', 'there is nothing here');
    const opened = new Recorded(record, part === true, this.reader, this.engine, this.world);
    this.recorded.set(opened.id, opened);
    return { table: opened.id };
  }

  /** A table at which a recorded game goes on from one of its moves. */
  private async takeUp(record: string, body: Body): Promise<unknown> {
    const { moves, seat, bots } = body as { moves: number; seat: number; bots: string[] };
    const anew = body['anew'] === true;
    const part = body['part'] === true;
    for (const step of this.reader.steps(record, 'table', part)) void step; // it is whole and right
    const id = LOCAL + this.world.hex(8);
    const what = { record, moves, seat, name: nameOf(body['name']), bots, anew, part };
    const made = LocalTable.takeUp(id, this.engine(), this.world, this.keeper, what);
    this.tables.set(id, Promise.resolve(made));
    await made.begin();
    made.go();
    return { table: id, host: made.host, token: made.tokenOf(seat) };
  }

  /** A request about a record that was opened. */
  private of(r: Recorded, what: string, which: string | undefined, body: Body): unknown {
    switch (what) {
      case 'GET ':
        return r.info();
      case 'DELETE ':
        this.recorded.delete(r.id);
        return {};
      case 'POST choice':
        return r.choice(
          body['seat'] as number,
          body['action'] as Action,
          body['others'] as Action[],
        );
      case 'POST act':
        return r.act(body['seat'] as number, body['action'] as Action);
      case 'POST preview':
        return r.preview(body['seat'] as number, body['if'] as Action[]);
      case 'GET record':
        return r.record;
      case 'GET replay':
        return r.replay(viewer(which));
      case 'GET verify':
        return r.verify();
      case 'GET ocean':
        return r.stack(Number(which));
      default:
        return refuse('over', 'this game is over');
    }
  }

  private games(game: string | undefined, check: string | undefined, body: Body): unknown {
    if (game === undefined) return { games: this.reader.games() };
    if (check !== 'check') return refuse('no-such-path', 'there is nothing here');
    const answers = (body['options'] as JsonObject[]).map((o) =>
      this.reader.check(game, o, body['rules'] as number | undefined),
    );
    return { answers };
  }

  /** A table in memory, or as this device has kept it. */
  private async table(id: string): Promise<LocalTable> {
    let found = this.tables.get(id);
    if (found === undefined) {
      found = this.restore(id);
      this.tables.set(id, found);
      found.catch(() => this.tables.delete(id));
    }
    const t = await found;
    if (!t.closed) {
      setTimeout(() => this.rest(t), IDLE_MS);
      return t;
    }
    if (this.tables.get(id) === found) this.tables.delete(id);
    return this.table(id);
  }

  private async restore(id: string): Promise<LocalTable> {
    const kept = await this.keeper.load(id).catch(() => undefined);
    if (kept === undefined) return refuse('no-such-table', 'there is no such table');
    return LocalTable.restore(this.engine(), this.world, this.keeper, kept);
  }

  private rest(t: LocalTable): void {
    if (t.idle) t.close();
  }

  /** Stops a table; what was kept of it can be restored. */
  async drop(id: string): Promise<void> {
    await this.tables.get(id)?.then(
      (t) => t.close(),
      () => undefined,
    );
  }

  private async make(body: Body): Promise<unknown> {
    const { game, rules, options, water } = body as {
      game: string;
      rules?: number;
      options?: JsonObject;
      water?: string;
    };
    const table = await this.add({
      game,
      ...(rules === undefined ? {} : { rules }),
      ...(options === undefined ? {} : { options }),
      ...(water === undefined ? {} : { water }),
    });
    return { table: table.id, code: '', host: table.host };
  }

  private async add(making: Making): Promise<LocalTable> {
    const id = LOCAL + this.world.hex(8);
    const made = new LocalTable(id, this.engine(), this.world, this.keeper, making);
    this.tables.set(id, Promise.resolve(made));
    await made.begin();
    return made;
  }

  /** A request about a table. */
  private async at(
    t: LocalTable,
    what: string,
    rest: string[],
    body: Body,
    token: string | null,
  ): Promise<unknown> {
    switch (what) {
      case 'GET ':
        return t.info();
      case 'POST seats':
        return t.sit(
          nameOf(body['name']),
          body['seat'] as number | undefined,
          (body['entropy'] as string | undefined) ?? null,
          (body['id'] as string | undefined) ?? null,
        );
      case 'DELETE seats':
        this.mayFor(t, Number(rest[0]), token);
        await t.leave(Number(rest[0]));
        return {};
      case 'PUT entropy':
        await t.addEntropy(this.mySeat(t, token), body['entropy'] as string);
        return {};
      case 'POST bots':
        this.mayFor(t, body['seat'] as number, token);
        await t.setBot(body['seat'] as number, body['bot'] as string | null);
        return { done: true };
      case 'POST start':
        this.hostOf(t, token);
        await t.start();
        return {};
      case 'POST rematch':
        return { table: await this.rematch(t) };
      case 'PUT notes':
        await t.keepNotes(this.mySeat(t, token), body['notes'] as string);
        return {};
      case 'GET notes':
        return { notes: t.notes(this.mySeat(t, token)) };
      case 'GET record':
        return t.record();
      case 'GET replay':
        return t.replay(viewer(rest[0]), this.reader);
      case 'GET verify':
        return t.verify(this.reader);
      case 'GET ocean':
        return t.stack(Number(rest[0]));
      case 'GET why':
        return refuse('no-reason', 'there is no bot move to explain here');
      default:
        return refuse('no-such-path', 'there is nothing here');
    }
  }

  private mySeat(t: LocalTable, token: string | null): number {
    const seat = t.seatOf(token);
    return seat >= 0 ? seat : refuse('no-such-token', 'this needs a token, and a right one');
  }

  private hostOf(t: LocalTable, token: string | null): void {
    if (token !== t.host) refuse('forbidden', 'not with this token');
  }

  /** With the host's token, or that of the seat. */
  private mayFor(t: LocalTable, seat: number, token: string | null): void {
    if (t.seatOf(token) !== seat) this.hostOf(t, token);
  }

  private async rematch(t: LocalTable): Promise<string> {
    if (t.state !== 'over') refuse('not-over', 'the game is not over yet');
    if (t.rematch !== null) return t.rematch;
    const { game, rules, options, water } = t.opened;
    const same = { game, rules, options, ...(water === undefined ? {} : { water }) };
    const next = await this.add({ ...same, host: t.host });
    await next.like(t);
    await t.follow(next.id);
    return next.id;
  }

  /* ---- streams ---- */

  /** A stream to a table: what it hears, one thing after the other, and what is called when it ends. */
  connect(
    table: string,
    tell: (text: string) => void,
  ): { hear(text: string): Promise<void>; close(): void } {
    let joined: { t: LocalTable; l: Listener } | undefined;
    let closed = false;
    let heard = Promise.resolve();
    const leave = (): void => {
      closed = true;
      joined?.t.hushed(joined.l);
      if (joined !== undefined) setTimeout(() => joined && this.rest(joined.t), IDLE_MS);
    };
    const take = async (said: Body): Promise<void> => {
      if (joined !== undefined) return this.hear(joined.t, joined.l, said);
      joined = await this.greet(table, said, tell);
      if (closed) leave();
    };
    const hear = (text: string): Promise<void> => {
      heard = heard.then(() => take(JSON.parse(text) as Body));
      return heard;
    };
    return { hear, close: leave };
  }

  private async greet(
    table: string,
    said: Body,
    tell: (text: string) => void,
  ): Promise<{ t: LocalTable; l: Listener } | undefined> {
    try {
      const t = await this.table(table);
      const token = (said['hello'] as string | null | undefined) ?? null;
      const who = token === null ? ('table' as const) : this.seated(t, token);
      const l: Listener = {
        who,
        host: said['host'] === t.host,
        screen: said['screen'] === true,
        tell,
      };
      await t.listen(l, said['from'] as number | undefined, said['earlier'] === true);
      return { t, l };
    } catch (e) {
      if (e instanceof Conflict) tell(JSON.stringify({ retry: 0 }));
      else tell(JSON.stringify({ refused: null, ...keysOf(e) }));
      return undefined;
    }
  }

  private seated(t: LocalTable, token: string): number {
    const seat = t.seatOf(token);
    return seat >= 0 ? seat : refuse('forbidden', 'not with this token');
  }

  private async hear(t: LocalTable, l: Listener, said: Body): Promise<void> {
    const id = said['id'] ?? said['what'] ?? (said['react'] === undefined ? null : 'react');
    try {
      if (said['look'] !== undefined || said['hold'] !== undefined) return; // there is no other screen to show it
      if (l.who === 'table') refuse('forbidden', 'a spectator does nothing');
      const seat = l.who as number;
      if (said['react'] !== undefined) return t.react(seat, said['react']);
      if (said['what'] !== undefined)
        return l.tell(JSON.stringify({ what: id, view: t.preview(seat, said['if'] as Action[]) }));
      const seq = await t.act(seat, String(id), said['action'] as Action);
      l.tell(JSON.stringify({ ack: id, seq }));
      t.go();
    } catch (e) {
      // After a conflict the stream was told to come back, and says it again.
      if (!(e instanceof Conflict)) l.tell(JSON.stringify({ refused: id, ...keysOf(e) }));
    }
  }
}
