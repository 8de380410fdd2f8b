// What the board shows, without the DOM. The outcome of a move comes from the server's preview: no rule is written here.
import type { GameEvent } from '$net/types';
import type { MorayView } from './types';

export interface Fish {
  kind: string;
  size: number;
}

/** "clownfish:3" as a fish. */
export function fish(text: string): Fish {
  const [kind = '', size = ''] = text.split(':');
  return { kind, size: Number(size) };
}

/** What a fish would do in a hole. */
export interface Outcome {
  total: number;
  /** Points: more for a hole that is full, fewer for a bite. */
  gain: number;
}

export function outcome(before: MorayView, after: MorayView, hole: number, seat: number): Outcome {
  return {
    total: after.holes[hole]?.total ?? 0,
    gain: (after.scores[seat] ?? 0) - (before.scores[seat] ?? 0),
  };
}

/** What happened in a hole at last: points won or lost there, and by whom. */
export function lastIn(events: GameEvent[], hole: number): { seat: number; gain: number } | null {
  for (const e of [...events].reverse()) {
    if (e['hole'] !== hole) continue;
    if (e['event'] === 'filled') return { seat: Number(e['seat']), gain: Number(e['points']) };
    if (e['event'] === 'bitten') return { seat: Number(e['seat']), gain: -Number(e['points']) };
  }
  return null;
}

/** Seats from first to last: winners first, then by score and bites. */
export function ranking(view: MorayView): number[] {
  const won = (seat: number): number => (view.result?.winners.includes(seat) ? 1 : 0);
  return view.scores
    .map((_, seat) => seat)
    .sort(
      (a, b) =>
        won(b) - won(a) ||
        (view.scores[b] ?? 0) - (view.scores[a] ?? 0) ||
        (view.bites[a] ?? 0) - (view.bites[b] ?? 0),
    );
}

/** Cards that are still to be laid: in hands and in the pile. */
export const left = (view: MorayView): number => view.hand_sizes.reduce((n, h) => n + h, view.pile);
