// Before a first dive: the goal, three actions, and which drawings are sharks.
import { t, tk } from '$i18n/index.svelte';
import type { FirstGame } from '$model/game';
import { art } from './art';
import stack from './art/stack.webp';
import { rules } from './numbers';
import type { DiveView } from './types';

const SHARKS = ['reef', 'thresher', 'hammerhead'];

export function first(view: DiveView): FirstGame {
  return {
    title: t('dive.first.title'),
    goal: t('dive.first.goal', { goal: rules.goal }),
    picture: art(`diver-pawn-${(view.seat ?? 0) + 1}`),
    steps: [
      { name: t('dive.first.look'), text: t('dive.first.look.text'), picture: stack },
      view.children
        ? { name: t('dive.first.plan'), text: t('dive.first.say.text'), picture: art('face-clear') }
        : { name: t('dive.first.plan'), text: t('dive.first.plan.text'), picture: art('air') },
      {
        name: t('dive.first.dive'),
        text: view.children ? t('dive.first.swim.text') : t('dive.first.dive.text'),
        picture: art('face-shark'),
      },
    ],
    groups: [
      {
        name: t('dive.first.sharks'),
        drawings: SHARKS.map((kind) => ({
          name: tk('dive.first.shark.', kind),
          picture: art(`shark-${kind}`),
        })),
      },
      {
        name: t('dive.first.others'),
        drawings: [
          { name: tk('dive.companion.', 'dolphins'), picture: art('companion-dolphins') },
          { name: tk('dive.companion.', 'orca'), picture: art('companion-orca') },
          { name: t('dive.practise.helper.manta'), picture: art('manta') },
        ],
      },
    ],
  };
}
