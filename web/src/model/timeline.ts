// A replay cut into rounds: a game with rounds has them in its view, in others whoever is asked changes.
import type { ReplayStep } from '../net/types';

export interface Round {
  /** Counted from 1. */
  n: number;
  from: number;
  /** The step after its last one. */
  to: number;
}

function roundKey(step: ReplayStep): string {
  const view = step.view as { round?: number; active?: number | null };
  return view.round !== undefined ? `r${view.round}` : `a${view.active ?? ''}`;
}

export function rounds(steps: ReplayStep[]): Round[] {
  const found: Round[] = [];
  let key: string | undefined;
  steps.forEach((step, i) => {
    const now = roundKey(step);
    const last = found[found.length - 1];
    if (now === key && last) last.to = i + 1;
    else found.push({ n: found.length + 1, from: i, to: i + 1 });
    key = now;
  });
  return found;
}

/** Rounds are counted by the game itself; turns are not. */
export const hasRounds = (steps: ReplayStep[]): boolean => steps.some((s) => 'round' in s.view);

/** The step that another viewer was at when `t` ms had passed. */
export function stepAt(steps: ReplayStep[], t: number): number {
  let at = 0;
  for (let i = 0; i < steps.length && (steps[i]?.t ?? Infinity) <= t; i++) at = i;
  return at;
}

/** "9:56" */
export const clock = (t: number): string =>
  `${Math.floor(t / 60000)}:${String(Math.floor(t / 1000) % 60).padStart(2, '0')}`;
