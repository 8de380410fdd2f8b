// The next game at the same table: the new table has the same seats and tokens, and this device keeps them.
import { mine } from './mine.svelte';
import type { Room } from './room.svelte';
import { route } from './route.svelte';

export function follow(room: Room, table: string): void {
  const old = room.mine;
  if (old && (old.host || old.seats.length > 0) && !mine.get(table)) {
    const { code: _, at: __, over: ___, ...same } = old;
    mine.put({ ...same, table });
  }
  route.go(`/${room.screen ? 'screen' : 'table'}/${table}`);
}
