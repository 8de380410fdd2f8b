// How seats, bots and codes are called on screen.
import { known, t, tk, tongue } from '../i18n/index.svelte';
import { read, write } from '../model/kept';
import type { GameId, SeatInfo } from '../net/types';

/** The name of a seat: a person's, a bot's by its seat, or its number. */
export function seatName(seats: SeatInfo[], seat: number): string {
  const s = seats[seat];
  if (s?.name) return s.name;
  if (s?.bot) return tk('common.botName.', String(seat));
  return t('common.seat', { n: seat + 1 });
}

const GUESTS = 5;
const isGuest = (v: unknown): v is number => Number.isInteger(v) && (v as number) < GUESTS;

/** A name for somebody who gave none: the same on this device each time. */
export function guestName(): string {
  const fresh = Math.floor(Math.random() * GUESTS);
  const guest = read('guest', fresh, isGuest);
  if (guest === fresh) write('guest', guest);
  return tk('common.guest.', String(guest));
}

/** A message about a bot of a game, or about one that every game has. */
function botText(game: GameId, what: string): string | undefined {
  const key = [`${game}.bot.${what}`, `common.bot.${what}`].find(known);
  return key === undefined ? undefined : tongue.text(key);
}

/** How a bot plays, in a word; a bot we have no word for keeps its id. */
export const botLevel = (game: GameId, bot: string): string => botText(game, bot) ?? bot;

/** How a bot plays, in a sentence. */
export const botAbout = (game: GameId, bot: string): string | undefined =>
  botText(game, `${bot}.about`);

/** "M7K–4QX": codes are read in two halves. */
export const codeText = (code: string): string => `${code.slice(0, 3)}–${code.slice(3)}`;

/** What a person typed or pasted, as a code: signs that no code has are left out. */
export const codeOf = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-HJ-NP-Z2-9]/g, '')
    .slice(0, 6);
