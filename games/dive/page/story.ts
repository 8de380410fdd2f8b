// A dive told level by level: what the view's `dive` and its events say, arranged for the eye. Nothing is judged here.
import { isDeep, rules } from './numbers';
import {
  helperOf,
  type Dive,
  type DiveEvent,
  type Helper,
  type Level,
  type Move,
  type Sheet,
  type Who,
} from './types';

export type Pawns = ReadonlyMap<Who, number>;

/** One diver on one level, once it is judged. */
export interface Call {
  who: Who;
  tokens: number[];
  shark: boolean;
  speed: number;
  right: boolean;
  clownfish: boolean;
}

export interface Step {
  level: number;
  card: Sheet;
  helper: Helper | null;
  calls: Call[];
  helped: Move | null;
  /** Several at the top: nobody is helped. */
  tie: Who[];
  before: Pawns;
  after: Pawns;
}

export interface Rest {
  who: Who;
  /** For levels 1…: what became of it. */
  levels: ('kept' | 'lost' | 'none')[];
  helpers: Move[];
  dolphins: Move | null;
  rest: Move | null;
  axolotl: Move | null;
  /** The level of the mistake that ended the dive, and whether it was in Deep Waters. */
  wrong: { level: number; deep: boolean } | null;
  /** Whose great white held this diver. */
  heldBy: number | null;
  /** Levels that found no sheet. */
  noCard: boolean;
  to: number;
}

export interface Story {
  round: number;
  divers: Who[];
  dive: Dive;
  start: Pawns;
  steps: Step[];
  rests: Rest[];
  end: Pawns;
  /** After which level a number of the chief's is covered; 0: from the start. */
  bubbles: ReadonlyMap<number, number>;
  /** How many levels each diver keeps after a mistake. */
  keeps: ReadonlyMap<Who, number>;
  children: boolean;
}

const levelsOf = (dive: Dive, who: Who): Level[] => {
  if (who === 'chief') return [];
  const program = dive.programs[who];
  return program === undefined
    ? []
    : [
        ...program.levels,
        ...(program.anglerfish ? [{ tokens: [], shark: program.anglerfish.shark }] : []),
      ];
};

/** The first position known of each, else where it stands now. */
function startOf(dive: Dive, now: Pawns): Map<Who, number> {
  const start = new Map(now);
  for (const m of [...dive.moves].reverse()) start.set(m.seat, m.from);
  return start;
}

function callOf(dive: Dive, who: Who, level: number): Call | null {
  if (who === 'chief') {
    const speed = dive.chief?.speeds[level - 1];
    if (speed === undefined || dive.chief?.bubbles.includes(level)) return null;
    return { who, tokens: [], shark: false, speed, right: true, clownfish: false };
  }
  const right = dive.right[who]?.[level - 1];
  const plan = levelsOf(dive, who)[level - 1];
  if (right === undefined || plan === undefined) return null;
  const clownfish = dive.programs[who]?.clownfish === level;
  const tokens = plan.tokens ?? [];
  const speed = tokens.reduce((a, b) => a + b, 0) + (clownfish ? rules.clownfish_air : 0);
  return { who, tokens, shark: plan.shark, speed, right, clownfish };
}

function stepOf(dive: Dive, divers: Who[], level: number, before: Pawns, children: boolean): Step {
  const card = dive.cards[level - 1] ?? 'empty';
  const calls = divers.map((who) => callOf(dive, who, level)).filter((c) => c !== null);
  const helped = dive.moves.find((m) => m.level === level) ?? null;
  const helper = helperOf(card);
  const right = calls.filter((c) => c.right);
  const top = Math.max(0, ...right.map((c) => c.speed));
  const tied = right.filter((c) => c.speed === top);
  const after = new Map(before);
  if (helped) after.set(helped.seat, helped.to);
  return {
    level,
    card,
    helper,
    calls,
    helped,
    tie:
      !children && helper !== null && helped === null && tied.length > 1
        ? tied.map((c) => c.who)
        : [],
    before,
    after,
  };
}

