// Who analyses a game: this device, or the server of its table where the device would take too long.
import type { Analysis, Budget } from '../engine/analysis';
import { api } from '../net/api';
import { part } from '../net/busy.svelte';
import { isLocal } from '../net/local';
import { isStatic } from '../net/static';

export type By = 'device' | 'server';

/** A device that would take longer for a quick look asks the server. */
export const PATIENCE_MS = 12_000;
/** So many decisions are measured first: the very first may have loaded something. */
const MEASURED = 3;

/** How long it takes in all, by what was weighed so far; null: that is too little to tell. */
export const projected = (ms: number, weighed: number, of: number): number | null =>
  weighed < MEASURED ? null : (ms / weighed) * of;

export interface Wish {
  table: string;
  record: string;
  /** Only its decisions; null: everybody's. */
  seat: number | null;
  budget: Budget;
  /** What its stack was looked through, if it has one. */
  water: string | null;
  progress?(weighed: number, of: number): void;
  /** Told when somebody else goes on with it. */
  by?(who: By): void;
  signal: AbortSignal;
}

class TooSlow extends Error {}

/** Only tables of a server are known there, and it takes only quick looks. */
const mayAsk = ({ table, budget }: Wish): boolean =>
  budget === 'quick' && !isLocal(table) && !isStatic;

async function here(wish: Wish, patience: number): Promise<Analysis | null> {
  const { record, seat, budget, water, signal } = wish;
  const { analyse } = await part(() => import('../engine/analysis-link'));
  const slow = new AbortController();
  let begun = 0;
  const progress = (weighed: number, of: number): void => {
    if (weighed === 0) begun = performance.now();
    if ((projected(performance.now() - begun, weighed, of) ?? 0) > patience)
      slow.abort(new TooSlow());
    wish.progress?.(weighed, of);
  };
  const stop = (): void => slow.abort(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    return await analyse({ record, seat, budget, water, progress, signal: slow.signal });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The analysis of a game; null: games of its kind are not analysed. Rejects with the signal's reason if it is stopped. */
export async function analyse(wish: Wish): Promise<Analysis | null> {
  if (!mayAsk(wish)) return here(wish, Infinity);
  try {
    return await here(wish, PATIENCE_MS);
  } catch (e) {
    if (!(e instanceof TooSlow)) throw e;
  }
  try {
    wish.by?.('server');
    return await api.analysis(wish.table, wish.seat, wish.signal);
  } catch {
    wish.signal.throwIfAborted();
    wish.by?.('device'); // it is busy, or gone: then it takes as long as it takes
    return here(wish, Infinity);
  }
}
