// How far each lesson was followed on this device: one comes back to where one left.
import type { GameId } from '../net/types';
import { read, write } from './kept';

type Steps = Record<GameId, number>;
const isSteps = (v: unknown): v is Steps =>
  typeof v === 'object' && v !== null && Object.values(v).every((n) => Number.isInteger(n));

/** The step that was left; 0: none, or it was finished. */
export const leftAt = (game: GameId): number => read<Steps>('lessons', {}, isSteps)[game] ?? 0;

/** Keeps it; a lesson that is over begins anew. */
export function keepStep(game: GameId, step: number, steps: number): void {
  const kept = read<Steps>('lessons', {}, isSteps);
  write('lessons', { ...kept, [game]: step >= steps - 1 ? 0 : step });
}
