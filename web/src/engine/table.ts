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
  TakingUp,
  Verdict,
  View,
} from '../net/types';
import type { Shown } from './ocean-worker';
import { partsOf, startersOf } from './recorded';
import { refuse } from './refuse';
import { showStack, VISIT } from './stacks';
import { Conflict, type Keeper, type KeptLine, type KeptSeat, type KeptTable } from './kept';
import { Refused } from './instance';
import type { Engine, Opened } from './wasm';

/** The longest pause of a bot before it acts, and the longest that it thinks. */
export const BOT_MS = 1200;
const THINK_MS = 1000;
/** Between two reactions of a seat. */
const REACT_MS = 3000;

const REACTIONS = ['hello', 'bravo', 'wow', 'phew', 'oops', 'close', 'thanks', 'game', 'wave'];

interface Seat extends KeptSeat {
  /** When it reacted last. */
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

/** What a table is made from. What is left out is new: its seed, its host's token, its time. */
export interface Making {
  game: string;
  rules?: number;
  options?: JsonObject;
  water?: string;
  seed?: string;
  host?: string;
  made?: number;
  from?: number;
  redealt?: KeptTable['redealt'];
  dealtFor?: string | null;
}

export class LocalTable {
  private readonly seats: Seat[];
  readonly opened: Opened;
  readonly host: string;
  private readonly seed: string;
  private readonly made: number;
  private readonly from: number | undefined;
  private readonly redealt: KeptTable['redealt'];
  private readonly dealtFor: string | null | undefined;
  private begun: KeptTable['begun'] = null;
  state: TableState = 'waiting';
  /** The lines of the record so far, and how many of them are kept. */
  private readonly lines: KeptLine[] = [];
  private saved = 0;
  /** The device keeps it; not if there is no room. */
  private kept = true;
  rematch: string | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly plans = new Map<number, Plan>();
  /** Actions that were acknowledged, by seat and id, with their seq. */
  private readonly done = new Map<string, number>();
  private started = 0;
  private reactUntil: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** It does nothing more: it is played elsewhere, or nobody looked at it. */
  closed = false;
  /** What is done to the table, one thing after the other. */
  private queue: Promise<unknown> = Promise.resolve();
  private queued = 0;

  constructor(
    readonly id: string,
    private readonly engine: Engine,
    private readonly world: World,
    private readonly keeper: Keeper,
    { game, rules, options, water, seed, host, made, from, redealt, dealtFor }: Making,
  ) {
    this.from = from;
    this.redealt = redealt;
    this.dealtFor = dealtFor;
    this.host = host ?? world.hex(16);
    this.seed = seed ?? world.hex(32);
    this.made = made ?? Date.now();
    this.opened = engine.open({
      game,
      ...(rules === undefined ? {} : { rules }),
      ...(options === undefined ? {} : { options }),
      ...(water === undefined ? {} : { water }),
      seed: this.seed,
      ...(dealtFor === null ? {} : { table: dealtFor ?? id }),
    });
    this.seats = Array.from({ length: this.opened.seats }, () => this.empty());
  }

  private empty(): Seat {
    const nobody = { name: null, bot: null, token: null, entropy: null, request: null };
    return { ...nobody, notes: '', reacted: -Infinity };
  }

  /* ---- what the device keeps ---- */

  /** The table as it was kept: played again from its first line. */
  static restore(
    engine: Engine,
    world: World,
    keeper: Keeper,
    { table, lines }: { table: KeptTable; lines: KeptLine[] },
  ): LocalTable {
    const t = new LocalTable(table.id, engine, world, keeper, table);
    t.seats.forEach((seat, i) => Object.assign(seat, table.seats[i]));
    t.rematch = table.rematch;
    t.begun = table.begun;
    lines.forEach((line) => t.playAgain(line));
    t.saved = t.lines.length;
    if (t.state === 'playing' && engine.over) t.end();
    return t;
  }

