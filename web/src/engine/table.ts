// A table that this device keeps: its seats, its match, its clock and bots, and the streams that look at it. What streams are
// told is what a server would tell them (docs/protocol-server.md).
import type {
  Action,
  JsonObject,
  RefusalKeys,
  Replay,
  SeatInfo,
  TableInfo,
  TableState,
  Verdict,
} from '../net/types';
import type { Shown } from './ocean-worker';
import { Refused, type Engine, type Opened } from './wasm';

/** The longest pause of a bot before it acts, and the longest that it thinks. */
const BOT_MS = 1200;
const THINK_MS = 1000;
/** Between two reactions of a seat. */
const REACT_MS = 3000;

const REACTIONS = ['hello', 'bravo', 'wow', 'phew', 'oops', 'close', 'thanks', 'game', 'wave'];

export function refuse(code: string, message: string, values: JsonObject = {}): never {
  throw new Refused({ code, ...values, message });
}

interface Seat {
  name: string | null;
  bot: string | null;
  token: string | null;
  entropy: string | null;
  notes: string;
  /** Of its last reaction. */
  reacted: number;
}

interface Plan {
  seq: number;
  action: Action | null;
  at: number;
}

/** A stream as the table sees it. */
export interface Listener {
  who: number | 'table';
  host: boolean;
  screen: boolean;
  tell(text: string): void;
}

/** What comes of chance and time, so that tests can decide it. */
export interface World {
  /** Random bytes in hex. */
  hex(bytes: number): string;
  now(): number;
  /** The longest pause of a bot, if not that of a server. */
  botMs?: number;
  /** Tells who draws what lies in a stack. */
  show?(shown: Shown): void;
}

/** What pictures are asked for with: everybody at this device may look. */
const VISIT = 'here';

