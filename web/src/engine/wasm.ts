// The engine: the rules, all games and all bots in WebAssembly. The other side is src/wasm; texts go both ways as UTF-8.
import { blake2b } from '@noble/hashes/blake2.js';
import type {
  Action,
  GameId,
  GameInfo,
  JsonObject,
  OptionsAnswer,
  RefereeAnswer,
  RefusalKeys,
  Replay,
  ReplayStep,
  Scenario,
  Verdict,
  View,
} from '../net/types';
import { read, reason, Unreadable, type Value } from './json';
import type { Deal } from './ocean';

/** What the engine refuses, with the keys that a server would send. */
export class Refused extends Error {
  constructor(readonly keys: RefusalKeys) {
    super(keys.code);
  }
}

type Who = Replay['who'];

interface Exports {
  memory: WebAssembly.Memory;
  malloc(n: number): number;
  free(at: number): void;
  json_array(): number;
  json_array_append_new(array: number, value: number): number;
  json_false(): number;
  json_integer(value: bigint): number;
  json_null(): number;
  json_object(): number;
  json_object_setn_new_nocheck(object: number, key: number, n: number, value: number): number;
  json_real(value: number): number;
  json_stringn_nocheck(text: number, n: number): number;
  json_true(): number;
  _initialize(): void;
  room(which: number, n: number): number;
  answer(): number;
  games(): number;
  check(n: number): number;
  referee(who: number, n: number): number;
  verify(n: number, shown: number): number;
  replay(who: number, n: number): number;
  next(who: number): number;
  open(n: number): number;
  start(n: number): number;
  act(seat: number, t: number, n: number): number;
  clock(t: number): number;
  end(): number;
  over(): number;
  may(): number;
  deadline(): number;
  reactions(): number;
  seq(who: number): number;
  told(who: number): number;
  hello(who: number, from: number, earlier: number): number;
  preview(seat: number, n: number): number;
  think(seat: number, ms: number): number;
  stack(round: number): number;
}

/** A match before its start. With `table`, an id of 16 bytes in hex, seats may add to the deal. */
export type Opening = {
  game: GameId;
  rules?: number;
  options?: JsonObject;
  /** 32 bytes in hex. */
  seed: string;
  table?: string;
  /** What the stack is seen through, in a game that has one. */
  water?: string;
};

export interface Opened {
  game: GameId;
  rules: number;
  options: JsonObject;
  seats: number;
  commitment: string;
  deck: { id: string; hash: string };
  /** Only of a game that has a stack. */
  water?: string;
}

/** The deal of a stack, and what may be seen of a round: `left` 0: not its stack; `turned`: so many sheets, from `top` down. */
export interface Stacked extends Omit<Deal, 'water'> {
  /** Sheets that seats look for in a round. */
  levels: number;
  lamps: boolean;
  left: number;
  turned: number;
  top: number;
  cover: [number, number] | null;
}

/** Who plays. `entropy`: what the seat adds to the deal, in hex. */
export type Starter = { name: string; bot: string | null; entropy?: string | null };

export interface Choice {
  /** null: it does nothing until something changes. */
  action: Action | null;
  /** After so many ms. */
  after: number;
}

const WATCHER = -1;
const WHOLE = -2;
const number = (who: Who): number =>
  typeof who === 'number' ? who : who === 'open' ? WHOLE : WATCHER;

export class Engine {
  private readonly x: Exports;
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(module: WebAssembly.Module) {
    const never = (): never => {
      throw new Error('the engine writes no files');
    };
    const instance = new WebAssembly.Instance(module, {
      page: {
        json: (text: number, n: number, code: number) => this.json(text, n, code),
        hash: (out: number, spans: number, n: number) => this.hash(out, spans, n),
        now: () => performance.now() * 1000,
        panic: (file: number, line: number, what: number): never => {
          throw new Error(
            `${this.word(file)}:${line}: this should never happen: ${this.word(what)}`,
          );
        },
      },
      // wasi-libc's printf could write to a terminal: it is never asked to.
      wasi_snapshot_preview1: { fd_close: never, fd_seek: never, fd_write: never },
    });
    this.x = instance.exports as object as Exports;
    this.x._initialize();
  }

  /* ---- what the engine asks for ---- */