  /** A game that goes on from a move of another. What it writes down begins with that game's own lines, so it is not to be handed in. */
  static takeUp(
    id: string,
    engine: Engine,
    world: World,
    keeper: Keeper,
    { record, moves, seat, name, bots, anew, part }: TakingUp,
  ): LocalTable {
    const { head, moves: all, seed } = partsOf(record);
    const { game, rules, options, created, table } = head;
    if (!(seat in head.seats)) refuse('no-such-seat', 'there is no such seat at this table');
    if (!(moves >= 0 && moves < all.length + Number(part)))
      refuse('over', 'the game is over there');
    const dealtFor = table ?? null;
    const redealt = anew ? { redealt: { seat, seed: world.hex(32) } } : {};
    const making = { game, rules, options, seed, from: moves, dealtFor, ...redealt };
    const t = new LocalTable(id, engine, world, keeper, making);
    t.begun = { people: startersOf(head), created };
    for (const text of record.split('\n').slice(0, moves + 1)) t.playAgain({ text: `${text}\n` });
    t.seats.forEach((s, i) =>
      Object.assign(s, i === seat ? { name, token: world.hex(16) } : { bot: bots[i] ?? 'random' }),
    );
    return t;
  }

  private playAgain(line: KeptLine): void {
    const text = this.nextLine(line.text);
    if (text !== line.text) refuse('diverged', 'the game does not go on as recorded');
    const { t, seat } = JSON.parse(text) as { t?: number; seat?: number };
    this.lines.push(line);
    if (this.redealt !== undefined && this.lines.length === (this.from ?? 0) + 1)
      this.engine.redeal(this.redealt.seat, this.redealt.seed);
    if (line.by !== undefined) this.done.set(line.by, this.engine.seq(seat ?? 0));
    // Its time stands still while nobody has it open.
    if (t !== undefined) this.started = this.world.now() - t;
  }

  /** What the engine writes for a line that was kept. */
  private nextLine(kept: string): string {
    if (this.state === 'waiting') {
      const { people, created } = this.begun ?? refuse('bad-record', 'it never began');
      this.state = 'playing';
      return this.engine.start(people, created);
    }
    if (this.engine.over) {
      this.state = 'over';
      return this.engine.end();
    }
    return this.engine.again(kept);
  }

  private toKeep(): KeptTable {
    const { game, rules, options, water } = this.opened;
    const seats = this.seats.map(({ reacted: _, ...seat }) => seat);
    const { id, seed, host, state, begun, rematch, made, from, redealt, dealtFor } = this;
    const view =
      state === 'waiting'
        ? null
        : (JSON.parse(this.engine.hello('table', undefined, false)) as { view: View }).view;
    // neither the first line nor the result is a move
    const moves = Math.max(0, this.lines.length - (state === 'over' ? 2 : 1));
    const table = { id, game, rules, options, seed, host, seats, state, begun, rematch, made };
    return {
      ...table,
      ...(water === undefined ? {} : { water }),
      ...(from === undefined ? {} : { from }),
      ...(redealt === undefined ? {} : { redealt }),
      ...(dealtFor === undefined ? {} : { dealtFor }),
      at: Date.now(),
      moves,
      view,
      handed: null,
    };
  }

  /** Keeps what has changed. A device without room plays on, and says so; what it has kept before stays. */
  private async keep(): Promise<void> {
    const before = this.kept;
    try {
      await this.keeper.save(this.toKeep(), this.saved, this.lines.slice(this.saved));
      this.saved = this.lines.length;
      this.kept = true;
    } catch (e) {
      if (e instanceof Conflict) {
        this.close();
        this.tellAll(JSON.stringify({ retry: 0 }));
        throw e;
      }
      this.kept = false;
    }
    if (this.kept !== before) this.tellAll(this.tellKept());
  }

  private tellKept(): string {
    return JSON.stringify({ kept: this.kept });
  }

  /** Nobody looks at it, and all of it is kept. */
  get idle(): boolean {
    return this.listeners.size === 0 && this.queued === 0 && this.kept;
  }

