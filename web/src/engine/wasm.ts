// The engine: the rules, all games and all bots in WebAssembly. The other side is src/wasm.
import type {
  Action,
  Compared,
  GameId,
  GameInfo,
  JsonObject,
  OptionsAnswer,
  RefereeAnswer,
  Replay,
  ReplayStep,
  Scenario,
  Verdict,
  View,
} from '../net/types';
import { Instance, type Exports } from './instance';
import type { Deal } from './ocean';

type Who = Replay['who'];

interface EngineExports extends Exports {
  games(): number;
  check(n: number): number;
  referee(who: number, n: number): number;
  verify(n: number, shown: number): number;
  replay(who: number, n: number, part: number): number;
  next(who: number): number;
  open(n: number): number;
  start(n: number): number;
  act(seat: number, t: number, n: number): number;
  clock(t: number): number;
  redeal(seat: number, n: number): number;
  end(): number;
  over(): number;
  may(): number;
  deadline(): number;
  reactions(): number;
  seq(who: number): number;
  told(who: number): number;
  hello(who: number, from: number, earlier: number): number;
  preview(seat: number, n: number): number;
  choice(seat: number, n: number): number;
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

export class Engine extends Instance<EngineExports> {
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

  /** What a viewer saw of a recorded game, from the deal on; `part`: of a game that goes on. Throws Refused where the record is wrong. */
  *steps(record: string, who: Who, part = false): Generator<ReplayStep> {
    let n = this.x.replay(number(who), this.write(record), Number(part));
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

  /** Deals anew what a seat does not know, by 32 bytes in hex: the match goes on as one that the seat could take for it. */
  redeal(seat: number, seed: string): void {
    this.said(this.x.redeal(seat, this.write(seed)));
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

  /** What an action of a seat would be, compared with others. Throws Refused where it is illegal. */
  choice(seat: number, action: Action, others: Action[]): Compared {
    const n = this.write(JSON.stringify({ action, others }));
    return JSON.parse(this.said(this.x.choice(seat, n))) as Compared;
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
