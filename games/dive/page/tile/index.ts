// Dive before it is opened: on home, in lists, and when a table is made.
import { t } from '$i18n/index.svelte';
import { games } from '$model/begin';
import type { GameTile } from '$model/game';
import type { JsonObject } from '$net/types';
import { art as shared, drawing } from '$ui/art';
import chief from '../art/chief.svg?raw';
import clownfish from '../art/companion-clownfish.svg?raw';
import dolphins from '../art/companion-dolphins.svg?raw';
import orca from '../art/companion-orca.svg?raw';
import turtle from '../art/turtle-green.svg?raw';
import Scene from './Scene.svelte';

const withCompanions = (options: JsonObject): boolean =>
  options['companions'] !== undefined && options['companions'] !== 'none';

const tile: GameTile = {
  Scene,
  picture: drawing('turtle-green', turtle),
  age: '6+',
  ear: false,
  options: {
    count: 'divers',
    pictures: {
      companions: drawing('companion-orca', orca),
      chief: drawing('chief', chief),
      flashlight: shared('diver-diving'),
      clock: shared('diver-explorer'),
      children: drawing('companion-clownfish', clownfish),
      ages: drawing('companion-dolphins', dolphins),
    },
    means: (name, others) => name !== 'ages' || others['companions'] !== 'none',
  },
  seat: (seat, _, options) => {
    const ages = options['ages'];
    const at = withCompanions(options) && Array.isArray(ages) ? ages.indexOf(seat) + 1 : 0;
    if (at === 0) return { facts: [] };
    return {
      facts: [{ text: at === 1 ? t('dive.tile.youngest') : t('dive.tile.age', { n: at }) }],
    };
  },
  sitting: (options) => (withCompanions(options) ? t('dive.tile.ages') : null),
  pawn: (seat) => shared(`diver-pawn-${seat + 1}`),
  screens: [
    {
      path: 'practise',
      icon: 'layers',
      name: 'dive.tile.practise',
      longName: 'dive.tile.practise.long',
      load: () => games().then(() => import('../practise/Practise.svelte')),
    },
  ],
};
export default tile;