  private bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.x.memory.buffer, at, n);
  }

  /** A text of C. */
  private word(at: number): string {
    return this.decoder.decode(
      this.bytes(at, new Uint8Array(this.x.memory.buffer).indexOf(0, at) - at),
    );
  }

  private hash(out: number, spans: number, n: number): void {
    const state = blake2b.create({ dkLen: 32 });
    const view = new DataView(this.x.memory.buffer);
    const length = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < n; i++) {
      const bytes = view.getUint32(spans + 8 * i + 4, true);
      length.setUint32(0, bytes, true);
      state.update(new Uint8Array(length.buffer));
      state.update(this.bytes(view.getUint32(spans + 8 * i, true), bytes));
    }
    this.bytes(out, 32).set(state.digest());
  }

  private json(text: number, n: number, code: number): number {
    try {
      return this.value(read(this.bytes(text, n)));
    } catch (e) {
      const why = e instanceof Unreadable ? e.code : reason.syntax;
      new DataView(this.x.memory.buffer).setInt32(code, why, true);
      return 0;
    }
  }

  /** Calls with a text in the engine's memory. */
  private lend(text: string, use: (at: number, n: number) => number): number {
    const bytes = this.encoder.encode(text);
    const at = this.x.malloc(bytes.length + 1);
    this.bytes(at, bytes.length).set(bytes);
    const made = use(at, bytes.length);
    this.x.free(at);
    return made;
  }

  private value(v: Value): number {
    const x = this.x;
    if (typeof v === 'string') return this.lend(v, (at, n) => x.json_stringn_nocheck(at, n));
    if (typeof v === 'bigint') return x.json_integer(v);
    if (typeof v === 'number') return x.json_real(v);
    if (v === null) return x.json_null();
    if (typeof v === 'boolean') return v ? x.json_true() : x.json_false();
    if (Array.isArray(v)) {
      const array = x.json_array();
      for (const one of v) x.json_array_append_new(array, this.value(one));
      return array;
    }
    const object = x.json_object();
    for (const [key, one] of v) {
      const made = this.value(one);
      this.lend(key, (at, n) => x.json_object_setn_new_nocheck(object, at, n, made));
    }
    return object;
  }

  /* ---- what it is asked ---- */

  /** Writes a text into one of the engine's rooms; its length in bytes. */
  private write(text: string, room = 0): number {
    const bytes = this.encoder.encode(text);
    this.bytes(this.x.room(room, bytes.length), bytes.length).set(bytes);
    return bytes.length;
  }

  /** The answer to a call by what the call returned. */
  private said(n: number): string {
    const text = this.decoder.decode(this.bytes(this.x.answer(), Math.abs(n)));
    if (n < 0) throw new Refused(JSON.parse(text) as RefusalKeys);
    return text;
  }

  games(): GameInfo[] {
    return (JSON.parse(this.said(this.x.games())) as { games: GameInfo[] }).games;
  }

  check(game: GameId, options: JsonObject, rules?: number): OptionsAnswer {
    const table = { game, options, ...(rules === undefined ? {} : { rules }) };
    return JSON.parse(this.said(this.x.check(this.write(JSON.stringify(table))))) as OptionsAnswer;
  }

  referee(scenario: Scenario, who: Who): RefereeAnswer {
    const n = this.write(JSON.stringify(scenario));
    return JSON.parse(this.said(this.x.referee(number(who), n))) as RefereeAnswer;
  }

  /** Checks a record, and that it fits what was shown before the start, where that is known. */
  verify(record: string, shown = ''): Verdict {
    const n = this.write(record);
    return JSON.parse(this.said(this.x.verify(n, this.write(shown, 1)))) as Verdict;
  }

  /** What a viewer saw of a recorded game, from the deal on. Throws Refused where the record is wrong. */
  *steps(record: string, who: Who): Generator<ReplayStep> {
    let n = this.x.replay(number(who), this.write(record));
    for (; n !== 0; n = this.x.next(number(who))) yield JSON.parse(this.said(n)) as ReplayStep;
  }

  /* ---- the match: there is one in each engine ---- */

  open(opening: Opening): Opened {
    return JSON.parse(this.said(this.x.open(this.write(JSON.stringify(opening))))) as Opened;
  }

  /** Deals; answers with the first line of the record. */
  start(seats: Starter[], created: string): string {
    return this.said(this.x.start(this.write(JSON.stringify({ seats, created }))));
  }

  /** Answers with the action's line of the record. */
  act(seat: number, t: number, action: Action | JsonObject): string {
    return this.said(this.x.act(seat, t, this.write(JSON.stringify(action))));
  }

  /** The clock's word at the deadline. */
  clock(t: number): string {
    return this.said(this.x.clock(t));
  }

  /** A move or the clock's word once more, as a record has it. */
  again(line: string): string {
    const { t, seat, state: _, sum: __, ...action } = JSON.parse(line) as JsonObject;
    if (typeof seat !== 'number') return this.clock(Number(t));
    return this.act(seat, Number(t), action as Action);
  }

  /** The last line of the record. */
  end(): string {
    return this.said(this.x.end());
  }

  get over(): boolean {
    return this.x.over() !== 0;
  }

  may(seat: number): boolean {
    return ((this.x.may() >> seat) & 1) === 1;
  }

  /** In ms since the start; null: nothing ticks. */
  get deadline(): number | null {
    const ms = this.x.deadline();
    return ms < 0 ? null : ms;
  }

  /** For how many ms after the last change seats may react; null: until the next. */
  get reactions(): number | null {
    const ms = this.x.reactions();
    return ms < 0 ? null : ms;
  }

  seq(who: Who): number {
    return this.x.seq(number(who));
  }

  /** The last change as a viewer's stream is told it; null: it is not told. */
  told(who: Who): string | null {
    return this.said(this.x.told(number(who))) || null;
  }

  /** The answer to hello. */
  hello(who: Who, from: number | undefined, earlier: boolean): string {
    return this.said(this.x.hello(number(who), from ?? -1, Number(earlier)));
  }

  preview(seat: number, actions: Action[]): View {
    const n = this.write(JSON.stringify(actions));
    return JSON.parse(this.said(this.x.preview(seat, n))) as View;
  }

  /** What the ocean draws a round from: not for the page. */
  stack(round: number): Stacked {
    return JSON.parse(this.said(this.x.stack(round))) as Stacked;
  }

  /** What a bot does in a seat; `ms`: it thinks no longer than that. */
  think(seat: number, bot: string, ms = 0): Choice {
    this.write(bot);
    return JSON.parse(this.said(this.x.think(seat, ms))) as Choice;
  }
}
