// Dive's words of the wire, as text/protocol.md lists them.
import type { View } from '$net/types';

import type { Table } from '$model/table.svelte';

export const companions = [
  'octopus',
  'orca',
  'anglerfish',
  'green-turtle',
  'clownfish',
  'dolphins',
  'great-white',
  'axolotl',
  'fugu',
  'narwhal',
] as const;
export type Companion = (typeof companions)[number];
export type Helper = 'green' | 'red' | 'manta';
export type Sheet = 'empty' | 'shark' | Helper | `shark+${Helper}`;
/** A seat, or the village chief. */
export type Who = number | 'chief';

/** A level of a program. In the children's version it has a face and no tokens. */
export interface Level {
  tokens?: number[];
  shark: boolean;
}

export type Program = {
  levels: Level[];
  clownfish?: number;
  anglerfish?: { shark: boolean };
};

export type Announced = {
  seat: number;
  companion: Companion;
  target?: number;
  x?: number;
  y?: number;
};

export interface Move {
  seat: Who;
  why: Helper | 'dolphins' | 'rest' | 'axolotl';
  level?: number;
  from: number;
  to: number;
}

export interface ChiefCard {
  speeds: number[];
  yellow: number[];
  bubbles: number[];
}

/** The last dive, which everybody saw. */
export interface Dive {
  round: number;
  cards: Sheet[];
  turns: number[];
  programs: Program[];
  /** For each seat, level by level as far as it was judged. */
  right: boolean[][];
  chief: ChiefCard | null;
  moves: Move[];
}

export interface DiveResult {
  winners: Who[];
  draw: boolean;
  shared: boolean;
}

export interface DiveView extends View {
  game: 'dive';
  phase: 'setup' | 'program' | 'axolotl' | 'over';
  round: number;
  pawns: number[];
  chief: number | null;
  stack: number;
  ready: boolean[];
  companions: (Companion | null)[];
  announced: Announced[];
  breathed: boolean[] | null;
  /** ms since the start, or null. */
  deadline: number | null;
  children: boolean;
  flashlight: boolean;
  dive?: Dive;
  /** A seat's own board, and the companion it has asked for. */
  program?: Program;
  choice?: Companion | null;
  /** Of a whole state, in a replay with everything open. */
  programs?: Program[];
  result?: DiveResult;
  legal?: DiveAction[];
}

export type DiveAction =
  | { do: 'choose'; companion: Companion }
  | ({ do: 'program' } & Program)
  | { do: 'ready' }
  | { do: 'unready' }
  | { do: 'breathe' }
  | { do: 'use'; companion: Companion; target?: number; x?: number; y?: number }
  | { do: 'axolotl'; use: boolean };

/** What happened; see the table of events. */
export type DiveEvent =
  | { event: 'chose' | 'companion' | 'choose-again' | 'left'; seat: number; companion: Companion }
  | { event: 'round'; round: number }
  | ({ event: 'programmed' | 'shown'; seat: number } & Program)
  | { event: 'ready' | 'unready' | 'breathed' | 'asked' | 'declined'; seat: number }
  | ({ event: 'used' } & Announced)
  | { event: 'stopped'; why: 'clock' | 'orca' }
  | { event: 'chief-card'; seat: 'chief'; speeds: number[]; yellow: number[] }
  | { event: 'bubble'; seat: 'chief'; level: number }
  | { event: 'card'; level: number; card: Sheet; turn: number }
  | { event: 'right'; seat: number; level: number; speed: number }
  | { event: 'wrong'; seat: number; level: number; keeps: number }
  | { event: 'helped'; seat: Who; level: number; helper: Helper; from: number; to: number }
  | { event: 'no-card'; seat: Who; level: number }
  | { event: 'held'; seat: number; by: number }
  | { event: 'moved'; seat: Who; why: 'dolphins' | 'rest' | 'axolotl'; from: number; to: number }
  | {
      event: 'ended';
      winners: Who[];
      draw: boolean;
      shared: boolean;
      reason: 'stone' | 'empty-stack';
    };

export const hasShark = (sheet: Sheet): boolean => sheet.startsWith('shark');
export const helperOf = (sheet: Sheet): Helper | null => {
  const word = sheet.replace(/^shark\+?/, '');
  return word === '' || word === 'empty' ? null : (word as Helper);
};

export type DiveTable = Table<DiveView, DiveEvent, DiveAction>;
