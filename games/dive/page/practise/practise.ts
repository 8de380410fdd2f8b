// What is kept of practising: guesses and truths, level by level. Pure; the screen stores it in this browser.
import { rules } from '../numbers';

export const helpers = ['none', 'green', 'red', 'manta'] as const;
export type Helper = (typeof helpers)[number];
/** How many stacks are remembered. */
export const STACKS_KEPT = 200;

/** What somebody believes to lie on a level; null: no idea. */
export interface Guess {
  shark: boolean;
  helper: Helper;
}

/** One stack: sheets as the server names them, `guess` null where there was no idea. */
export interface Stack {
  at: number;
  /** How long it was looked at, in ms. */
  took: number;
  /** Seconds on the clock; 0: none. */
  clock: number;
  guess: (string | null)[];
  truth: string[];
}

export type Mark = 'right' | 'shark' | 'wrong' | 'none';

/** "shark+green" and the like. */
export function sheetName(g: Guess): string {
  if (g.helper === 'none') return g.shark ? 'shark' : 'empty';
  return g.shark ? `shark+${g.helper}` : g.helper;
}

export function readSheet(name: string): Guess {
  const helper = name.replace(/^shark\+?/, '');
  return {
    shark: name.startsWith('shark'),
    helper: (helpers as readonly string[]).includes(helper) ? (helper as Helper) : 'none',
  };
}

/** How good a guess is: all right, the shark right and the helper not, the shark wrong, or none made. */
export function mark(guess: string | null, truth: string): Mark {
  if (guess === null) return 'none';
  if (guess === truth) return 'right';
  return readSheet(guess).shark === readSheet(truth).shark ? 'shark' : 'wrong';
}

export interface LevelScore {
  /** Stacks seen, guesses made, sharks right, everything right. */
  seen: number;
  said: number;
  shark: number;
  right: number;
}

/** The score of each level over some stacks. */
export function scores(stacks: Stack[]): LevelScore[] {
  return Array.from({ length: rules.levels }, (_, i) => {
    const marks = stacks.map((s) => mark(s.guess[i] ?? null, s.truth[i] ?? ''));
    const count = (...wanted: Mark[]) => marks.filter((m) => wanted.includes(m)).length;
    return {
      seen: stacks.length,
      said: count('right', 'shark', 'wrong'),
      shark: count('right', 'shark'),
      right: count('right'),
    };
  });
}

/** Hundredths, rounded; null where nothing was seen. */
export const percent = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((100 * part) / whole);

/** How deep one can dive after this guess: levels from the top with the shark right. */
export function depth(s: Stack): number {
  const first = s.truth.findIndex(
    (truth, i) => !['right', 'shark'].includes(mark(s.guess[i] ?? null, truth)),
  );
  return first < 0 ? s.truth.length : first;
}

/** The newest last; the oldest are forgotten. */
export const withStack = (stacks: Stack[], one: Stack): Stack[] =>
  [...stacks, one].slice(-STACKS_KEPT);

const isText = (v: unknown): v is string => typeof v === 'string';
const isStack = (v: unknown): v is Stack => {
  const s = v as Partial<Stack> | null;
  return (
    typeof s === 'object' &&
    s !== null &&
    [s.at, s.took, s.clock].every((n) => typeof n === 'number' && Number.isFinite(n)) &&
    Array.isArray(s.truth) &&
    s.truth.length === rules.levels &&
    s.truth.every(isText) &&
    Array.isArray(s.guess) &&
    s.guess.length === rules.levels &&
    s.guess.every((g) => g === null || isText(g))
  );
};
export const isStacks = (v: unknown): v is Stack[] => Array.isArray(v) && v.every(isStack);

/** All of it as a file for oneself. */
export const exported = (stacks: Stack[]): string =>
  `${JSON.stringify({ fathom_practice: 1, stacks: stacks.map((s) => ({ ...s, at: new Date(s.at).toISOString() })) }, null, 1)}\n`;
