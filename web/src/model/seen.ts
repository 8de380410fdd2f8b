// How far this browser has followed each seat: after a reload the server tells what was missed, and tells it once.
import { read, write } from './kept';

type Seen = Record<string, number>;
const KEEP = 60;
const isSeen = (v: unknown): v is Seen =>
  typeof v === 'object' &&
  v !== null &&
  !Array.isArray(v) &&
  Object.values(v).every((n) => Number.isSafeInteger(n));

/** The last `seq` that a seat's stream was told here; undefined: it was never open here. */
export const lastSeen = (table: string, seat: number): number | undefined =>
  read<Seen>('seen', {}, isSeen)[`${table}.${seat}`];

export function keepSeen(table: string, seat: number, seq: number): void {
  const key = `${table}.${seat}`;
  const { [key]: _, ...others } = read<Seen>('seen', {}, isSeen);
  write('seen', { ...Object.fromEntries(Object.entries(others).slice(1 - KEEP)), [key]: seq });
}
