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

/** The levels of a plan, with the anglerfish's. */
export const levelsOf = (dive: Dive, who: Who): Level[] => {
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

/* ---- the stage: what is to be seen of each diver on level `level`, up to `beat` ---- */

/** The stack; the sheet lifts out of it; the lights go down; the faces turn; the verdict; the helper. */
export const BEATS = { stack: 1, lift: 2, dark: 3, faces: 4, verdict: 5, helper: 6 } as const;

/** A level ends with its verdict, unless a helper comes. */
export const lastBeat = (step: Step): number =>
  step.helped === null ? BEATS.verdict : BEATS.helper;

export type Cast =
  /** Its face is turned up. */
  | { kind: 'call'; call: Call }
  /** Nobody knows yet what it says, or whether it goes so deep. */
  | { kind: 'shut' }
  /** A mistake ended its dive; its plan has no such level; a bubble covers its number. */
  | { kind: 'over' | 'stays' | 'covered' };

export function castOf(story: Story, who: Who, level: number, beat: number): Cast {
  const turned = beat >= BEATS.faces;
  const call = story.steps[level - 1]?.calls.find((c) => c.who === who);
  if (call !== undefined) return turned ? { kind: 'call', call } : { kind: 'shut' };
  if (who === 'chief') return { kind: 'covered' };
  const right = story.dive.right[who] ?? [];
  if (!story.children && right.includes(false)) return { kind: 'over' };
  /* whoever had nothing on the level before has nothing here either */
  return { kind: turned || right.length < level - 1 ? 'stays' : 'shut' };
}

/** Where the pawns stand while a level is shown. */
export const pawnsAt = (story: Story, level: number, beat: number): Pawns => {
  const step = story.steps[level - 1];
  if (step === undefined)
    return level > story.steps.length ? (story.steps.at(-1)?.after ?? story.start) : story.start;
  return beat >= BEATS.helper ? step.after : step.before;
};

/** Levels that the stage numbers: six if somebody laid an anglerfish. */
export const levelsShown = (story: Story): number =>
  Math.max(
    rules.levels,
    ...story.divers.map((who) => levelsOf(story.dive, who).length),
    story.dive.cards.length,
  );
