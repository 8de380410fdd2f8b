// The plan as it lies on this screen: pure functions from one draft to the next. The server is told only what `sent` says.
import { airTokens, rules } from './numbers';
import type { Level, Program } from './types';

export interface Row {
  tokens: number[];
  shark: boolean;
  /** Children's version: somebody has said what is here. */
  said: boolean;
}

export interface Draft {
  /** Children's version: faces only. */
  readonly plain: boolean;
  readonly rows: readonly Row[];
  /** The level the clownfish lies on. */
  readonly clownfish: number | null;
  /** The face of the sixth level; null: no anglerfish. */
  readonly anglerfish: boolean | null;
  /** What is picked up. */
  readonly held: number | 'clownfish' | null;
  /** The level the next token goes to when it is tapped; null: the first empty one. */
  readonly aim: number | null;
}

export type Problem = 'empty' | 'gap' | 'faces';

const bare = (): Row => ({ tokens: [], shark: false, said: false });

export const fresh = (plain = false): Draft => ({
  plain,
  rows: Array.from({ length: rules.levels }, bare),
  clownfish: null,
  anglerfish: null,
  held: null,
  aim: null,
});

export function from(program: Program, plain = false): Draft {
  const rows = fresh(plain).rows.map((row, i) => {
    const level = program.levels[i];
    return level === undefined
      ? row
      : { tokens: [...(level.tokens ?? [])], shark: level.shark, said: plain };
  });
  return settle({
    ...fresh(plain),
    rows,
    clownfish: program.clownfish ?? null,
    anglerfish: program.anglerfish?.shark ?? null,
  });
}

/* ---- what lies there ---- */

const row = (d: Draft, level: number): Row => d.rows[level - 1] ?? bare();
export const filled = (d: Draft, level: number): boolean =>
  d.plain ? row(d, level).said : row(d, level).tokens.length > 0;

/** Where a token lies: its level, or null in the tray. */
export function levelOf(d: Draft, token: number): number | null {
  const at = d.rows.findIndex((r) => r.tokens.includes(token));
  return at < 0 ? null : at + 1;
}

export const tray = (d: Draft): number[] =>
  airTokens().filter((token) => levelOf(d, token) === null);

/** The first empty level, null if all are filled. */
export function next(d: Draft): number | null {
  const at = d.rows.findIndex((_, i) => !filled(d, i + 1));
  return at < 0 ? null : at + 1;
}

/** Levels from 1 down to the first empty one; what counts. */
export const depth = (d: Draft): number => (next(d) ?? rules.levels + 1) - 1;

/** The empty level with something below it. */
export function gap(d: Draft): number | null {
  const empty = next(d);
  return empty !== null && d.rows.some((_, i) => i + 1 > empty && filled(d, i + 1)) ? empty : null;
}

/** A level below the first empty one that holds nothing itself. */
export const closed = (d: Draft, level: number): boolean =>
  !filled(d, level) && level > (next(d) ?? rules.levels);

/** Where a tapped token goes. */
export const target = (d: Draft): number | null => d.aim ?? next(d);

export const speed = (d: Draft, level: number): number =>
  row(d, level).tokens.reduce((sum, token) => sum + token, 0) +
  (d.clownfish === level ? rules.clownfish_air : 0);

/** Levels the plan goes down, the anglerfish's included. */
export const reach = (d: Draft): number => depth(d) + (d.anglerfish !== null ? 1 : 0);

/** Why one cannot be ready. */
export function problem(d: Draft): Problem | null {
  if (d.plain) return next(d) === null ? null : 'faces';
  if (gap(d) !== null) return 'gap';
  return depth(d) === 0 ? 'empty' : null;
}

/* ---- moving ---- */

/** Tiles fall off where they may not lie, empty levels forget their face. */
function settle(d: Draft): Draft {
  const rows = d.rows.map((r) =>
    d.plain || r.tokens.length > 0 || !r.shark ? r : { ...r, shark: false },
  );
  const settled = { ...d, rows };
  const full = next(settled) === null;
  return {
    ...settled,
    clownfish: d.clownfish !== null && filled(settled, d.clownfish) ? d.clownfish : null,
    anglerfish: full ? d.anglerfish : null,
    aim: d.aim !== null && filled(settled, d.aim) ? d.aim : null,
  };
}

const without = (d: Draft, token: number): Row[] =>
  d.rows.map((r) =>
    r.tokens.includes(token) ? { ...r, tokens: r.tokens.filter((x) => x !== token) } : r,
  );

