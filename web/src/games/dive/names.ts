// Names of the divers of a table.
import type { Table } from '../../model/table.svelte';
import { seatName } from '../../ui/names';
import type { NameOf } from '../module';

export const nameOf = (table: Pick<Table, 'seats'>): NameOf => (seat) => seatName(table.seats, seat);
