// What the lesson needs of Dive: its few pictures, and when two programs are the same.
import sheets from './generated/sheets.json';
import type { DiveAction } from './types';

const files = import.meta.glob<string>('./generated/*.webp', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The name of the tilt's picture that is nearest: files are called look_14_-28. */
export function nearestLook(names: string[], tilt: readonly [number, number]): string | null {
  let best: string | null = null;
  let least = Infinity;
  for (const name of names) {
    const [, x, y] = /look_(-?[\d.]+)_(-?[\d.]+)\.webp/.exec(name) ?? [];
    if (x === undefined || y === undefined) continue;
    const far = Math.hypot(tilt[0] - Number(x), tilt[1] - Number(y));
    if (far < least) [best, least] = [name, far];
  }
  return best;
}

export const pictures = {
  look: (tilt: readonly [number, number]): string =>
    files[nearestLook(Object.keys(files), tilt) ?? ''] ?? '',
  sheet: (level: number): string => files[`./generated/sheet_${level}.webp`] ?? '',
  creatures: (level: number) => sheets[level - 1]?.creatures ?? [],
};

/** Levels without a token at the end of a program say nothing. */
export function plain(action: DiveAction): DiveAction {
  if (action.do !== 'program') return action;
  let n = action.levels.length;
  while (n > 0 && action.levels[n - 1]?.tokens?.length === 0) n--;
  return { ...action, levels: action.levels.slice(0, n) };
}
