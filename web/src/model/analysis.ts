// An analysed game as screens show it: which step a decision belongs to, and the curve of a seat's chance.
import type { Analysis, Decision } from '../engine/analysis';
export type { Analysis, Candidate, Decision, SeatAnalysis } from '../engine/analysis';
import type { Json, JsonObject, ReplayStep } from '../net/types';

/** Is this step of a replay the one that a line of the record led to? */
function leads(line: JsonObject, step: ReplayStep | undefined): boolean {
  if (step === undefined || step.t !== line['t'] || step.seat !== (line['seat'] ?? null))
    return false;
  const action = Object.entries((step.action ?? {}) as Record<string, Json>);
  return action.every(([key, value]) => JSON.stringify(line[key]) === JSON.stringify(value));
}

/**
 * For every move of a record the step that its viewer was at afterwards; [0]: the deal. Viewers do not notice every move, so there
 * may be fewer steps than moves.
 */
export function stepsOfMoves(record: string, steps: readonly ReplayStep[]): number[] {
  const lines = record.trimEnd().split('\n').slice(1, -1);
  let at = 0;
  return [0, ...lines.map((l) => (leads(JSON.parse(l) as JsonObject, steps[at + 1]) ? ++at : at))];
}

/** A decision, and the step at which it was to be made: what the viewer saw before it. */
export interface Placed {
  at: number;
  decision: Decision;
}

/** The decisions of a seat, or of all (null), by the steps of a viewer. */
export const placed = (
  { decisions }: Analysis,
  moves: readonly number[],
  seat: number | null,
): Placed[] =>
  decisions
    .filter((d) => seat === null || d.seat === seat)
    .map((decision) => ({ at: moves[decision.step - 1] ?? 0, decision }));

/** The decision that was to be made at a step. */
export const decisionAt = (all: readonly Placed[], at: number): Decision | null =>
  all.find((p) => p.at === at)?.decision ?? null;

/** The nearest decision in a direction that passes a test; undefined: there is none. */
export function nextDecision(
  all: readonly Placed[],
  at: number,
  by: 1 | -1,
  wanted: (d: Decision) => boolean = () => true,
): Placed | undefined {
  const fit = all.filter((p) => (p.at - at) * by > 0 && wanted(p.decision));
  return by > 0 ? fit[0] : fit.at(-1);
}

export const isMarked = (d: Decision): boolean => d.mark !== '';

/** A part of a curve, in steps and chances: what a choice lost, what others and chance did, or nothing of both. */
export interface Stretch {
  what: 'level' | 'lost' | 'luck';
  from: [at: number, chance: number];
  to: [at: number, chance: number];
}

/** How much of a step's width a choice takes. */
export const CHOICE = 0.8;

/** The curve of a seat, from its first decision to its result at the last step. */
export function curve(
  analysis: Analysis,
  all: readonly Placed[],
  seat: number,
  last: number,
): Stretch[] {
  const own = all.filter((p) => p.decision.seat === seat);
  const result = analysis.seats.find((s) => s.seat === seat)?.result ?? 0;
  return own.flatMap(({ at, decision: d }, i) => {
    const after = d.best_value - d.lost;
    const next = own[i + 1];
    const end = Math.min(at + CHOICE, next?.at ?? last);
    return [
      { what: d.lost > 0 ? 'lost' : 'level', from: [at, d.best_value], to: [end, after] },
      {
        what: 'luck',
        from: [end, after],
        to: [next?.at ?? last, next?.decision.best_value ?? result],
      },
    ] as Stretch[];
  });
}

/** A share in whole per cent, as points of chance. */
export const points = (share: number): number => Math.round(100 * share) || 0;

/** "+14", "−6", "0" */
export const signedPoints = (share: number): string => {
  const n = points(share);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '0';
};

/** Are two actions the same? */
export const sameAction = (a: object, b: object): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

/** The best candidates, and what was played if it is not among them. */
export function foremost(d: Decision, n: number): Decision['candidates'] {
  const best = d.candidates.slice(0, n);
  if (best.some((c) => sameAction(c.action, d.played))) return best;
  return [...best.slice(0, n - 1), ...d.candidates.filter((c) => sameAction(c.action, d.played))];
}

/** Which sentences the end of a game deserves: what the seat's choices cost, and what came of the rest. `alone`: it had one rival, so
    the rest is luck. */
export function summary(
  { lost, luck }: { lost: number; luck: number },
  alone: boolean,
): { lost: 'none' | 'little' | 'lost'; luck: 'even' | 'lucky' | 'unlucky' | 'given' | 'taken' } {
  const by = points(luck);
  return {
    lost: lost === 0 ? 'none' : points(lost) === 0 ? 'little' : 'lost',
    luck: by === 0 ? 'even' : by > 0 ? (alone ? 'lucky' : 'given') : alone ? 'unlucky' : 'taken',
  };
}
