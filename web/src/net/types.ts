// The words of the wire that all games share; see docs/protocol-server.md.

export type GameId = 'dive' | 'divercity' | 'soumsoum';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** An action without its seat: the token says it. */
export type Action = { do: string } & JsonObject;

/** A seat as the table shows it. */
export interface SeatInfo {
  seat: number;
  name: string | null;
  bot: string | null;
  here: boolean;
}

export type TableState = 'waiting' | 'playing' | 'over';

export interface TableInfo {
  table: string;
  game: GameId;
  options: JsonObject;
  state: TableState;
  listed: boolean;
  seats: SeatInfo[];
  commitment: string;
  deck: { id: string; hash: string };
  rematch: string | null;
}

/** What all views have. Each game's own view extends it in games/NAME/types.ts. */
export interface View {
  seq: number;
  game: GameId;
  phase: string;
  seat?: number | null;
  legal?: Action[];
  result?: JsonObject;
}

/** What happened, cut to what this viewer may know. */
export type GameEvent = JsonObject;

export interface OptionInfo {
  name: string;
  type: 'int' | 'choice' | 'bool' | 'seat' | 'seats';
  min?: number;
  max?: number;
  values?: Json[];
  default: Json;
  /** A sentence in English, for options that we have no words for. */
  about: string;
}

export interface GameInfo {
  id: GameId;
  title: string;
  seats: { min: number; max: number };
  options: OptionInfo[];
  /** Weakest first. */
  bots: { id: string; about: string }[];
  /** The first is played with unless told otherwise. */
  decks: { id: string; title: string }[];
}

export type OptionsAnswer =
  | { ok: true; options: JsonObject }
  | { ok: false; code: string; message: string; path: string | null };

export interface ReplayStep {
  t: number;
  seat: number | null;
  action: Action | null;
  events: GameEvent[];
  view: View;
}

export interface Replay {
  table: string;
  game: GameId;
  options: JsonObject;
  who: number | 'table' | 'open';
  seats: { name: string | null; bot: string | null }[];
  /** The token for pictures of this table, if its game has any. */
  visit?: string;
  steps: ReplayStep[];
}

export interface VerifyStep {
  step: 'commitment' | 'deal' | 'moves' | 'result';
  /** null: not reached. */
  ok: boolean | null;
  [more: string]: Json;
}

export interface Verdict {
  ok: boolean;
  steps: VerifyStep[];
  message: string | null;
}