/** When bubbles cover the chief's numbers: at the start, or after the level that brought its pawn into Deep Waters. */
function bubblesOf(dive: Dive, start: Pawns, steps: Step[]): Map<number, number> {
  const deep = (pawns: Pawns) => isDeep(pawns.get('chief') ?? 0);
  const since = deep(start) ? 0 : (steps.find((s) => deep(s.after))?.level ?? 0);
  return new Map((dive.chief?.bubbles ?? []).map((level) => [level, Math.min(since, level - 1)]));
}

function restOf(
  dive: Dive,
  who: Who,
  steps: Step[],
  keeps: number | undefined,
  events: DiveEvent[],
  children: boolean,
  now: number,
): Rest {
  const mine = dive.moves.filter((m) => m.seat === who);
  const last = (why: Move['why']) =>
    mine.find((m) => m.why === why && m.level === undefined) ?? null;
  const rest = last('rest');
  const right = who === 'chief' ? [] : (dive.right[who] ?? []);
  const planned = who === 'chief' ? (dive.chief?.speeds.length ?? 0) : levelsOf(dive, who).length;
  const wrongAt = right.indexOf(false) + 1;
  const kept = keeps ?? (rest ? rest.to - rest.from : 0);
  const status = (level: number): 'kept' | 'lost' | 'none' => {
    if (level > planned) return 'none';
    if (who === 'chief')
      return dive.chief?.bubbles.includes(level) || level > dive.cards.length ? 'none' : 'kept';
    if (children)
      return right[level - 1] === undefined ? 'none' : right[level - 1] ? 'kept' : 'lost';
    if (wrongAt > 0) return level <= kept ? 'kept' : 'lost';
    return level > dive.cards.length ? 'none' : 'kept';
  };
  const held = events.find((e) => e.event === 'held' && e.seat === who);
  const axolotl = last('axolotl');
  return {
    who,
    levels: Array.from({ length: Math.max(rules.levels, planned) }, (_, i) => status(i + 1)),
    helpers: mine.filter((m) => m.level !== undefined),
    dolphins: last('dolphins'),
    rest,
    axolotl,
    wrong:
      children || wrongAt === 0
        ? null
        : { level: wrongAt, deep: isDeep(steps[wrongAt - 1]?.before.get(who) ?? 0) },
    heldBy: held?.event === 'held' ? held.by : null,
    noCard: who !== 'chief' && wrongAt === 0 && planned > dive.cards.length,
    to: axolotl?.to ?? rest?.to ?? now,
  };
}

/** The last dive of a view. `events` are those of the change that brought it, where they are known. */
export function storyOf(
  view: { dive?: Dive; pawns: number[]; chief: number | null; children: boolean },
  events: DiveEvent[] = [],
): Story | null {
  const dive = view.dive;
  if (dive === undefined) return null;
  const now = new Map<Who, number>(view.pawns.map((p, seat) => [seat, p]));
  if (view.chief !== null) now.set('chief', view.chief);
  const divers = [...now.keys()];
  const start = startOf(dive, now);
  const steps: Step[] = [];
  for (let level = 1, before: Pawns = start; level <= dive.cards.length; level++) {
    const step = stepOf(dive, divers, level, before, view.children);
    steps.push(step);
    before = step.after;
  }
  const keeps = new Map<Who, number>();
  for (const e of events) if (e.event === 'wrong') keeps.set(e.seat, e.keeps);
  const rests = divers.map((who) =>
    restOf(dive, who, steps, keeps.get(who), events, view.children, now.get(who) ?? 0),
  );
  for (const r of rests)
    if (r.wrong && !keeps.has(r.who)) keeps.set(r.who, r.levels.filter((l) => l === 'kept').length);
  return {
    round: dive.round,
    divers,
    dive,
    start,
    steps,
    rests,
    end: new Map(rests.map((r) => [r.who, r.to])),
    bubbles: bubblesOf(dive, start, steps),
    keeps,
    children: view.children,
  };
}

/* ---- lanes: what is to be seen of each diver when level `level` is shown up to `beat` ---- */

