// Counting cards: what anybody at the table could count from what lies open. The box comes from the server.
import { effectHotels, effectKind, type EffectKind } from './model';
import { rules } from './numbers';
import {
  HOTELS,
  SPECIES,
  type CorpCard,
  type DiverCityView,
  type Hotel,
  type Species,
} from './types';

/** The cards of a species: out of the game, in a hand that lies open here, and unseen, in my own hand or in the pile. */
export interface Copies {
  gone: number;
  inSight: number;
  unseen: number;
}

export function copies(view: DiverCityView): Record<Species, Copies> {
  const all = Object.fromEntries(
    SPECIES.map((s) => [s, { gone: 0, inSight: 0, unseen: 0 }]),
  ) as Record<Species, Copies>;
  for (const s of view.species_discard) all[s].gone++;
  for (const s of view.hands.flat()) if (s !== null) all[s].inSight++;
  for (const c of Object.values(all)) c.unseen = Math.max(0, rules.copies - c.gone - c.inSight);
  return all;
}

/** The corporation cards that may come next: those face down, without what this viewer holds itself. */
function toCome(view: DiverCityView): CorpCard[] {
  const held = (view.industry_hand ?? []).map((card) => card.join());
  return (view.corporation_unseen ?? []).filter((card) => {
    const at = held.indexOf(card.join());
    if (at >= 0) held.splice(at, 1);
    return at < 0;
  });
}

/** The effects of a card that count: with simple corporations only the lower one of two. */
export const effective = (card: CorpCard, simple: boolean): CorpCard =>
  simple ? card.slice(-1) : card;

/** How many cards are face down, and how many effects of each kind are on them. */
export function corporationsLeft(
  view: DiverCityView,
  simple: boolean,
): Record<EffectKind | 'cards', number> {
  const left = { cards: 0, rig: 0, boat: 0, hotels: 0 };
  for (const card of toCome(view)) {
    left.cards++;
    for (const e of effective(card, simple)) left[effectKind(e)]++;
  }
  return left;
}

export interface Risk {
  /** The islands that are left. */
  missing: Hotel[];
  /** Cards face down that build all of them at once. */
  cards: number;
  /** Of how many. */
  of: number;
}

/** How many hotels one corporation card builds at most. */
export function mostHotels(view: DiverCityView): number {
  const cards = [
    ...(view.corporation_unseen ?? []),
    ...view.corporation_discard,
    view.corporation_open ?? [],
  ];
  return Math.max(1, ...cards.map((card) => new Set(card.flatMap(effectHotels)).size));
}

/** The hotels that would lose the game with a single card; null: no card builds so many. */
export function risk(view: DiverCityView, simple: boolean): Risk | null {
  const missing = HOTELS.filter((h) => !view.hotels.includes(h));
  if (missing.length > mostHotels(view)) return null;
  const pool = toCome(view);
  const loses = (card: CorpCard) => {
    const built = effective(card, simple).flatMap(effectHotels);
    return missing.every((h) => built.includes(h));
  };
  return { missing, cards: pool.filter(loses).length, of: pool.length };
}