export class LocalTable {
  private readonly seats: Seat[];
  readonly opened: Opened;
  state: TableState = 'waiting';
  /** The lines of the record so far. */
  readonly lines: string[] = [];
  rematch: string | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly plans = new Map<number, Plan>();
  /** Actions that were acknowledged, by seat and id, with their seq. */
  private readonly done = new Map<string, number>();
  private started = 0;
  private reactUntil: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly id: string,
    private readonly engine: Engine,
    private readonly world: World,
    table: { game: string; rules?: number; options?: JsonObject; water?: string },
    readonly host = world.hex(16),
  ) {
    this.opened = engine.open({ ...table, seed: world.hex(32), table: id });
    this.seats = Array.from({ length: this.opened.seats }, () => this.empty());
  }

  private empty(): Seat {
    return { name: null, bot: null, token: null, entropy: null, notes: '', reacted: -Infinity };
  }

  /* ---- before the start ---- */

  info(): TableInfo & { rules: number } {
    const { game, rules, options, commitment, deck } = this.opened;
    return {
      table: this.id,
      game,
      rules,
      options,
      state: this.state,
      listed: false,
      seats: this.shown(),
      screen: this.screened(),
      commitment,
      deck,
      ...this.water(),
      rematch: this.rematch,
    };
  }

  private water(): { water?: string } {
    return this.opened.water === undefined ? {} : { water: this.opened.water };
  }

  private shown(): SeatInfo[] {
    const here = [...this.listeners];
    return this.seats.map(({ name, bot }, seat) => ({
      seat,
      name,
      bot,
      here: here.some((l) => l.who === seat),
      host: here.some((l) => l.who === seat && l.host),
    }));
  }

  private screened(): boolean {
    return [...this.listeners].some((l) => l.screen);
  }

  /** A seat of this table, or a refusal. */
  private at(seat: unknown): Seat {
    const found = typeof seat === 'number' ? this.seats[seat] : undefined;
    return found ?? refuse('no-such-seat', 'there is no such seat at this table');
  }

  seatOf(token: string | null): number {
    return token === null ? -1 : this.seats.findIndex((s) => s.token === token);
  }

  private waiting(): void {
    if (this.state !== 'waiting') refuse('started', 'the game has started');
  }

  sit(
    name: string,
    wanted: number | undefined,
    entropy: string | null,
  ): { seat: number; token: string } {
    this.waiting();
    const free = this.seats.findIndex((s) => s.name === null && s.bot === null);
    const seat = wanted ?? free;
    if (seat < 0) refuse('table-full', 'all seats are taken', { seats: this.seats.length });
    const at = this.at(seat);
    if (at.name !== null || at.bot !== null) refuse('seat-taken', 'this seat is taken');
    const token = this.world.hex(16);
    Object.assign(at, { name, token, entropy });
    this.tellSeats();
    return { seat, token };
  }

  leave(seat: number): void {
    this.waiting();
    Object.assign(this.at(seat), this.empty());
    this.tellSeats();
  }

  addEntropy(seat: number, entropy: string): void {
    this.waiting();
    const at = this.at(seat);
    if (at.entropy !== null && at.entropy !== entropy)
      refuse('conflict', 'this seat has added already');
    at.entropy = entropy;
  }

  setBot(seat: number, bot: string | null): void {
    const at = this.at(seat);
    if (this.state === 'over') refuse('over', 'the game is over');
    if (this.state === 'waiting' && at.name !== null) refuse('seat-taken', 'this seat is taken');
    if (bot !== null && !this.bots().includes(bot)) refuse('bad-value', 'there is no such bot');
    at.bot = bot;
    this.tellSeats();
    this.go();
  }

  private bots(): string[] {
    return (
      this.engine
        .games()
        .find((g) => g.id === this.opened.game)
        ?.bots.map((b) => b.id) ?? []
    );
  }

  start(): void {
    this.waiting();
    const free = this.seats.findIndex((s) => s.name === null && s.bot === null);
    if (free >= 0) refuse('seat-free', 'a seat needs a person or a bot', { seat: free });
    const people = this.seats.map(({ name, bot, entropy }) => ({
      name: name ?? bot ?? '',
      bot: name === null ? bot : null,
      entropy: entropy,
    }));
    this.started = this.world.now();
    const created = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
    this.lines.push(this.engine.start(people, created));
    this.state = 'playing';
    this.changed();
    this.go();
  }

  keepNotes(seat: number, notes: string): void {
    this.at(seat).notes = notes;
  }

  notes(seat: number): string {
    return this.at(seat).notes;
  }

  /** Seats, names and bots of a game that is over sit down here. */
  like(old: LocalTable): void {
    old.seats.forEach(({ name, bot, token }, i) => Object.assign(this.at(i), { name, bot, token }));
  }

  /* ---- the match ---- */

  private time(): number {
    return Math.max(0, Math.floor(this.world.now() - this.started));
  }

  act(seat: number, id: string, action: Action): number {
    const key = `${seat} ${id}`;
    const before = this.done.get(key);
    if (before !== undefined) return before;
    if (this.state === 'waiting') refuse('not-started', 'the game has not started yet');
    const deadline = this.engine.deadline;
    const t = deadline === null ? this.time() : Math.min(this.time(), deadline);
    this.lines.push(this.engine.act(seat, t, action));
    const seq = this.engine.seq(seat);
    this.done.set(key, seq);
    this.changed();
    return seq;
  }

  preview(seat: number, actions: Action[]): object {
    if (this.state === 'waiting') refuse('not-started', 'the game has not started yet');
    return this.engine.preview(seat, actions);
  }

  /** Tells everybody of the last change who could notice it. */
  private changed(): void {
    if (this.engine.over) {
      this.state = 'over';
      this.lines.push(this.engine.end());
    }
    const said = new Map<number | 'table', string | null>();
    const tell = (who: number | 'table'): string | null => {
      if (!said.has(who)) said.set(who, this.engine.told(who));
      return said.get(who) ?? null;
    };
    for (const l of this.listeners) {
      const text = tell(l.who);
      if (text !== null) l.tell(text);
    }
    if (tell('table') !== null) this.tellAll(this.clock(), this.openReactions());
  }

  private clock(): string {
    const deadline = this.state === 'playing' ? this.engine.deadline : null;
    return JSON.stringify({
      clock:
        deadline === null
          ? null
          : Math.max(0, Math.round(deadline - (this.world.now() - this.started))),
    });
  }

  private openReactions(): string {
    const ms = this.state === 'playing' ? this.engine.reactions : null;
    this.reactUntil = ms === null ? null : this.world.now() + ms;
    return JSON.stringify({ reactions: ms });
  }

  /** Lets bots choose, and waits for whatever is due first: a bot's action or the clock. */
  go(): void {
    clearTimeout(this.timer);
    if (this.state !== 'playing') return;
    const dues = this.seats.flatMap((_, seat) => this.plan(seat) ?? []);
    const deadline = this.engine.deadline;
    if (deadline !== null) dues.push(this.started + deadline);
    if (dues.length === 0) return;
    this.timer = setTimeout(() => this.due(), Math.max(0, Math.min(...dues) - this.world.now()));
  }

  /** When the bot of this seat acts; null: it does not. */
  private plan(seat: number): number | null {
    const bot = this.seats[seat]?.bot ?? null;
    if (bot === null || !this.engine.may(seat)) {
      this.plans.delete(seat);
      return null;
    }
    const seq = this.engine.seq(seat);
    let plan = this.plans.get(seat);
    if (plan?.seq !== seq) {
      const asked = this.world.now();
      const { action, after } = this.engine.think(seat, bot, THINK_MS);
      plan = { seq, action, at: asked + Math.min(after, this.world.botMs ?? BOT_MS) };
      this.plans.set(seat, plan);
    }
    return plan.action === null ? null : plan.at;
  }

  /** One thing that is due: what bots do at the deadline counts before the clock. */
  private due(): void {
    const now = this.world.now();
    const deadline = this.engine.deadline;
    const [seat, plan] =
      [...this.plans]
        .filter(([, p]) => p.action !== null && p.at <= now)
        .sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
    if (seat !== undefined && plan?.action) {
      this.plans.delete(seat);
      const t = Math.max(0, Math.floor(plan.at - this.started));
      this.lines.push(
        this.engine.act(seat, deadline === null ? t : Math.min(t, deadline), plan.action),
      );
      this.changed();
    } else if (deadline !== null && now - this.started >= deadline) {
      this.lines.push(this.engine.clock(deadline));
      this.changed();
    }
    this.go();
  }

  /* ---- streams ---- */

  listen(l: Listener, from: number | undefined, earlier: boolean): void {
    this.listeners.add(l);
    l.tell(
      this.state === 'waiting'
        ? JSON.stringify({ seq: -1, ...(from === undefined ? {} : { events: [] }), view: null })
        : this.greeting(l.who, from, earlier),
    );
    this.tellSeats();
    if (this.state !== 'playing') return;
    if (this.engine.deadline !== null) l.tell(this.clock());
    if (this.reactUntil !== null)
      l.tell(
        JSON.stringify({ reactions: Math.max(0, Math.round(this.reactUntil - this.world.now())) }),
      );
    this.go();
  }

  private greeting(who: Listener['who'], from: number | undefined, earlier: boolean): string {
    const text = this.engine.hello(who, from, earlier);
    return this.opened.water === undefined ? text : text.replace('{', `{"visit":"${VISIT}",`);
  }

  hushed(l: Listener): void {
    if (this.listeners.delete(l)) this.tellSeats();
  }

  private tellAll(...texts: string[]): void {
    for (const l of this.listeners) for (const text of texts) l.tell(text);
  }

  private tellSeats(): void {
    this.tellAll(JSON.stringify({ seats: this.shown(), screen: this.screened() }));
  }

  tellRematch(): void {
    this.tellAll(JSON.stringify({ rematch: this.rematch }));
  }

  react(seat: number, react: unknown): void {
    const at = this.at(seat);
    const now = this.world.now();
    if (typeof react !== 'string' || !REACTIONS.includes(react))
      refuse('bad-value', 'there is no such reaction');
    if (this.state === 'playing' && this.reactUntil !== null && now >= this.reactUntil)
      refuse('not-now', 'this could give something away now');
    if (now < at.reacted + REACT_MS) refuse('busy', 'a seat reacts once in a while');
    at.reacted = now;
    this.tellAll(JSON.stringify({ react: { seat, react } }));
  }

  /* ---- after the game ---- */

  /** The record, once the game is over. */
  record(): string {
    if (this.state !== 'over') refuse('not-over', 'the game is not over yet');
    return this.lines.join('');
  }

  replay(who: Replay['who'], reader: Engine): Replay {
    const steps = [...reader.steps(this.record(), who)];
    const { game, options } = this.opened;
    return {
      table: this.id,
      game,
      options,
      who,
      seats: this.seats.map(({ name, bot }) => ({ name, bot })),
      ...(this.opened.water === undefined ? {} : { visit: VISIT }),
      steps,
    };
  }

  /** Tells who draws a round, and answers what to call its stack. */
  stack(round: number): { stack: string } {
    if (this.state === 'waiting') refuse('gone', 'the game has not started yet');
    const what = this.engine.stack(round);
    if (what.left === 0 && what.turned === 0) refuse('gone', 'this round is not to be seen');
    const stack = `${this.id} ${round} ${what.left} ${what.turned} ${what.cover?.join() ?? ''}`;
    this.world.show?.({ stack, what: { ...what, water: this.depth() } });
    return { stack };
  }

  /** Which of the waters this is. */
  private depth(): number {
    const waters = this.engine.games().find((g) => g.id === this.opened.game)?.waters ?? [];
    return waters.findIndex((w) => w.id === this.opened.water);
  }

  verify(reader: Engine): Verdict {
    return reader.verify(this.record(), this.opened.commitment);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

/** The keys of a refusal; anything else is our own mistake and is thrown on. */
export function keysOf(e: unknown): RefusalKeys {
  if (e instanceof Refused) return e.keys;
  throw e;
}