  /** One thing is done to the table: after all before it. */
  private turn<T>(step: () => Promise<T> | T): Promise<T> {
    this.queued++;
    const run = this.queue.then(async () => {
      try {
        if (this.closed) throw new Conflict();
        return await step();
      } finally {
        this.queued--;
      }
    });
    this.queue = run.catch(() => undefined);
    return run;
  }

  /** A change of who sits where. */
  private change<T>(step: () => T): Promise<T> {
    return this.turn(async () => {
      const made = step();
      await this.keep();
      this.tellSeats();
      return made;
    });
  }

  /** Keeps a table that is new. */
  begin(): Promise<void> {
    return this.change(() => undefined);
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
      ...(this.from === undefined ? {} : { from: this.from }),
      ...(this.redealt === undefined ? {} : { redealt: true as const }),
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
    request: string | null,
  ): Promise<{ seat: number; token: string }> {
    return this.change(() => this.sitNow(name, wanted, entropy, request));
  }

  private sitNow(
    name: string,
    wanted: number | undefined,
    entropy: string | null,
    request: string | null,
  ): { seat: number; token: string } {
    const again = this.seats.findIndex((s) => request !== null && s.request === request);
    if (again >= 0) return { seat: again, token: this.at(again).token as string };
    this.waiting();
    const free = this.seats.findIndex((s) => s.name === null && s.bot === null);
    const seat = wanted ?? free;
    if (seat < 0) refuse('table-full', 'all seats are taken', { seats: this.seats.length });
    const at = this.at(seat);
    if (at.name !== null || at.bot !== null) refuse('seat-taken', 'this seat is taken');
    const token = this.world.hex(16);
    Object.assign(at, { name, token, entropy, request });
    return { seat, token };
  }

  /** What a person in a seat proves it with. */
  tokenOf(seat: number): string | null {
    return this.at(seat).token;
  }

  leave(seat: number): Promise<void> {
    return this.change(() => {
      this.waiting();
      Object.assign(this.at(seat), this.empty());
    });
  }

  addEntropy(seat: number, entropy: string): Promise<void> {
    return this.change(() => {
      this.waiting();
      const at = this.at(seat);
      if (at.entropy !== null && at.entropy !== entropy)
        refuse('conflict', 'this seat has added already');
      at.entropy = entropy;
    });
  }