/** Beats of a level: the sheet lifts, the faces turn, the helper comes and the pawns move. */
export const BEATS = 3;

export type Lane =
  | {
      kind: 'call';
      call: Call;
      now: boolean;
      lost: boolean;
      lostAt: number | null;
      helped: Move | null;
      fastest: boolean;
    }
  | { kind: 'plan'; tokens: number[]; shark: boolean; clownfish: boolean; now: boolean }
  | {
      kind: 'chief';
      speed: number;
      yellow: boolean;
      bubble: boolean;
      now: boolean;
      done: boolean;
      helped: Move | null;
    }
  | { kind: 'fog'; now: boolean }
  | { kind: 'over'; now: boolean }
  | { kind: 'stays'; now: boolean }
  | { kind: 'none'; now: boolean };

/** Was this diver's plan ended by a mistake above this level, as far as it has been shown? */
function mistake(story: Story, who: Who, level: number, beat: number): number | null {
  if (who === 'chief' || story.children) return null;
  const at = (story.dive.right[who] ?? []).indexOf(false) + 1;
  return at > 0 && (at < level || (at === level && beat >= 1)) ? at : null;
}

export function laneOf(
  story: Story,
  who: Who,
  row: number,
  level: number,
  beat: number,
  me: number | null,
): Lane {
  const now = row === level;
  const shown = row < level || (now && beat >= 1);
  if (who === 'chief') {
    const chief = story.dive.chief;
    const speed = chief?.speeds[row - 1];
    if (speed === undefined) return { kind: 'none', now };
    const covered = story.bubbles.get(row);
    const bubble = covered !== undefined && (covered < level || (covered === level && beat >= 2));
    const helped = story.steps[row - 1]?.helped;
    return {
      kind: 'chief',
      speed,
      yellow: chief?.yellow.includes(row) ?? false,
      bubble,
      now,
      done: shown && !bubble && row <= story.steps.length,
      helped: shown && (row < level || beat >= 2) && helped?.seat === 'chief' ? helped : null,
    };
  }
  const wrongAt = mistake(story, who, level, beat);
  const call = story.steps[row - 1]?.calls.find((c) => c.who === who);
  if (shown && call !== undefined) {
    const keeps = story.keeps.get(who) ?? 0;
    const helped = story.steps[row - 1]?.helped;
    const told = row < level || beat >= 2;
    return {
      kind: 'call',
      call,
      now,
      lostAt: wrongAt,
      lost: story.children ? !call.right : wrongAt !== null && row > keeps,
      helped: told && helped?.seat === who ? helped : null,
      fastest: now && told && helped?.seat === who,
    };
  }
  if (wrongAt !== null && row > wrongAt) return { kind: 'over', now };
  const plan = levelsOf(story.dive, who)[row - 1];
  if (shown)
    return { kind: row > (story.dive.right[who]?.length ?? 0) && row > 1 ? 'stays' : 'none', now };
  if (who === me) {
    if (plan === undefined) return { kind: 'none', now };
    return {
      kind: 'plan',
      tokens: plan.tokens ?? [],
      shark: plan.shark,
      clownfish: story.dive.programs[who]?.clownfish === row,
      now,
    };
  }
  /* whoever had nothing on an earlier level that was shown has nothing here either */
  const judged = story.dive.right[who]?.length ?? 0;
  const seen = beat >= 1 ? level : level - 1;
  return { kind: judged < seen ? 'none' : 'fog', now };
}

/** Where the pawns stand while a level is shown. */
export const pawnsAt = (story: Story, level: number, beat: number): Pawns => {
  const step = story.steps[level - 1];
  if (step === undefined)
    return level > story.steps.length ? (story.steps.at(-1)?.after ?? story.start) : story.start;
  return beat >= 2 ? step.after : step.before;
};

/** Rows that the lanes need: six if somebody laid an anglerfish. */
export const rowsOf = (story: Story): number =>
  Math.max(
    rules.levels,
    ...story.divers.map((who) => levelsOf(story.dive, who).length),
    story.dive.cards.length,
  );
