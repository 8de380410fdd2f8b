// A table as the screens see it: live, or a step of a replay. Boards take a Table and never ask which it is.
import type { Decision } from '../engine/analysis';
import { Stream, type StreamState, type Look } from '../net/stream';
import { Refusal } from '../net/api';
import { refused } from '../ui/refusal';
import { Reactions } from './reactions.svelte';
import { keepSeen, lastSeen } from './seen';
import type {
  Action,
  Circle,
  GameEvent,
  GameId,
  JsonObject,
  Replay,
  SeatInfo,
  TableInfo,
  View,
} from '../net/types';

/** A change by its number, as the server counts what `who` was told. */
export interface Moment {
  who: Replay['who'];
  seq: number;
}

/** A decision of an analysed game, and the choice that is pointed at: boards show where it is. */
export interface Studied<A extends Action = Action> {
  decision: Decision;
  looked: A;
}

/** What a board may use. `V` is the game's own view, `E` its events and `A` its actions. */
export interface Table<
  V extends View = View,
  E extends GameEvent = GameEvent,
  A extends Action = Action,
> {
  readonly id: string;
  readonly game: GameId;
  readonly options: JsonObject;
  readonly seats: SeatInfo[];
  /** The seat this page plays; null: it watches. */
  readonly me: number | null;
  /** This page is the table's own screen. */
  readonly screen: boolean;
  readonly view: V | null;
  /** The view before the last change; null: there was none, or it is not known. */
  readonly previous: V | null;
  /** What led to the view: the last change's events. */
  readonly events: E[];
  /** All events that this seat was told, oldest first, also before this page was opened. */
  readonly told: E[];
  /** So many of them were told before this page was opened: they are no news. */
  readonly earlier: number;
  readonly state: StreamState | 'replay';
  /** Actions sent and not yet acknowledged. */
  readonly sending: number;
  readonly token: string | null;
  /** What the server's pictures of the table are asked for with where there is no token; null: not told yet. */
  readonly visit: string | null;
  /** When the table's clock speaks, by performance.now(); null: it does not tick. */
  readonly ends: number | null;
  /** Resolves once it is durable. A refusal is shown to the player here; the board takes its piece back. */
  act(action: A): Promise<void>;
  what(actions: A[]): Promise<V>;
  look(tilt: [number, number], lamp: string | null): void;
  hold(hold: boolean): void;
  /** The event of `told` that has to be answered: from there on everything is told again after a reload. null: all is answered. */
  unread?(at: number | null): void;
  /** The table is that of a lesson, whose text takes some of the window's height. */
  readonly lesson?: object;
  /** The table is that of a puzzle: there is no rival. */
  readonly puzzle?: object;
  /** The change that an event of `told` belongs to, for questions about it; null: it is not known. */
  moment?(event: E): Moment | null;
  /** A lesson is told what is done without the server: a tilt. */
  tried?(what: string): void;
  /** In an analysed replay, at a step where something was decided. */
  readonly study?: Studied<A> | null;
  /** Pictures of the stack where they do not come from a table of the server: a lesson brings its own few. */
  readonly pictures?: {
    look(tilt: readonly [number, number]): string;
    sheet(level: number): string;
    creatures(level: number): readonly Circle[];
  };
}

export class StreamTable<V extends View = View> implements Table<V> {
  readonly id: string;
  readonly game: GameId;
  readonly options: JsonObject;
  readonly me: number | null;
  readonly screen: boolean;
  readonly token: string | null;
  seats = $state<SeatInfo[]>([]);
  /** The table has a screen of its own. */
  screened = $state(false);
  view = $state.raw<V | null>(null);
  previous = $state.raw<V | null>(null);
  events = $state.raw<GameEvent[]>([]);
  told = $state.raw<GameEvent[]>([]);
  earlier = 0;
  state = $state<StreamState>('connecting');
  sending = $state(0);
  ends = $state<number | null>(null);
  looked = $state.raw<Look | null>(null);
  visit = $state<string | null>(null);
  readonly reactions: Reactions;
  /** The table of the next game, once somebody wanted one. */
  rematch = $state<string | null>(null);
  /** This device keeps what happens at its own tables; not if it has no room. */
  kept = $state(true);
  /** The server does not take this seat's token any more. */
  denied = $state(false);
  /** Somebody else made this seat free again, before the start. */
  freed = $state(false);
  /** This page gives the seat up itself. */
  leaving = false;
  private seated = false;
  /** How long `told` was at which `seq`. */
  private reached: { told: number; seq: number }[] = [];
  private unanswered: number | null = null;
  private readonly seqs = new WeakMap<GameEvent, number>();
  private readonly stream: Stream;

