// The table of a puzzle: a position on the game's own board, at which one choice is made. The engine of this device judges it.
import { api } from '../net/api';
import type { Action, GameEvent, GameId, JsonObject, Replay, SeatInfo, View } from '../net/types';
import { refused } from '../ui/refusal';
import { recordOf, type Puzzle } from './puzzles';
import { ReplayTable, type Table } from './table.svelte';

/** What somebody chose: which of the candidates; null: none of them. */
export interface Chosen {
  action: Action;
  as: number | null;
}

export class PuzzleTable<V extends View = View> implements Table<V> {
  readonly id: string;
  readonly game: GameId;
  readonly options: JsonObject;
  readonly seats: SeatInfo[];
  readonly me: number;
  readonly screen = false;
  readonly state = 'open';
  readonly token = null;
  readonly visit: string | null;
  readonly ends = null;
  /** All of it was told before: nothing is news. */
  readonly earlier: number;
  view = $state.raw<V | null>(null);
  previous = $state.raw<V | null>(null);
  events = $state.raw<GameEvent[]>([]);
  told = $state.raw<GameEvent[]>([]);
  sending = $state(0);
  /** A decision that can still be taken back. */
  private pending: Chosen | null = null;

  /** `onchoice` is told of the choice, once it is made for good. */
  private constructor(
    private readonly replay: Replay,
    readonly puzzle: Puzzle,
    name: string,
    private readonly onchoice: (chosen: Chosen) => void,
  ) {
    const { steps } = replay;
    this.id = replay.table;
    this.game = replay.game;
    this.options = replay.options;
    this.me = puzzle.seat;
    this.seats = replay.seats.map((s, seat) =>
      seat === puzzle.seat
        ? { seat, name, bot: null, here: true }
        : { seat, name: null, bot: s.bot, here: true },
    );
    this.visit = replay.visit ?? null;
    this.view = (steps.at(-1)?.view ?? null) as V | null;
    this.told = steps.flatMap((s) => s.events);
    this.earlier = this.told.length;
  }

  /** Opens its record on this device. */
  static async open(
    puzzle: Puzzle,
    name: string,
    onchoice: (chosen: Chosen) => void,
  ): Promise<PuzzleTable> {
    const id = await api.openRecord(recordOf(puzzle), true);
    return new PuzzleTable(await api.replay(id, puzzle.seat), puzzle, name, onchoice);
  }

  /** The position as it was, to look at the answer. */
  answered(): ReplayTable {
    const seats = this.seats.map(({ name, bot }) => ({ name, bot }));
    const table = new ReplayTable({ ...this.replay, seats });
    table.step = table.length - 1;
    return table;
  }

  close(): void {
    void api.closeRecord(this.id).catch(() => undefined);
  }

  async act(action: Action): Promise<void> {
    this.sending++;
    try {
      await this.choose(action);
    } catch (e) {
      refused(e);
      throw e;
    } finally {
      this.sending--;
    }
  }

  private async choose(action: Action): Promise<void> {
    const others = this.puzzle.candidates.map((c) => c.action);
    const { decides, as, done } = await api.choice(this.id, this.me, action, others);
    if (decides) this.pending = { action, as };
    if (done && this.pending !== null) return this.onchoice(this.pending);
    await this.doThere(action);
  }

  /** What decides nothing for good is done, as at a table. */
  private async doThere(action: Action): Promise<void> {
    const told = await api.actThere(this.id, this.me, action);
    if (told === null) return;
    this.previous = this.view;
    this.view = told.view as V;
    this.events = told.events;
    this.told = [...this.told, ...told.events];
  }

  what(actions: Action[]): Promise<V> {
    return api.preview(this.id, this.me, actions) as Promise<V>;
  }

  look(): void {}
  hold(): void {}
}
