// A finished game that goes on from one of its moves.
import { api } from '../net/api';
import type { TableInfo } from '../net/types';
import { game } from './begin';
import { fairBot } from './bots';
import { write } from './kept';
import { mine } from './mine.svelte';

/** The table of this device at which a recorded game goes on after so many of its moves. Bots sit in the other seats: those that sat
    there, or fair ones. `anew`: what the seat did not know is dealt anew. `part`: the record ends before the game does. */
export async function takeUp(
  { game: id, options, seats }: Pick<TableInfo, 'game' | 'options' | 'seats'>,
  record: string,
  moves: number,
  seat: number,
  name: string,
  anew: boolean,
  part = false,
): Promise<string> {
  const info = await game(id);
  const bots = seats.map(({ bot }, s) =>
    bot !== null && info.bots.some((b) => b.id === bot)
      ? bot
      : fairBot(info, s, seats.length, options),
  );
  const { table, host, token } = await api.takeUp({ record, moves, seat, name, bots, anew, part });
  mine.put({ table, game: id, host, seats: [{ seat, token, name }] });
  write('device', true);
  return table;
}
