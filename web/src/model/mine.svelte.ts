// The tables this browser belongs to: seats and host's rights, newest first.
import { read, write } from './kept';
import type { GameId } from '../net/types';

export interface Mine {
  table: string;
  game: GameId;
  code?: string;
  host?: string;
  /** Several on one device: pass and play. */
  seats: { seat: number; token: string; name: string }[];
  /** Whether this device shows the private board, where the player said so; else it does while the table has a screen. */
  phone?: boolean;
  /** The game is over. */
  over?: true;
  at: number;
}

const KEEP = 30;
const isList = (v: unknown): v is Mine[] =>
  Array.isArray(v) &&
  v.every((m: Partial<Mine> | null) => typeof m?.table === 'string' && Array.isArray(m.seats));

class Tables {
  list = $state.raw<Mine[]>(read('tables', [], isList));

  get(table: string): Mine | undefined {
    return this.list.find((m) => m.table === table);
  }

  put(mine: Omit<Mine, 'at'>): void {
    this.list = [
      { ...mine, at: Date.now() },
      ...this.list.filter((m) => m.table !== mine.table),
    ].slice(0, KEEP);
    write('tables', this.list);
  }

  addSeat(table: string, game: GameId, seat: { seat: number; token: string; name: string }): void {
    const old = this.get(table) ?? { table, game, seats: [] };
    this.put({ ...old, seats: [...old.seats.filter((s) => s.seat !== seat.seat), seat] });
  }

  dropSeat(table: string, seat: number): void {
    const old = this.get(table);
    if (old) this.put({ ...old, seats: old.seats.filter((s) => s.seat !== seat) });
  }

  /** The game is over: the table belongs to the history now. */
  finish(table: string): void {
    if (this.get(table)?.over !== undefined || !this.get(table)) return;
    this.list = this.list.map((m) => (m.table === table ? { ...m, over: true } : m));
    write('tables', this.list);
  }

  forget(table: string): void {
    this.list = this.list.filter((m) => m.table !== table);
    write('tables', this.list);
  }
}

export const mine = new Tables();
