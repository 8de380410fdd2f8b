// The tables of this device: the same requests and streams as a server's (docs/protocol-server.md), without a network.
import { LOCAL } from '../net/local';
import type { Answer } from '../net/transport';
import type { Action, Json, JsonObject, RefusalKeys, Replay, Scenario } from '../net/types';
import { Practices } from './practice';
import { keysOf, LocalTable, refuse, type Listener, type World } from './table';
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

function nameOf(name: Json | undefined): string {
  const shown = typeof name === 'string' ? name.replace(/\p{C}/gu, '').trim() : '';
  return shown === '' ? refuse('name-empty', 'there is nothing to read in this name') : shown;
}

export class Hall {
  private readonly tables = new Map<string, LocalTable>();
  /** For what is asked without a table, and for records. */
  private readonly reader: Engine;
  private readonly practices: Practices;

  constructor(
    private readonly engine: () => Engine,
    private readonly world: World,
  ) {
    this.reader = engine();
    this.practices = new Practices(engine, world);
  }

  request(method: string, path: string, body: JsonObject | null, token: string | null): Answer {
    try {
      const json = this.answer(method, path.split('/').slice(2), (body ?? {}) as Body, token);
      return { status: 200, json };
    } catch (e) {
      const error = keysOf(e);
      return { status: statusOf(error), json: { error } };
    }
  }

  private answer(method: string, path: string[], body: Body, token: string | null): unknown {
    const [what, id, ...rest] = path;
    if (what === 'games') return this.games(id, rest[0], body);
    if (what === 'referee') return this.reader.referee(body as Scenario, viewer(id));
    if (what === 'practice') return this.practices.answer(method, id, rest[0], body);
    if (what !== 'tables') return refuse('no-such-path', 'there is nothing here');
    if (id === undefined) return method === 'POST' ? this.make(body) : { tables: [] };
    return this.at(this.table(id), `${method} ${rest[0] ?? ''}`, rest.slice(1), body, token);
  }

  private games(game: string | undefined, check: string | undefined, body: Body): unknown {
    if (game === undefined) return { games: this.reader.games() };
    if (check !== 'check') return refuse('no-such-path', 'there is nothing here');
    const answers = (body['options'] as JsonObject[]).map((o) =>
      this.reader.check(game, o, body['rules'] as number | undefined),
    );
    return { answers };
  }

  private table(id: string): LocalTable {
    return this.tables.get(id) ?? refuse('no-such-table', 'there is no such table');
  }

  private make(body: Body): unknown {
    const { game, rules, options, water } = body as {
      game: string;
      rules?: number;
      options?: JsonObject;
      water?: string;
    };
    const table = this.add({
      game,
      ...(rules === undefined ? {} : { rules }),
      ...(options === undefined ? {} : { options }),
      ...(water === undefined ? {} : { water }),
    });
    return { table: table.id, code: '', host: table.host };
  }

  private add(
    table: { game: string; rules?: number; options?: JsonObject; water?: string },
    host?: string,
  ): LocalTable {
    const id = LOCAL + this.world.hex(8);
    const made = new LocalTable(id, this.engine(), this.world, table, host);
    this.tables.set(id, made);
    return made;
  }

  /** A request about a table. */
  private at(
    t: LocalTable,
    what: string,
    rest: string[],
    body: Body,
    token: string | null,
  ): unknown {
    switch (what) {
      case 'GET ':
        return t.info();
      case 'POST seats':
        return t.sit(
          nameOf(body['name']),
          body['seat'] as number | undefined,
          (body['entropy'] as string | undefined) ?? null,
        );
      case 'DELETE seats':
        this.mayFor(t, Number(rest[0]), token);
        t.leave(Number(rest[0]));
        return {};
      case 'PUT entropy':
        t.addEntropy(this.mySeat(t, token), body['entropy'] as string);
        return {};
      case 'POST bots':
        this.mayFor(t, body['seat'] as number, token);
        t.setBot(body['seat'] as number, body['bot'] as string | null);
        return { done: true };
      case 'POST start':
        this.hostOf(t, token);
        t.start();
        return {};
      case 'POST rematch':
        return { table: this.rematch(t) };
      case 'PUT notes':
        t.keepNotes(this.mySeat(t, token), body['notes'] as string);
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

  private rematch(t: LocalTable): string {
    if (t.state !== 'over') refuse('not-over', 'the game is not over yet');
    if (t.rematch === null) {
      const { game, rules, options, water } = t.opened;
      const same = { game, rules, options, ...(water === undefined ? {} : { water }) };
      const next = this.add(same, t.host);
      next.like(t);
      t.rematch = next.id;
      t.tellRematch();
    }
    return t.rematch;
  }

  /* ---- streams ---- */

  /** A stream to a table: what it hears, and what is called when it ends. */
  connect(
    table: string,
    tell: (text: string) => void,
  ): { hear(text: string): void; close(): void } {
    let joined: { t: LocalTable; l: Listener } | undefined;
    const hear = (text: string): void => {
      const said = JSON.parse(text) as Body;
      if (joined === undefined) joined = this.greet(table, said, tell);
      else this.hear(joined.t, joined.l, said);
    };
    return { hear, close: () => joined?.t.hushed(joined.l) };
  }

  private greet(
    table: string,
    said: Body,
    tell: (text: string) => void,
  ): { t: LocalTable; l: Listener } | undefined {
    try {
      const t = this.table(table);
      const token = (said['hello'] as string | null | undefined) ?? null;
      const who = token === null ? ('table' as const) : this.seated(t, token);
      const l: Listener = {
        who,
        host: said['host'] === t.host,
        screen: said['screen'] === true,
        tell,
      };
      t.listen(l, said['from'] as number | undefined, said['earlier'] === true);
      return { t, l };
    } catch (e) {
      tell(JSON.stringify({ refused: null, ...keysOf(e) }));
      return undefined;
    }
  }

  private seated(t: LocalTable, token: string): number {
    const seat = t.seatOf(token);
    return seat >= 0 ? seat : refuse('forbidden', 'not with this token');
  }

  private hear(t: LocalTable, l: Listener, said: Body): void {
    const id = said['id'] ?? said['what'] ?? (said['react'] === undefined ? null : 'react');
    try {
      if (said['look'] !== undefined || said['hold'] !== undefined) return; // there is no other screen to show it
      if (l.who === 'table') refuse('forbidden', 'a spectator does nothing');
      const seat = l.who as number;
      if (said['react'] !== undefined) return t.react(seat, said['react']);
      if (said['what'] !== undefined)
        return l.tell(JSON.stringify({ what: id, view: t.preview(seat, said['if'] as Action[]) }));
      const seq = t.act(seat, String(id), said['action'] as Action);
      l.tell(JSON.stringify({ ack: id, seq }));
      t.go();
    } catch (e) {
      l.tell(JSON.stringify({ refused: id, ...keysOf(e) }));
    }
  }
}
