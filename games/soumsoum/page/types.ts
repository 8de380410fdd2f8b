// Soum Soum on the wire; see docs/protocol.md and, for cards as text, docs/decks.md.
import type { Table } from '$model/table.svelte';
import type { GameEvent, View } from '$net/types';

/** Row and column, 0–4 from the top left. */
export type At = [number, number];

export interface Token {
  at: At;
  seat: number;
  worth: number;
}

export interface SoumView extends View {
  phase: 'place' | 'diver' | 'take' | 'over';
  active: number | null;
  /** Five rows of five: nothing, "sub" or a card. */
  board: (string | null)[][];
  tokens: Token[];
  tokens_left: number[];
  pile: number;
  /** The open cards; null without that variant. */
  market: string[] | null;
  scores: number[];
  hand?: string[];
  /** All hands: in an open replay only. */
  hands?: string[][];
  result?: { winners: number[]; scores: number[] };
  legal?: Do[];
}

export type Do =
  | { do: 'place'; card: number; at: At }
  | { do: 'diver'; at: At }
  | { do: 'pass' }
  | { do: 'take'; market: number };

export type SoumTable = Table<SoumView, GameEvent, Do>;
