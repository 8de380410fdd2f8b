// Before a first Soum Soum: the goal, the three steps of a turn, and what the corner of a card says.
import { t } from '$i18n/index.svelte';
import type { FirstGame } from '$model/game';
import { art } from './art';
import { rules } from './numbers';
import type { SoumView } from './types';

export const first = (view: SoumView): FirstGame => ({
  title: t('soumsoum.first.title'),
  goal: t('soumsoum.first.goal'),
  picture: art('submarine'),
  steps: [
    {
      name: t('soumsoum.step.place'),
      text: t('soumsoum.first.place', { n: rules.dealt }),
      picture: art('soum-octopus'),
    },
    {
      name: t('soumsoum.step.diver'),
      text: t('soumsoum.first.diver', { n: rules.divers }),
      picture: art(`diver-pawn-${(view.seat ?? 0) + 1}`),
    },
    view.market === null
      ? {
          name: t('soumsoum.first.draw'),
          text: t('soumsoum.first.draw.text'),
          picture: art('soum-hermit'),
        }
      : {
          name: t('soumsoum.step.take'),
          text: t('soumsoum.first.take'),
          picture: art('soum-hermit'),
        },
  ],
  fact: t('soumsoum.first.fact'),
});
