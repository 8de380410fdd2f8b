// Why a bot did something in DiverCity, in words. A card of one's own is never named: the server does not know it either.
import { list, t, tn } from '$i18n/index.svelte';
import type { NameOf, WhyWords } from '$model/game';
import type { WhyAnswer } from '$net/types';
import { art } from './art';
import { side } from './say';
import { aSpecies, diverName, hotelName, speciesName, theHotel, zoneName } from './text';
import type { DiverCityAction, DiverCityEvent, DiverCityView, Hotel, Species, Zone } from './types';

/** The values of a reason, by its code. */
type Reason =
  | {
      code: 'told-card';
      card: number;
      by: number;
      turn: number;
      species: Species;
      from: Zone;
      to: Zone;
    }
  | { code: 'untold-card'; card: number; species: Species; from: Zone; to: Zone }
  | { code: 'tells'; target: number; cards: number[] }
  | { code: 'hotels'; hotel: Hotel; cards: number; of: number }
  | { code: 'best' | 'equal' | 'behind' | 'only' };
const reasonOf = (answer: WhyAnswer): Reason => answer.reason as Reason;

/** Events that a diver or the industrialist chose. */
const CHOSEN = new Set<DiverCityEvent['event']>([
  'played',
  'walkie',
  'closed',
  'used',
  'rig',
  'corporation',
]);

const numbers = (cards: number[]): string => list(cards.map((c) => String(c + 1)));

function title(answer: WhyAnswer, seat: NameOf, me: number | null): string | null {
  const action = answer.candidates[0]?.action as DiverCityAction | undefined;
  const name = seat(answer.seat);
  if (action?.do === 'play') return t('divercity.why.title.play', { name, n: action.card + 1 });
  if (action?.do === 'walkie')
    return action.target === me
      ? t('divercity.why.title.tell.you', { name })
      : t('divercity.why.title.tell', { name, to: seat(action.target) });
  if (action?.do === 'close')
    return t('divercity.why.title.close', { name, hotel: theHotel(action.hotel) });
  return null;
}

/** What came of a card that was played. */
function effect(from: Zone, to: Zone): string {
  if (from === to) return t('divercity.why.still');
  return to === 'saved'
    ? t('divercity.why.saved')
    : t('divercity.why.rose', { from: zoneName(from), to: zoneName(to) });
}

function reason(answer: WhyAnswer, seat: NameOf, me: number | null): string | null {
  const r = reasonOf(answer);
  const name = seat(answer.seat);
  switch (r.code) {
    case 'told-card': {
      const values = {
        name,
        by: seat(r.by),
        n: r.card + 1,
        turn: r.turn,
        species: aSpecies(r.species),
      };
      const told =
        r.by === me
          ? t('divercity.why.told.you', values)
          : r.by === answer.seat
            ? t('divercity.why.told.self', values)
            : t('divercity.why.told', values);
      return `${told} ${effect(r.from, r.to)}`;
    }
    case 'untold-card': {
      const values = { name, n: r.card + 1, species: aSpecies(r.species) };
      return `${t('divercity.why.untold', values)} ${effect(r.from, r.to)}`;
    }
    case 'tells': {
      const cards = numbers(r.cards);
      return r.target === me
        ? tn('divercity.why.tells.you', r.cards.length, { cards })
        : tn('divercity.why.tells', r.cards.length, { cards, to: seat(r.target) });
    }
    case 'hotels':
      return tn('divercity.why.hotels', r.cards, { of: r.of, hotel: theHotel(r.hotel) });
    default:
      return null;
  }
}

/** Of the move itself: what the card was, and where it took its species. */
function fact(answer: WhyAnswer): string | undefined {
  const r = reasonOf(answer);
  if ((r.code !== 'told-card' && r.code !== 'untold-card') || r.from === r.to) return undefined;
  return t('divercity.moved', {
    species: speciesName(r.species),
    from: zoneName(r.from),
    to: zoneName(r.to),
  });
}

const tells = (target: number, seat: NameOf, me: number | null): string =>
  target === me ? t('divercity.why.tell.you') : t('divercity.why.tell', { name: seat(target) });

function option(
  action: DiverCityAction,
  answer: WhyAnswer,
  seat: NameOf,
  me: number | null,
): { text: string; about?: string; picture?: string } {
  const played = answer.candidates[0]?.action as DiverCityAction;
  switch (action.do) {
    case 'play': {
      const about = action === played ? fact(answer) : undefined;
      return {
        text: t('divercity.act.play.n', { n: action.card + 1 }),
        picture: art('act-play'),
        ...(about === undefined ? {} : { about }),
      };
    }
    case 'walkie':
      return { text: tells(action.target, seat, me), picture: art('diver-communications') };
    case 'close':
      return {
        text: t('divercity.why.close', { hotel: theHotel(action.hotel) }),
        about: t('divercity.why.costs', { n: action.card + 1 }),
        picture: art('diver-environmentalist'),
      };
    case 'diver':
      return {
        text: t('divercity.why.use', { diver: diverName(action.use) }),
        picture: art(`diver-${action.use}`),
        ...('hotel' in action ? { about: hotelName(action.hotel) } : {}),
        ...('species' in action ? { about: speciesName(action.species) } : {}),
        ...(action.use === 'communications' ? { about: tells(action.target, seat, me) } : {}),
      };
    case 'rig':
      return { text: t('divercity.why.rig', { n: action.card + 1 }), picture: art('corp-rig') };
    case 'industry':
      return {
        text: action === played ? t('divercity.why.industry') : t('divercity.why.industry.another'),
        picture: art('corp-hotels'),
      };
    case 'reorder':
      return {
        text: t('divercity.why.reorder', { cards: numbers(action.order) }),
        picture: art('diver-visionary'),
      };
    case 'strike':
      return {
        text: t('divercity.why.strike', { cards: numbers(action.cards) }),
        picture: art('diver-visionary'),
      };
    default:
      return { text: action.do };
  }
}

function chance(answer: WhyAnswer, view: DiverCityView, seat: NameOf): string | null {
  if (answer.seat >= view.hands.length) return null;
  if (answer.from === 'bot') return t('divercity.why.fromBot', { name: seat(answer.seat) });
  return side(view) === 'divers' ? t('divercity.why.fromView.you') : t('divercity.why.fromView');
}

export const why: WhyWords<DiverCityView, DiverCityEvent, DiverCityAction> = {
  mover: (e) => (CHOSEN.has(e.event) && e.hand === undefined ? (e.seat ?? null) : null),
  title,
  reason,
  option,
  chance,
};