  constructor(
    info: TableInfo,
    seat: { seat: number; token: string } | null,
    screen = false,
    host?: string,
  ) {
    this.id = info.table;
    this.game = info.game;
    this.options = info.options;
    this.seats = info.seats;
    this.screened = info.screen;
    this.me = seat?.seat ?? null;
    this.token = seat?.token ?? null;
    this.screen = screen;
    const { table } = info;
    this.reactions = new Reactions(table, (name) => this.stream.react(name));
    const from = this.me === null ? undefined : lastSeen(table, this.me);
    this.stream = new Stream(
      table,
      this.token,
      {
        state: (s) => (this.state = s),
        seats: (s, screened) => {
          this.screened = screened;
          this.hearSeats(s);
        },
        look: (l) => (this.looked = l),
        visit: (token) => (this.visit = token),
        react: (r) => this.reactions.hear(r),
        reactions: (ms) => this.reactions.opens(ms),
        rematch: (next) => (this.rematch = next),
        kept: (kept) => (this.kept = kept),
        denied: () => (this.denied = true),
        clock: (ms) => (this.ends = ms === null ? null : performance.now() + ms),
        change: (seq, view, events, earlier, seqs) => {
          this.number(seq, events, earlier, seqs);
          const before = this.told.length + earlier.length;
          this.earlier += earlier.length;
          this.previous = this.view;
          this.view = view as V | null;
          this.events = events;
          if (events.length + earlier.length > 0) this.told = [...this.told, ...earlier, ...events];
          if (this.reached.length === 0 && from !== undefined)
            this.reached.push({ told: before, seq: from });
          if (view !== null) this.reached.push({ told: this.told.length, seq });
          this.keepReached();
        },
      },
      from,
      { ...(screen ? { screen } : {}), ...(host !== undefined && seat ? { host } : {}) },
    );
  }

  /** Keeps which change each event belongs to. */
  private number(
    seq: number,
    events: GameEvent[],
    earlier: GameEvent[],
    seqs: number[] | undefined,
  ): void {
    const told = [...earlier, ...events];
    if (seqs?.length === told.length) told.forEach((e, i) => this.seqs.set(e, seqs[i] ?? seq));
    else if (this.view !== null && earlier.length === 0 && seqs === undefined)
      for (const e of events) this.seqs.set(e, seq);
  }

  moment(event: GameEvent): Moment | null {
    const seq = this.seqs.get(event);
    return seq === undefined ? null : { who: this.me ?? 'table', seq };
  }

  unread(at: number | null): void {
    this.unanswered = at;
    this.keepReached();
  }

  /** Keeps how far this page has come, up to what has to be answered. */
  private keepReached(): void {
    const until = this.unanswered ?? this.told.length;
    const last = this.reached.filter(({ told }) => told <= until).at(-1);
    if (this.me !== null && last !== undefined) keepSeen(this.id, this.me, last.seq);
  }

  private hearSeats(seats: SeatInfo[]): void {
    this.seats = seats;
    if (this.me === null || this.leaving) return;
    const named = Boolean(seats[this.me]?.name);
    this.freed = this.seated && !named;
    this.seated ||= named;
  }

  async act(action: Action): Promise<void> {
    this.sending++;
    try {
      await this.stream.act(action);
    } catch (e) {
      refused(e);
      throw e;
    } finally {
      this.sending--;
    }
  }

  what(actions: Action[]): Promise<V> {
    return this.stream.what(actions) as Promise<V>;
  }

  look(tilt: [number, number], lamp: string | null): void {
    this.stream.look(tilt, lamp);
  }

  hold(hold: boolean): void {
    this.stream.hold(hold);
  }

  retry(): void {
    this.stream.retry();
  }

  close(): void {
    this.stream.close();
  }
}

/** A finished game, one step at a time. */
export class ReplayTable<V extends View = View> implements Table<V> {
  readonly id: string;
  readonly game: GameId;
  readonly options: JsonObject;
  readonly seats: SeatInfo[];
  readonly me: number | null;
  readonly screen = false;
  readonly state = 'replay';
  readonly sending = 0;
  readonly token = null;
  readonly visit: string | null;
  readonly ends = null;
  readonly earlier = 0;
  readonly length: number;
  private readonly seqs = new WeakMap<GameEvent, number>();
  step = $state(0);
  study = $state.raw<Studied | null>(null);
  private readonly replay: Replay;
  view = $derived.by(() => (this.replay.steps[this.step]?.view ?? null) as V | null);
  previous = $derived.by(() => (this.replay.steps[this.step - 1]?.view ?? null) as V | null);
  events = $derived.by(() => this.replay.steps[this.step]?.events ?? []);
  told = $derived.by(() => this.replay.steps.slice(0, this.step + 1).flatMap((s) => s.events));

  constructor(replay: Replay) {
    this.replay = replay;
    this.id = replay.table;
    this.game = replay.game;
    this.options = replay.options;
    this.seats = replay.seats.map((s, seat) => ({ ...s, seat, here: true }));
    this.me = typeof replay.who === 'number' ? replay.who : null;
    this.visit = replay.visit ?? null;
    this.length = replay.steps.length;
    for (const { events, view } of replay.steps)
      for (const e of events) this.seqs.set(e, Number(view['seq']));
  }

  moment(event: GameEvent): Moment | null {
    const seq = this.seqs.get(event);
    return seq === undefined ? null : { who: this.replay.who, seq };
  }

  act(): Promise<void> {
    return Promise.reject(new Refusal('over', 'a replay cannot be played'));
  }

  what(): Promise<V> {
    return Promise.reject(new Refusal('over', 'a replay cannot be played'));
  }

  look(): void {}
  hold(): void {}
}
