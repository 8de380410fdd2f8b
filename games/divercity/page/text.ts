// Words of the wire in the player's language.
import { list, t, tk } from '$i18n/index.svelte';
import { effectHotels, effectKind } from './model';
import type { CorpCard, Diver, Effect, Hotel, Species, Zone } from './types';

export const capital = (text: string): string =>
  text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
/** Without the soft hyphens of narrow places: in sentences and labels they would break a word. */
export const whole = (text: string): string => text.replaceAll('\u00ad', '');
export const speciesName = (species: Species): string => whole(hyphenated(species));
/** Where there is little room, and nothing reads it aloud. */
export const hyphenated = (species: Species): string => tk('divercity.species.', species);
/** "an eel". */
export const aSpecies = (species: Species): string => tk('divercity.a.', species);
export const zoneName = (zone: Zone): string => whole(tk('divercity.zone.', zone));
/** "in green", "saved". */
export const inZone = (zone: Zone): string => tk('divercity.in.', zone);
export const hotelName = (hotel: Hotel): string => tk('divercity.hotel.', hotel);
/** "the red hotel". */
export const theHotel = (hotel: Hotel): string => tk('divercity.the.', hotel);
export const colourName = (hotel: Hotel): string => tk('divercity.colour.', hotel);
/** The same where there is little room: they break at their soft hyphens, and nothing reads them aloud. */
export const zoneWord = (zone: Zone): string => tk('divercity.zone.', zone);
export const diverWord = (diver: Diver): string => tk('divercity.diver.', diver);
export const diverName = (diver: Diver): string => whole(tk('divercity.diver.', diver));
/** What a diver card does; against an industrialist the visionary does something else. */
export const diverText = (diver: Diver, industry: boolean): string =>
  diver === 'visionary' && industry
    ? t('divercity.does.visionary.industry')
    : tk('divercity.does.', diver);
export const signName = (sign: number): string => tk('divercity.sign.', String(sign));

export function effectText(effect: Effect): string {
  const kind = effectKind(effect);
  if (kind === 'hotels')
    return t('divercity.effect.hotels.of', { hotels: list(effectHotels(effect).map(colourName)) });
  return tk('divercity.effect.', kind);
}

export const corpText = (card: CorpCard): string => list(card.map(effectText));
