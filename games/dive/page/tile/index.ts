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
    // Ages are asked for in the lobby, where people take the seat that fits theirs.
    means: (name) => name !== 'ages',
  },
  seat: (seat, seats, options) => {
    if (!withCompanions(options)) return { facts: [] };
    const { ages } = options;
    // Where the options leave it open, the last seat is the youngest.
    const at = Array.isArray(ages) ? ages.indexOf(seat) + 1 : seats - seat;
    const text =
      at === 1
        ? t('dive.tile.youngest')
        : at === seats
          ? t('dive.tile.oldest')
          : t('dive.tile.age', { n: at });
    return { facts: [{ text }] };
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
