// Which bots may take a seat: the server lists a game's bots weakest first, the game says which of them fit where.
import type { GameInfo, JsonObject } from '../net/types';
import { gameOf } from './game';

export function botsFor(
  info: GameInfo,
  seat: number,
  seats: number,
  options: JsonObject,
): GameInfo['bots'] {
  const fits = gameOf(info.id).tile.seat?.(seat, seats, options).bots;
  return info.bots.filter((b) => fits?.(b.id) ?? true);
}

/** The one in the middle is a fair opponent, and a fair partner. */
export function fairBot(info: GameInfo, seat: number, seats: number, options: JsonObject): string {
  const bots = botsFor(info, seat, seats, options);
  return bots[Math.floor(bots.length / 2)]?.id ?? 'random';
}
