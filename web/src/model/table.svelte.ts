// A table as the screens see it: live, or a step of a replay. Boards take a Table and never ask which it is.
import { Stream, type StreamState, type Look } from '../net/stream';
import { Refusal } from '../net/api';
import { refused } from '../ui/refusal';
import { keepSeen, lastSeen } from './seen';
import type {
  Action,
  GameEvent,
  GameId,
  JsonObject,
  Replay,
  SeatInfo,
  TableInfo,
  View,
} from '../net/types';

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
  /** What led to the view: the last change's events. */
  readonly events: E[];
  /** All events that this page was told, oldest first. */
  readonly told: E[];
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
  /** The table is that of a lesson, whose text takes some of the window's height. */
  readonly lesson?: object;
  /** Pictures of the stack where they do not come from a table of the server: a lesson brings its own few. */
  readonly pictures?: {
    look(tilt: readonly [number, number]): string;
    sheet(level: number): string;
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
  view = $state.raw<V | null>(null);
  events = $state.raw<GameEvent[]>([]);
  told = $state.raw<GameEvent[]>([]);
  state = $state<StreamState>('connecting');
  sending = $state(0);
  ends = $state<number | null>(null);
  looked = $state.raw<Look | null>(null);
  visit = $state<string | null>(null);
  /** The table of the next game, once somebody wanted one. */
  rematch = $state<string | null>(null);
  /** The server does not take this seat's token any more. */
  denied = $state(false);
  /** Somebody else made this seat free again, before the start. */
  freed = $state(false);
  /** This page gives the seat up itself. */
  leaving = false;
  private seated = false;
  private readonly stream: Stream;

  constructor(info: TableInfo, seat: { seat: number; token: string } | null, screen = false) {
    this.id = info.table;
    this.game = info.game;
    this.options = info.options;
    this.seats = info.seats;
    this.me = seat?.seat ?? null;
    this.token = seat?.token ?? null;
    this.screen = screen;
    const { table } = info;
    const me = this.me;
    this.stream = new Stream(
      table,
      this.token,
      {
        state: (s) => (this.state = s),
        seats: (s) => this.hearSeats(s),
        look: (l) => (this.looked = l),
        visit: (token) => (this.visit = token),
        rematch: (next) => (this.rematch = next),
        denied: () => (this.denied = true),
        clock: (ms) => (this.ends = ms === null ? null : performance.now() + ms),
        change: (seq, view, events) => {
          if (me !== null && view !== null) keepSeen(table, me, seq);
          this.view = view as V | null;
          this.events = events;
          if (events.length > 0) this.told = [...this.told, ...events];
        },
      },
      me === null ? undefined : lastSeen(table, me),
    );
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
  readonly length: number;
  step = $state(0);
  private readonly replay: Replay;
  view = $derived.by(() => (this.replay.steps[this.step]?.view ?? null) as V | null);
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
