// Before a first DiverCity: the goal, three actions, and how a turn begins. The industrialist plays another game.
import { t } from '$i18n/index.svelte';
import type { FirstGame } from '$model/game';
import { art } from './art';
import { rules } from './numbers';
import type { DiverCityView } from './types';

export function first(view: DiverCityView): FirstGame {
  const numbers = { save: view.to_save, lose: view.to_lose, hotels: rules.hotels };
  if (view.industry_hand !== undefined)
    return {
      title: t('divercity.first.title'),
      goal: t('divercity.first.industry.goal', numbers),
      picture: art('corp-rig'),
      steps: [
        {
          name: t('divercity.first.boat'),
          text: t('divercity.first.boat.text'),
          picture: art('corp-boat'),
        },
        {
          name: t('divercity.first.rig'),
          text: t('divercity.first.rig.text'),
          picture: art('corp-rig'),
        },
        {
          name: t('divercity.first.build'),
          text: t('divercity.first.build.text'),
          picture: art('corp-hotels'),
        },
      ],
      fact: t('divercity.first.industry.fact'),
    };
  return {
    title: t('divercity.first.title'),
    goal: t('divercity.first.goal', numbers),
    picture: art('ladder-saved'),
    steps: [
      { name: t('divercity.act.play'), text: t('divercity.first.play'), picture: art('act-play') },
      {
        name: t('divercity.first.walkie'),
        text: t('divercity.first.walkie.text'),
        picture: art('diver-communications'),
      },
      {
        name: t('divercity.act.close'),
        text: t('divercity.first.close'),
        picture: art('diver-environmentalist'),
      },
    ],
    fact: t('divercity.first.fact'),
  };
}