/** Picks up a token or the clownfish, from the tray or from its level; what was held stays where it lies. */
export const pick = (d: Draft, what: number | 'clownfish'): Draft => ({
  ...d,
  held: d.held === what ? null : what,
});

export const drop = (d: Draft): Draft =>
  d.held === null && d.aim === null ? d : { ...d, held: null, aim: null };

/** Puts a token on a level; a closed level leaves everything as it is. */
export function place(d: Draft, token: number, level: number): Draft {
  const rows = without(d, token);
  const lifted = { ...d, rows };
  if (closed(lifted, level) && closed(d, level)) return d;
  rows[level - 1] = {
    ...(rows[level - 1] ?? bare()),
    tokens: [...(rows[level - 1]?.tokens ?? []), token].sort((a, b) => a - b),
  };
  return settle({ ...lifted, held: null, aim: null });
}

/** Puts what is held on a level. */
export function put(d: Draft, level: number): Draft {
  if (d.held === null) return d;
  if (d.held !== 'clownfish') return place(d, d.held, level);
  return filled(d, level) ? { ...d, clownfish: level, held: null } : d;
}

/** A tap on a token of the tray: it goes to the level that is next. */
export function tap(d: Draft, token: number): Draft {
  const level = target(d);
  return level === null ? pick(d, token) : place(d, token, level);
}

/** A token goes back to the tray. */
export const back = (d: Draft, token: number): Draft =>
  settle({ ...d, rows: without(d, token), held: d.held === token ? null : d.held });

/** The level's last token goes back; without a level, the deepest. */
export function backFrom(d: Draft, level: number | null): Draft {
  if (d.held !== null) return typeof d.held === 'number' ? back(d, d.held) : drop(d);
  const from =
    level !== null && filled(d, level)
      ? level
      : d.rows.reduce((deepest, _, i) => (filled(d, i + 1) ? i + 1 : deepest), 0);
  if (d.plain)
    return from === 0 ? d : withRow(d, from, { ...row(d, from), said: false, shark: false });
  const last = row(d, from).tokens.at(-1);
  return last === undefined ? d : back(d, last);
}

const withRow = (d: Draft, level: number, to: Row): Draft => ({
  ...d,
  rows: d.rows.map((r, i) => (i + 1 === level ? to : r)),
});

/** Says what is on a level. The sixth is the anglerfish's. */
export function face(d: Draft, level: number, shark: boolean): Draft {
  if (level === rules.levels + 1) return d.anglerfish === null ? d : { ...d, anglerfish: shark };
  if (!d.plain && !filled(d, level)) return d;
  return withRow(d, level, { ...row(d, level), shark, said: d.plain });
}

export const flip = (d: Draft, level: number): Draft =>
  face(
    d,
    level,
    !(level === rules.levels + 1 ? d.anglerfish === true : row(d, level).shark && filled(d, level)),
  );

/** The next tapped token shall go here, onto a level that holds something; again: no more. */
export const aim = (d: Draft, level: number): Draft =>
  d.plain || !filled(d, level) ? d : { ...d, aim: d.aim === level ? null : level };

export const takeClownfish = (d: Draft): Draft => ({
  ...d,
  clownfish: null,
  held: d.held === 'clownfish' ? null : d.held,
});

/** Lays the anglerfish below five filled levels, or takes it up again. */
export const anglerfish = (d: Draft, laid: boolean): Draft => ({
  ...d,
  anglerfish: laid && next(d) === null && !d.plain ? (d.anglerfish ?? false) : null,
});

/* ---- the wire ---- */

/** What the server is told: the levels above the first gap, which is also what counts when the phase is stopped. */
export function sent(d: Draft): { do: 'program' } & Program {
  const n = depth(d);
  const levels = d.rows
    .slice(0, n)
    .map((r): Level => (d.plain ? { shark: r.shark } : { tokens: [...r.tokens], shark: r.shark }));
  return {
    do: 'program',
    levels,
    ...(d.clownfish !== null && d.clownfish <= n ? { clownfish: d.clownfish } : {}),
    ...(d.anglerfish !== null && n === rules.levels ? { anglerfish: { shark: d.anglerfish } } : {}),
  };
}

/** Would the server be told the same? */
export const same = (a: Draft, b: Draft): boolean =>
  JSON.stringify(sent(a)) === JSON.stringify(sent(b));
