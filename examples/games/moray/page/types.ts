// Moray on the wire: what rules/moray_json.c writes.
import type { Action, View } from '$net/types';

/** A hole of the reef. `worth` and `bite`: what the next fish would gain if it filled the hole, or cost if it did not fit. */
export interface Hole {
  room: number;
  total: number;
  fish: string[];
  worth: number;
  bite: number;
}

export interface MorayView extends View {
  phase: 'lay' | 'over';
  active: number | null;
  holes: Hole[];
  pile: number;
  hand_sizes: number[];
  scores: number[];
  bites: number[];
  /** One's own fish. */
  hand?: string[];
  /** All hands: in an open replay only. */
  hands?: string[][];
  result?: { winners: number[]; scores: number[]; bites: number[] };
}

export const lay = (card: number, hole: number): Action => ({ do: 'lay', card, hole });
