// A lesson as data: what the referee said at every step (tools/tutorials), and what is asked of the learner there.
import type { Action, GameEvent, GameId, Json, JsonObject, View } from '../net/types';

export interface LessonStep {
  id: string;
  /** The part of the board that is spoken of. */
  point?: string;
  /** What the learner is to do; without it one reads and goes on. */
  do?: Action;
  /** Verbs that may be tried out meanwhile, such as laying another program. */
  lets?: string[];
  /** Outcomes of lines of moves, as changes of the view: previews. */
  what?: Record<string, JsonObject>;
  events: GameEvent[];
  view: View;
}

export interface Lesson {
  game: GameId;
  options: JsonObject;
  names: string[];
  steps: LessonStep[];
}

const isObject = (v: Json | undefined): v is JsonObject => typeof v === 'object' && v !== null && !Array.isArray(v);

/** JSON with sorted keys: equal texts are equal values. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((k) => `${JSON.stringify(k)}:${canonical(value[k] as Json)}`)
    .join(',')}}`;
}

/** A JSON merge patch (RFC 7396) put on a value. */
export function merge(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const out: JsonObject = isObject(value) ? { ...value } : {};
  for (const [k, v] of Object.entries(patch))
    if (v === null) delete out[k];
    else out[k] = merge(out[k] ?? null, v);
  return out;
}

/** Levels without a token at the end of a program say nothing. */
function plain(action: Action): Action {
  const levels = action['levels'];
  if (!Array.isArray(levels)) return action;
  const empty = (l: Json | undefined) => isObject(l) && Array.isArray(l['tokens']) && l['tokens'].length === 0;
  let n = levels.length;
  while (n > 0 && empty(levels[n - 1])) n--;
  return { ...action, levels: levels.slice(0, n) };
}

export const fits = (action: Action, wanted: Action): boolean => canonical(plain(action)) === canonical(plain(wanted));

/** Where an action leads from a step: to another step, nowhere but harmless, or against the lesson. Who does two things at once
    skips a step. */
export function answer(steps: LessonStep[], at: number, action: Action): number | 'let' | 'no' {
  for (let i = at; steps[i]?.do !== undefined; i++) if (fits(action, steps[i]?.do as Action)) return i + 1;
  return steps[at]?.lets?.includes(action.do) ? 'let' : 'no';
}

/** The name of the tilt's picture that is nearest: files are called look_14_-28. */
export function nearestLook(names: string[], tilt: readonly [number, number]): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const name of names) {
    const [, x, y] = /look_(-?[\d.]+)_(-?[\d.]+)\.webp/.exec(name) ?? [];
    if (x === undefined || y === undefined) continue;
    const far = Math.hypot(tilt[0] - Number(x), tilt[1] - Number(y));
    if (far < least) [best, least] = [name, far];
  }
  return best;
}
