// Puzzles: decisions of games between bots with one clearly best choice (docs/puzzles.md), and which of them were solved on this
// device.
import type { Candidate, Decision } from '../engine/analysis';
import type { Action, GameId } from '../net/types';
import { read, write } from './kept';

/** As `fathom puzzles` writes it. */
export interface Puzzle {
  game: GameId;
  /** The number of the move that is to be found. */
  step: number;
  seat: number;
  best: Action;
  margin: number;
  /** The share of the bots' choices that missed it. */
  difficulty: number;
  /** Choices of each bot, and glances. */
  tries: number;
  glances: number;
  bots: { bot: string; found: number }[];
  exact: boolean;
  /** The best first. */
  candidates: Candidate[];
  /** The lines of the record up to the decision. */
  record: string[];
}

export const recordOf = (puzzle: Puzzle): string =>
  puzzle.record.map((line) => `${line}\n`).join('');

/** How it is called on this device: no two puzzles come from the same deal. */
export const nameOf = ({ record }: Puzzle): string =>
  (JSON.parse(record[0] ?? '{}') as { commitment: string }).commitment.slice(0, 16);

/** Easy, medium or hard. */
export const LEVELS = 3;
export const levelOf = ({ difficulty }: Puzzle): 1 | 2 | 3 =>
  difficulty < 0.5 ? 1 : difficulty < 0.75 ? 2 : 3;

/** How often the bots found it, out of how many choices. */
export const foundBy = ({ bots, tries }: Puzzle): { found: number; of: number } => ({
  found: bots.reduce((sum, b) => sum + b.found, 0),
  of: bots.length * tries,
});

/** What was chosen by who asked for the answer. */
const NOTHING: Action = { do: '' };

/** The decision as an analysis has it. `as`: the candidate that was chosen; null: none of them, which are all that come close. */
export function decisionOf(puzzle: Puzzle, chosen: Action | null, as: number | null): Decision {
  const [best] = puzzle.candidates;
  const played = as === null ? undefined : puzzle.candidates[as];
  const best_value = best?.value ?? 0;
  const value = played?.value ?? best_value;
  return {
    step: puzzle.step,
    seat: puzzle.seat,
    played: played?.action ?? chosen ?? NOTHING,
    value,
    best: puzzle.best,
    best_value,
    lost: best_value - value,
    luck: 0,
    mark: '',
    exact: puzzle.exact,
    candidates: puzzle.candidates,
    knew: {},
  };
}

/* ---- what was solved on this device ---- */

export type Mark = 'solved' | 'tried';
type Marks = Record<string, Mark>;

const isMarks = (v: unknown): v is Marks =>
  typeof v === 'object' &&
  v !== null &&
  Object.values(v).every((mark) => mark === 'solved' || mark === 'tried');

const key = (game: GameId): string => `puzzles.${game}`;

export const marks = (game: GameId): Marks => read<Marks>(key(game), {}, isMarks);

/** What was once solved stays so. */
export function keepMark(puzzle: Puzzle, mark: Mark): void {
  const kept = marks(puzzle.game);
  const name = nameOf(puzzle);
  if (kept[name] !== 'solved') write(key(puzzle.game), { ...kept, [name]: mark });
}

/** The puzzle to go on with: the next that was not tried, then the next that was not solved, then the next; from 0. */
export function nextOf(marked: readonly (Mark | undefined)[], after: number): number {
  const n = marked.length;
  const order = Array.from({ length: n }, (_, i) => (after + 1 + i) % n);
  return (
    order.find((i) => marked[i] === undefined) ??
    order.find((i) => marked[i] === 'tried') ??
    order[0] ??
    0
  );
}
