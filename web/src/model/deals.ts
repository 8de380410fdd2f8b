// What this device saw and added before each deal, kept to be held against what the server says after the game.
import type { TableInfo } from '../net/types';
import { read, write } from './kept';

export interface KeptDeal {
  table: string;
  /** The seal and the hash of the deck, as they were first shown here. */
  commitment: string;
  deck: string;
  /** By seat: the chance that this device added to the deal. */
  chance: Record<string, string>;
}

const KEEP = 60;
const isDeal = (v: unknown): v is KeptDeal => {
  const d = v as Partial<KeptDeal> | null;
  return (
    typeof d?.table === 'string' &&
    typeof d.commitment === 'string' &&
    typeof d.deck === 'string' &&
    typeof d.chance === 'object' &&
    d.chance !== null
  );
};
const isList = (v: unknown): v is KeptDeal[] => Array.isArray(v) && v.every(isDeal);

/** Newest first; the oldest are dropped. Other tabs write here, too: it is read each time. */
const all = (): KeptDeal[] => read('deals', [], isList);

export const keptDeal = (table: string): KeptDeal | undefined =>
  all().find((d) => d.table === table);

function put(deal: KeptDeal): void {
  write('deals', [deal, ...all().filter((d) => d.table !== deal.table)].slice(0, KEEP));
}

/** The seal that a table shows, before this device adds anything. What was seen first counts. */
export function keepSeal(info: TableInfo): void {
  if (keptDeal(info.table) === undefined)
    put({ table: info.table, commitment: info.commitment, deck: info.deck.hash, chance: {} });
}

export function keepChance(table: string, seat: number, chance: string): void {
  const deal = keptDeal(table);
  if (deal) put({ ...deal, chance: { ...deal.chance, [seat]: chance } });
}

/** It is not in the deal: the seat was left, or it came too late. */
export function dropChance(table: string, seat: number): void {
  const deal = keptDeal(table);
  if (deal)
    put({
      ...deal,
      chance: Object.fromEntries(Object.entries(deal.chance).filter(([s]) => s !== String(seat))),
    });
}
