// The analysed decisions of Soum Soum: choices in words, and the chances of places as the board shows them.
import { t } from '$i18n/index.svelte';
import { points, sameAction } from '$model/analysis';
import type { OptionWords, StudyWords } from '$model/game';
import type { Studied } from '$model/table.svelte';
import { art } from './art';
import Knew from './Knew.svelte';
import { type Card, card, type Place, placeOf } from './model';
import type { At, Do, SoumView } from './types';
import { cap, condition, placeText, shows } from './words';

/** A card of a hand that the viewer sees; null: it is hidden. */
function handCard(view: SoumView, seat: number, i: number): Card | null {
  const text = view.hand?.[i] ?? view.hands?.[seat]?.[i];
  return text === undefined ? null : card(text);
}

const cardWords = (of: Card, where?: string): OptionWords => ({
  text:
    where === undefined
      ? cap(shows(of))
      : t('soumsoum.study.place', { card: cap(shows(of)), where }),
  about: condition(of),
  picture: art(`soum-${of.shows[0]}`),
});

function option(action: Do, view: SoumView, seat: number): OptionWords {
  if (action.do === 'pass') return { text: t('soumsoum.why.none') };
  if (action.do === 'take') {
    const text = view.market?.[action.market];
    return text === undefined ? { text: t('soumsoum.study.take') } : cardWords(card(text));
  }
  const where = placeText(placeOf(action.at));
  if (action.do === 'diver')
    return { text: t('soumsoum.why.there', { where }), picture: art(`diver-pawn-${seat + 1}`) };
  const of = handCard(view, seat, action.card);
  return of === null ? { text: t('soumsoum.study.hidden', { where }) } : cardWords(of, where);
}

/** The chances of a decision where they can be shown on the board. */
export interface Soundings {
  /** In per cent. */
  chances: Map<Place, number>;
  /** The place that is pointed at, and the one that was played. */
  looked: Place | null;
  played: Place | null;
  /** The lowest and the highest. */
  range: [number, number];
}

const at = (action: Do): Place | null => ('at' in action ? placeOf(action.at) : null);

/** Places of the card that was laid, then the best of each other place; of divers what there is. */
function chances({ decision }: Studied<Do>): Map<Place, number> {
  const all = new Map<Place, number>();
  const { places } = decision.knew as { places?: { at: At; value: number }[] };
  for (const c of places ?? []) all.set(placeOf(c.at), points(c.value));
  for (const { action, value } of decision.candidates) {
    const place = at(action as Do);
    if (place !== null && !all.has(place)) all.set(place, points(value));
  }
  const best = at(decision.best as Do);
  if (best !== null) all.set(best, points(decision.best_value));
  return all;
}

export function soundings(study: Studied<Do>): Soundings | null {
  const found = chances(study);
  if (found.size === 0) return null;
  const played = at(study.decision.played as Do);
  const looked = at(study.looked);
  const pointed = study.decision.candidates.find((c) => sameAction(c.action, study.looked));
  if (looked !== null && pointed !== undefined) found.set(looked, points(pointed.value));
  const values = [...found.values()];
  return { chances: found, looked, played, range: [Math.min(...values), Math.max(...values)] };
}

/** Colours of soundings, from the shallowest to the deepest. */
export const COLOURS_SHOWN = [1, 2, 3, 4, 5] as const;

/** How deep a colour a chance has: the deeper the better. */
export function depth(chance: number, [low, high]: [number, number]): number {
  const deepest = COLOURS_SHOWN.length - 1;
  const share = high === low ? 1 / 2 : (chance - low) / (high - low);
  return COLOURS_SHOWN[Math.round(deepest * share)] ?? 1;
}

export const study: StudyWords<SoumView, Do> = { option, Knew };
