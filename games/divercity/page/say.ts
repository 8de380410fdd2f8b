// Events as sentences. What was told about somebody's own cards is never repeated: remembering is part of the game.
import { list, t, tn } from '$i18n/index.svelte';
import type { NameOf } from '$model/game';
import { aSpecies, capital, corpText, diverName, speciesName, theHotel, zoneName } from './text';
import { SPECIES, type DiverCityEvent, type DiverCityView } from './types';

export function say(e: DiverCityEvent, name: NameOf): string | null {
  const who =
    e.hand !== undefined
      ? t('divercity.hand', { n: e.hand + 1 })
      : e.seat !== undefined
        ? name(e.seat)
        : '';
  const to = (target: number) =>
    e.hand !== undefined ? t('divercity.hand', { n: target + 1 }) : name(target);
  switch (e.event) {
    case 'took':
      return t('divercity.say.took', { who, diver: diverName(e.diver) });
    case 'passed':
      return t('divercity.say.passed', { who });
    case 'begins':
      return t('divercity.say.begins', { who });
    case 'turn':
      return t('divercity.say.turn', { who });
    case 'corporation':
      return e.seat === undefined
        ? t('divercity.say.corporation', { card: corpText(e.card) })
        : t('divercity.say.industry', { who, card: corpText(e.card) });
    case 'rig':
      return t('divercity.say.rig', { who, n: e.card + 1, species: speciesName(e.species) });
    case 'boat':
      return t('divercity.say.boat', { species: speciesName(e.species) });
    case 'moved':
      return t('divercity.moved', {
        species: capital(speciesName(e.species)),
        from: zoneName(e.from),
        to: zoneName(e.to),
      });
    case 'built':
      return t('divercity.say.built', { hotel: capital(theHotel(e.hotel)) });
    case 'unbuilt':
      return t('divercity.use.island', { hotel: capital(theHotel(e.hotel)) });
    case 'played':
      return t('divercity.say.played', { who, n: e.card + 1, species: speciesName(e.species) });
    case 'drew':
      return e.species === null
        ? null
        : t('divercity.say.drew', { who, species: speciesName(e.species) });
    case 'walkie':
      return e.signs
        ? t('divercity.say.signs', { who, target: to(e.target) })
        : t('divercity.say.walkie', { who, target: to(e.target) });
    case 'closed':
      return t('divercity.say.closed', {
        who,
        n: e.card + 1,
        species: speciesName(e.species),
        hotel: theHotel(e.hotel),
      });
    case 'used':
      return t('divercity.say.used', { who, diver: diverName(e.diver) });
    case 'ordered':
      return t('divercity.say.ordered', { who, target: to(e.target) });
    case 'looked':
      return t('divercity.say.looked', { who });
    case 'showed':
      return t('divercity.say.showed', { who, cards: list(e.cards.map(corpText)) });
    case 'reordered':
      return t('divercity.say.reordered', { who });
    case 'struck':
      return t('divercity.say.struck', { who, card: corpText(e.card) });
    case 'explored':
      return t('divercity.say.explored', { who });
    case 'claimed':
      return e.species === null
        ? t('divercity.say.unclaimed', { who, n: e.card + 1 })
        : t('divercity.say.claimed', { who, n: e.card + 1, species: aSpecies(e.species) });
    case 'reshuffled':
      return e.pile === 'species'
        ? t('divercity.say.reshuffled.species')
        : t('divercity.say.reshuffled');
    case 'shown': {
      const held = e.cards.flatMap((s) => (s ? [speciesName(s)] : []));
      return held.length === 0 ? null : t('divercity.say.shown', { who, cards: list(held) });
    }
    case 'won':
      return e.won === 'divers' ? t('divercity.won') : t('divercity.lost');
    default:
      return null;
  }
}

/** On which side whoever looks has played; null: on none. The industrialist sits behind the divers. */
export function side(view: DiverCityView): 'divers' | 'corporations' | null {
  if (view.seat === undefined || view.seat === null) return null;
  return view.seat < view.hands.length && view.industry_hand === undefined
    ? 'divers'
    : 'corporations';
}

/** The result as one sentence, from the side of whoever looks. */
export function verdict(v: DiverCityView): string {
  if (!v.result) return '';
  const saved = v.result.won === 'divers';
  switch (side(v)) {
    case 'divers':
      return saved ? t('divercity.won.you') : t('divercity.lost.you');
    case 'corporations':
      return saved ? t('divercity.lost.boss') : t('divercity.won.boss');
    default:
      return saved ? t('divercity.won') : t('divercity.lost');
  }
}

/** Why it ended. */
export function reason(view: DiverCityView): string {
  const at = (zone: string) => SPECIES.filter((s) => view.ladder[s] === zone).length;
  switch (view.result?.reason) {
    case 'saved':
      return tn('divercity.reason.saved', at('saved'));
    case 'extinct':
      return tn('divercity.reason.extinct', at('extinct'));
    case 'hotels':
      return t('divercity.reason.hotels');
    case 'stuck':
      return t('divercity.reason.stuck');
    case 'empty-deck':
      return t('divercity.reason.empty-deck');
    default:
      return '';
  }
}
