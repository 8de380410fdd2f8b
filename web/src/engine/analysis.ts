// The analysis of a record in WebAssembly; the other side is src/wasm/analysis.c. docs/analysis.md says what the figures mean.
import type { Action, GameId } from '../net/types';
import { Instance, type Exports } from './instance';
import type { Deal } from './ocean';

/** How closely it looks, from the quickest to the longest. */
export const budgets = ['quick', 'normal', 'deep'] as const;
export type Budget = (typeof budgets)[number];

export type MarkName = '' | 'slip' | 'mistake' | 'blunder';

/** The totals of a seat. */
export interface SeatAnalysis {
  seat: number;
  name: string;
  decisions: number;
  /** In per cent; null: no decision had a chance left. */
  accuracy: number | null;
  result: number;
  lost: number;
  luck: number;
  /** What sharp eyes would have gained more, where there is something to see and a closer look asked them. */
  eyes?: number;
  slips: number;
  mistakes: number;
  blunders: number;
}

export interface Candidate {
  action: Action;
  value: number;
  se: number;
}

export interface Decision {
  /** The number of the move in the record, from 1. */
  step: number;
  seat: number;
  played: Action;
  value: number;
  best: Action;
  best_value: number;
  lost: number;
  luck: number;
  mark: MarkName;
  exact: boolean;
  /** What was played as sharp eyes would have had it, and what they expect to gain more by that. */
  sharper?: Action;
  eyes?: number;
  /** Best first. */
  candidates: Candidate[];
  /** What the seat knew, as each game says it. */
  knew: object;
}

export interface Analysis {
  game: GameId;
  rules: number;
  budget: Budget;
  seats: SeatAnalysis[];
  decisions: Decision[];
}

/** What has to be looked at before decisions are weighed, where seats looked into a stack. */
export interface Looks extends Deal {
  /** Each state of it that somebody decided at; one that was not open could not be looked at. */
  stacks: { left: number; open: boolean; cover: [number, number] | null }[];
  /** Which of them, for each decision. */
  of: number[];
}

export interface OpenedRecord {
  /** Games of this kind are analysed. */
  analysed: boolean;
  decisions: number;
  ocean: Looks | null;
}

interface AnalysisExports extends Exports {
  open(seat: number, budget: number, n: number): number;
  scene(i: number): number;
  weigh(i: number): void;
  settle(): number;
}

export class Analyst extends Instance<AnalysisExports> {
  /** Opens a record. `seat`: only its decisions; null: everybody's. `water`: what its stack was looked through; null: the usual. */
  open(
    record: string,
    seat: number | null,
    budget: Budget,
    water: string | null = null,
  ): OpenedRecord {
    this.write(water ?? '', 1);
    const n = this.write(record);
    const answer = this.said(this.x.open(seat ?? -1, budgets.indexOf(budget), n));
    return JSON.parse(answer) as OpenedRecord;
  }

  /** What the ocean's eyes made of a stack. */
  see(i: number, scene: Uint8Array): void {
    this.bytes(this.x.scene(i), scene.length).set(scene);
  }

  weigh(i: number): void {
    this.x.weigh(i);
  }

  /** When every decision was weighed: JSON of an Analysis, as `fathom analyse --json` prints it. */
  settle(): string {
    return this.said(this.x.settle());
  }
}
