// The words of the wire that all games share; see docs/protocol-server.md.

/** The name of a game's folder. */
export type GameId = string;
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** An action without its seat: the token says it. What else it holds is the game's. */
export interface Action {
  do: string;
  [key: string]: unknown;
}

/** A seat as the table shows it. */
export interface SeatInfo {
  seat: number;
  name: string | null;
  bot: string | null;
  here: boolean;
  /** A device of this seat is connected that has the host's rights. */
  host?: boolean;
}

export type TableState = 'waiting' | 'playing' | 'over';

export interface TableInfo {
  table: string;
  game: GameId;
  options: JsonObject;
  state: TableState;
  listed: boolean;
  /** It was played on a device, which knew the deal, and handed in. */
  unranked?: true;
  played?: 'device';
  /** It was taken up on this device in the middle of another game, after so many moves: it is no whole game. */
  from?: number;
  /** Hidden cards were dealt anew there. */
  redealt?: true;
  /** What pictures of its stack are seen through; only of games that have one. */
  water?: string;
  seats: SeatInfo[];
  /** A screen of the table's own is connected. */
  screen: boolean;
  commitment: string;
  deck: { id: string; hash: string };
  rematch: string | null;
}

/** A game that is taken up before one of its moves: somebody in a seat, bots in the others. */
export type TakingUp = {
  record: string;
  /** So many moves are as they were. */
  moves: number;
  seat: number;
  name: string;
  /** The bot of each seat. */
  bots: string[];
  /** Cards that the seat does not know are dealt anew. */
  anew: boolean;
  /** The record ends before the game does. */
  part: boolean;
};

/** What an action is, compared with others: whether it is a decision, which of the others it stands for (null: none), and whether
    the seat has decided for good with it. */
export interface Compared {
  decides: boolean;
  as: number | null;
  done: boolean;
}

/** What all views have. Each game's own view extends it in games/NAME/types.ts. */
export interface View {
  seq: number;
  game: GameId;
  /** The version of the game's rules. */
  rules?: number;
  phase: string;
  seat?: number | null;
  legal?: Action[];
  result?: object;
}

/** What happened, cut to what this viewer may know. What else it holds is the game's. */
export interface GameEvent {
  event: string;
  [key: string]: unknown;
}

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
  /** Numbers and tables of the rules. */
  constants: JsonObject;
  /** Weakest first. */
  bots: { id: string; about: string }[];
  /** The first is played with unless told otherwise. */
  decks: { id: string; title: string }[];
  /** What pictures of its stack can be seen through, the default first; only of games that have one. */
  waters?: { id: string; about: string }[];
}

/** Why something was refused: a code, its values as further keys, and an English sentence for people alone. */
export interface RefusalKeys {
  code: string;
  message: string;
  [value: string]: Json;
}

export type OptionsAnswer =
  | { ok: true; seats: number; options: JsonObject }
  | (RefusalKeys & { ok: false; path: string | null });

/** A position and moves, as the referee takes them. */
export type Scenario = {
  game: GameId;
  /** The version of the rules; left out: the newest. */
  rules?: number;
  options: JsonObject;
  setup: JsonObject;
  actions: JsonObject[];
};

/** `state` of the whole position, `view` of a viewer's; `action`: the number of the one that is refused. */
export type RefereeAnswer =
  | { ok: true; state?: View; view?: View; events: GameEvent[] }
  | { ok: false; error: RefusalKeys & { action: number | null } };

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

/** Why a bot did something: a code with values, and the chances of its move and of the best others. */
export interface WhyAnswer {
  seat: number;
  bot: string;
  /** Its turn or round. */
  turn: number;
  /** It was worked out from what the asker can see, or, once the game is over, from what the bot knew. */
  from: 'view' | 'bot';
  /** With the values of its code, which the game knows. */
  reason: { code: string };
  candidates: { action: Action; value: number; se: number; played: boolean }[];
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
  /** Why it fails, as in a refusal. */
  code?: string;
  message: string | null;
}

/** Where a creature lies on a sheet that was revealed: centre and radius in widths of the sheet. */
export interface Circle {
  creature: string;
  x: number;
  y: number;
  r: number;
}
