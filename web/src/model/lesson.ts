// A lesson as data: what the referee said at every step (tools/tutorials), and what is asked of the learner there.
import type { Action, GameEvent, GameId, JsonObject, View } from '../net/types';

export interface LessonStep<A extends Action = Action> {
  id: string;
  /** The part of the board that is spoken of. */
  point?: string;
  /** What the learner is to do; without it one reads and goes on. */
  do?: A;
  /** What the learner is to do on the board without the server, such as tilting: the board says when it was done. */
  task?: string;
  /** A question with its answers, and the right one. */
  ask?: { of: string[]; right: string };
  /** Drawings that stand beside the text, as beside these sections of the rules. */
  art?: string[];
  /** Verbs that may be tried out meanwhile, such as laying another program. */
  lets?: string[];
  /** Outcomes of lines of moves, as changes of the view: previews. */
  what?: Record<string, JsonObject>;
  events: GameEvent[];
  view: View;
}

export interface Lesson<A extends Action = Action> {
  game: GameId;
  options: JsonObject;
  names: string[];
  steps: LessonStep<A>[];
}

type Fields = Record<string, unknown>;
const isFields = (v: unknown): v is Fields =>
  typeof v === 'object' && v !== null && !Array.isArray(v);
const sorted = (v: Fields) => Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1));

/** JSON with sorted keys: equal texts are equal values. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => (isFields(v) ? Object.fromEntries(sorted(v)) : v));

/** A JSON merge patch (RFC 7396) put on a value. */
export function merge(value: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const out: Fields = isFields(value) ? { ...value } : {};
  for (const [k, v] of Object.entries(patch))
    if (v === null) delete out[k];
    else out[k] = merge(out[k], v);
  return out;
}

/** Where an action leads from a step: to another step, nowhere but harmless, or against the lesson. Who does two things at once
    with one action skips a step; another verb than the one that is asked for never does. `plain` leaves out what makes no
    difference to the game. */
export function answer<A extends Action>(
  steps: LessonStep<A>[],
  at: number,
  action: A,
  plain = (a: A): A => a,
): number | 'let' | 'no' {
  const fits = (wanted: A): boolean => canonical(plain(action)) === canonical(plain(wanted));
  for (let i = at; steps[i]?.do !== undefined && steps[i]?.do?.do === steps[at]?.do?.do; i++)
    if (fits(steps[i]?.do as A)) return i + 1;
  return steps[at]?.lets?.includes(action.do) ? 'let' : 'no';
}