  async setBot(seat: number, bot: string | null): Promise<void> {
    await this.change(() => {
      const at = this.at(seat);
      if (this.state === 'over') refuse('over', 'the game is over');
      if (this.state === 'waiting' && at.name !== null) refuse('seat-taken', 'this seat is taken');
      if (bot !== null && !this.bots().includes(bot)) refuse('bad-value', 'there is no such bot');
      at.bot = bot;
    });
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

  async start(): Promise<void> {
    await this.turn(() => this.startNow());
    this.go();
  }

  private async startNow(): Promise<void> {
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
    const text = this.engine.start(people, created);
    this.begun = { people, created };
    this.state = 'playing';
    await this.changed({ text });
  }

  keepNotes(seat: number, notes: string): Promise<void> {
    return this.turn(() => {
      this.at(seat).notes = notes;
      return this.keep();
    });
  }

  notes(seat: number): string {
    return this.at(seat).notes;
  }

  /** Seats, names and bots of a game that is over sit down here. */
  like(old: LocalTable): Promise<void> {
    return this.change(() =>
      old.seats.forEach(({ name, bot, token }, i) =>
        Object.assign(this.at(i), { name, bot, token }),
      ),
    );
  }

  /** The game goes on at another table. */
  async follow(next: string): Promise<void> {
    await this.turn(() => {
      this.rematch = next;
      return this.keep();
    });
    this.tellAll(JSON.stringify({ rematch: next }));
  }

  /* ---- the match ---- */

  private time(): number {
    return Math.max(0, Math.floor(this.world.now() - this.started));
  }

  /** Resolves with the seq of the change, once it is kept and told. */
  act(seat: number, id: string, action: Action): Promise<number> {
    const by = `${seat} ${id}`;
    return this.turn(async () => {
      const before = this.done.get(by);
      if (before !== undefined) return before;
      if (this.state === 'waiting') refuse('not-started', 'the game has not started yet');
      const deadline = this.engine.deadline;
      const t = deadline === null ? this.time() : Math.min(this.time(), deadline);
      const text = this.engine.act(seat, t, action);
      const seq = this.engine.seq(seat);
      this.done.set(by, seq);
      await this.changed({ text, by });
      return seq;
    });
  }

  preview(seat: number, actions: Action[]): object {
    if (this.state === 'waiting') refuse('not-started', 'the game has not started yet');
    return this.engine.preview(seat, actions);
  }

  private end(): void {
    this.state = 'over';
    this.lines.push({ text: this.engine.end() });
  }

  /** What the last change was to a viewer; each is asked for once. */
  private news(): (who: number | 'table') => string | null {
    const said = new Map<number | 'table', string | null>();
    return (who) => {
      if (!said.has(who)) said.set(who, this.engine.told(who));
      return said.get(who) ?? null;
    };
  }

  /** Keeps a change, then tells everybody who could notice it. */
  private async changed(line: KeptLine): Promise<void> {
    this.lines.push(line);
    if (this.engine.over) this.end();
    await this.keep();
    const news = this.news();
    for (const l of this.listeners) {
      const text = news(l.who);
      if (text !== null) l.tell(text);
    }
    if (news('table') !== null) this.tellAll(this.clock(), this.openReactions());
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
    if (this.state !== 'playing' || this.closed) return;
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

  /** One thing that is due; a tab that plays on after another has taken the table over stops here. */
  private due(): void {
    this.turn(() => this.doDue()).then(
      () => this.go(),
      (e: unknown) => {
        if (!(e instanceof Conflict)) throw e;
      },
    );
  }

  /** What bots do at the deadline counts before the clock. */
  private async doDue(): Promise<void> {
    const now = this.world.now();
    const deadline = this.engine.deadline;
    const [seat, plan] =
      [...this.plans]
        .filter(([s, p]) => p.action !== null && p.at <= now && p.seq === this.engine.seq(s))
        .sort(([, a], [, b]) => a.at - b.at)[0] ?? [];
    if (seat !== undefined && plan?.action) {
      this.plans.delete(seat);
      const t = Math.max(0, Math.floor(plan.at - this.started));
      const at = deadline === null ? t : Math.min(t, deadline);
      await this.changed({ text: this.engine.act(seat, at, plan.action) });
    } else if (deadline !== null && now - this.started >= deadline) {
      await this.changed({ text: this.engine.clock(deadline) });
    }
  }

  /* ---- streams ---- */

  async listen(l: Listener, from: number | undefined, earlier: boolean): Promise<void> {
    await this.turn(() => this.greet(l, from, earlier));
    this.go();
  }

  private greet(l: Listener, from: number | undefined, earlier: boolean): void {
    this.listeners.add(l);
    l.tell(
      this.state === 'waiting'
        ? JSON.stringify({ seq: -1, ...(from === undefined ? {} : { events: [] }), view: null })
        : this.greeting(l.who, from, earlier),
    );
    this.tellSeats();
    if (!this.kept) l.tell(this.tellKept());
    if (this.state !== 'playing') return;
    if (this.engine.deadline !== null) l.tell(this.clock());
    if (this.reactUntil !== null)
      l.tell(
        JSON.stringify({ reactions: Math.max(0, Math.round(this.reactUntil - this.world.now())) }),
      );
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
    if (this.redealt !== undefined) refuse('gone', 'what was dealt anew has no record');
    return this.lines.map((line) => line.text).join('');
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

  /** What to call the stack of a round. */
  stack(round: number): { stack: string } {
    if (this.state === 'waiting') refuse('gone', 'the game has not started yet');
    return showStack(this.world, this.engine, this.id, this.opened, round);
  }

  verify(reader: Engine): Verdict {
    return reader.verify(this.record(), this.opened.commitment);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}

/** The keys of a refusal; anything else is our own mistake and is thrown on. */
export function keysOf(e: unknown): RefusalKeys {
  if (e instanceof Refused) return e.keys;
  throw e;
}
