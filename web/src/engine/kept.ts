// What a device keeps of a table: enough to play it again from its beginning, line by line.
import type { GameId, JsonObject, TableState, View } from '../net/types';
import type { Starter } from './wasm';

export interface KeptSeat {
  name: string | null;
  bot: string | null;
  token: string | null;
  entropy: string | null;
  notes: string;
  /** The id of the request that took the seat: sent again, it gets the same answer. */
  request: string | null;
}

export interface KeptTable {
  id: string;
  game: GameId;
  rules: number;
  options: JsonObject;
  water?: string;
  seed: string;
  host: string;
  seats: KeptSeat[];
  state: TableState;
  /** What the first line of its record was made from; null: it has not started. */
  begun: { people: Starter[]; created: string } | null;
  rematch: string | null;
  /** It was taken up in the middle of another game, after so many of its moves. */
  from?: number;
  /** What this seat did not know was dealt anew there, by this seed. */
  redealt?: { seat: number; seed: string };
  /** The id that the deal was made with, if not its own; null: nobody could add to it. */
  dealtFor?: string | null;
  /** When it was made and when something last happened, in ms since 1970. */
  made: number;
  at: number;
  moves: number;
  /** What everybody may see; null: it has not started. */
  view: View | null;
  /** The table that it became at the server; null: it was not handed in. */
  handed: string | null;
}

/** A line of a record. `by`: the seat and the id of the action. */
export interface KeptLine {
  text: string;
  by?: string;
}

export interface Keeper {
  load(id: string): Promise<{ table: KeptTable; lines: KeptLine[] } | undefined>;
  /** Keeps the table as it is now and more lines, the first of which has number n: all of it or nothing. */
  save(table: KeptTable, n: number, more: KeptLine[]): Promise<void>;
}

/** Another tab has kept this line already, or has deleted the table. */
export class Conflict extends Error {}
