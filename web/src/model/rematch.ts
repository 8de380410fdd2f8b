// The next game with the same people: at the same table, or, against bots, a harder one.
import { api } from '../net/api';
import type { JsonObject } from '../net/types';
import { botLevel, seatName } from '../ui/names';
import { addChance, playWithBots } from './begin';
import { botsFor } from './bots';
import { gameOf } from './game';
import { mine } from './mine.svelte';
import type { Room } from './room.svelte';
import { route } from './route.svelte';

/** The new table has the same seats and tokens: this device keeps them. */
export function keep(room: Room, table: string): void {
  const old = room.mine;
  if (old && (old.host || old.seats.length > 0) && !mine.get(table)) {
    const { code: _, at: __, over: ___, ...same } = old;
    mine.put({ ...same, table });
  }
}

export function follow(room: Room, table: string): void {
  keep(room, table);
  route.go(`/${room.screen ? 'screen' : 'table'}/${table}`);
}

/** Everybody else is a bot: nobody has to be waited for. */
export const againstBots = (room: Room): boolean =>
  room.host !== undefined &&
  room.seats.every((s) => s.bot !== null || room.mine?.seats.some((m) => m.seat === s.seat));

/** Another game at the same table. Against bots it begins at once. */
export async function again(room: Room, right: string): Promise<void> {
  const table = await api.rematch(room.id, right);
  keep(room, table);
  if (againstBots(room)) {
    const info = await api.table(table);
    if (info.state === 'waiting') {
      await addChance(info);
      await api.start(table, room.host as string);
    }
  }
  follow(room, table);
}

/** A harder game against bots, for somebody who has won this one. */
export interface Harder {
  name: string;
  begin(): Promise<string>;
}

export function harder(room: Room): Harder | null {
  const own = room.mine?.seats ?? [];
  const [me] = own;
  if (me === undefined || own.length > 1 || !againstBots(room)) return null;
  const { deck: _, ...options } = room.info.options as JsonObject;
  const begin = (chosen: JsonObject, bot: (seat: number) => string): Promise<string> =>
    playWithBots(
      room.info.game,
      chosen,
      seatName(room.seats, me.seat),
      me.seat,
      bot,
      room.info.water,
    );
  const same = (seat: number): string => room.seats[seat]?.bot ?? room.fairBot(seat);

  const next = room.module.harder?.(options, room.game);
  if (next) return { name: next.name, begin: () => begin(next.options, same) };
  if (gameOf(room.info.game).tile.together) return null;
  const stronger = (seat: number): string => {
    const bots = botsFor(room.game, seat, room.seats.length, room.info.options);
    const at = bots.findIndex((b) => b.id === same(seat));
    return bots[at + 1]?.id ?? same(seat);
  };
  const others = room.seats.filter((s) => s.seat !== me.seat).map((s) => s.seat);
  const level = others.find((s) => stronger(s) !== same(s));
  if (level === undefined) return null;
  return {
    name: botLevel(room.info.game, stronger(level)),
    begin: () => begin(options, stronger),
  };
}
