// The analysed decisions of DiverCity: choices in words, and what on the board they are about.
import { t } from '$i18n/index.svelte';
import type { NameOf, OptionWords, StudyWords } from '$model/game';
import type { WhyAnswer } from '$net/types';
import { art } from './art';
import Knew from './Knew.svelte';
import { corpText, diverName } from './text';
import type { DiverCityAction, DiverCityView, Hotel, Species } from './types';
import { why } from './why';

/** A choice as "Why?" words it, for nobody in particular. */
function plain(action: DiverCityAction, seat: number, name: NameOf): OptionWords {
  const answer: WhyAnswer = {
    seat,
    bot: '',
    turn: 0,
    from: 'bot',
    reason: { code: 'best' },
    candidates: [{ action, value: 0, se: 0, played: true }],
  };
  return why.option(action, answer, name, null);
}

function option(
  action: DiverCityAction,
  view: DiverCityView,
  seat: number,
  name: NameOf,
): OptionWords {
  switch (action.do) {
    case 'end':
      return { text: t('divercity.study.end') };
    case 'pass':
      return { text: t('divercity.study.pass') };
    case 'show':
      return { text: t('divercity.study.show'), picture: art('diver-visionary') };
    case 'take':
      return {
        text: t('divercity.study.take', { diver: diverName(action.diver) }),
        picture: art(`diver-${action.diver}`),
      };
    case 'industry': {
      const card = view.industry_hand?.[action.card];
      const words = plain(action, seat, name);
      return card === undefined ? words : { ...words, about: corpText(card) };
    }
    case 'diver': {
      const words = plain(action, seat, name);
      return action.use === 'captain' ? { ...words, about: name(action.target) } : words;
    }
    default:
      return plain(action, seat, name);
  }
}

/** What an action is about, as far as it lies on the board: a card of the own hand, a diver, a hotel or a species. */
export interface Pointed {
  card?: number;
  target?: number;
  hotel?: Hotel;
  species?: Species;
}

export function pointed(action: DiverCityAction): Pointed {
  const { card, target, hotel, species } = action as Pointed;
  return {
    ...(card === undefined || action.do === 'industry' ? {} : { card }),
    ...(target === undefined ? {} : { target }),
    ...(hotel === undefined ? {} : { hotel }),
    ...(species === undefined ? {} : { species }),
  };
}

export const study: StudyWords<DiverCityView, DiverCityAction> = { option, Knew };
