// How seats are called on screen.
import { t, tk } from '../i18n/index.svelte';
import type { SeatInfo } from '../net/types';

/** The name of a seat: a person's, a bot's, or its number. */
export function seatName(seats: SeatInfo[], seat: number): string {
  const s = seats[seat];
  if (s?.name) return s.name;
  if (s?.bot) return tk('common.bot.', s.bot);
  return t('common.seat', { n: seat + 1 });
}
