// Where the creatures of a revealed sheet lie: the server says so once everybody may know, a lesson brings its own.
import { api } from '$net/api';
import type { Circle } from '$net/types';
import type { DiveTable } from './types';

const known = new Map<string, Promise<readonly Circle[]>>();

/** Of the sheet that was revealed on this level; none where nobody can say. */
export function creaturesOf(
  table: Pick<DiveTable, 'id' | 'pictures'>,
  round: number,
  level: number,
): Promise<readonly Circle[]> {
  if (table.pictures) return Promise.resolve(table.pictures.creatures(level));
  const key = `${table.id} ${round} ${level}`;
  let asked = known.get(key);
  if (asked === undefined) {
    asked = api.creatures(table.id, round, level).catch(() => {
      known.delete(key);
      return [];
    });
    known.set(key, asked);
  }
  return asked;
}
