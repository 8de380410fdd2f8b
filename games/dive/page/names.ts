// Names of the divers of a table.
import type { DiveTable } from './types';
import { seatName } from '$ui/names';
import type { NameOf } from '$model/game';

export const nameOf =
  (table: Pick<DiveTable, 'seats'>): NameOf =>
  (seat) =>
    seatName(table.seats, seat);
