// A record analysed from its first decision to its last: each is weighed after its stack was looked at, if there is one.
import type { Analyst, Budget } from './analysis';
import type { Ocean } from './ocean';

export interface Wanted {
  record: string;
  /** Only its decisions; null: everybody's. */
  seat: number | null;
  budget: Budget;
  /** What its stack was looked through; null: the usual water, or there is no stack. */
  water: string | null;
}

/** JSON of an Analysis; null: games of this kind are not analysed. `ocean`: is loaded where something has to be looked at. */
export async function analyse(
  analyst: Analyst,
  ocean: () => Promise<Ocean>,
  { record, seat, budget, water }: Wanted,
  progress: (weighed: number, of: number) => void = () => undefined,
): Promise<string | null> {
  const { analysed, decisions, ocean: looks } = analyst.open(record, seat, budget, water);
  if (!analysed) return null;
  const eyes = looks?.stacks.some((s) => s.open) ? await ocean() : null;
  const looked = new Set<number>();
  for (let i = 0; i < decisions; i++) {
    progress(i, decisions);
    const at = looks?.of[i] ?? -1;
    const stack = looks?.stacks[at];
    if (eyes && looks && stack?.open && !looked.has(at))
      analyst.see(at, eyes.scene(looks, stack.left, stack.cover, budget !== 'quick'));
    looked.add(at);
    analyst.weigh(i);
  }
  return analyst.settle();
}
