// What lies in a stack is told to whoever draws it, and to nobody else: the page only learns what it is called.
import { refuse } from './refuse';
import type { World } from './table';
import type { Engine, Opened } from './wasm';

/** What pictures are asked for with: everybody at this device may look. */
export const VISIT = 'here';

/** Tells who draws a round of this match, and answers what to call its stack. */
export function showStack(
  world: World,
  engine: Engine,
  table: string,
  opened: Opened,
  round: number,
): { stack: string } {
  const what = engine.stack(round);
  if (what.left === 0 && what.turned === 0) refuse('gone', 'this round is not to be seen');
  const waters = engine.games().find((g) => g.id === opened.game)?.waters ?? [];
  const water = waters.findIndex((w) => w.id === opened.water);
  const stack = `${table} ${round} ${what.left} ${what.turned} ${what.cover?.join() ?? ''}`;
  world.show?.({ stack, what: { ...what, water } });
  return { stack };
}
