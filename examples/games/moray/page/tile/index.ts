// Moray before it is opened: on home, in lists, and when a table is made.
import type { GameTile } from '$model/game';
import { drawing } from '$ui/art';
import goby from '../art/fish-goby.svg?raw';
import moray from '../art/moray.svg?raw';
import Scene from './Scene.svelte';

const tile: GameTile = {
  Scene,
  picture: drawing('moray', moray),
  age: '7+',
  ear: true,
  options: {
    count: 'players',
    fine: ['first'],
    pictures: { hungry: drawing('moray', moray), first: drawing('fish-goby', goby) },
  },
};
export default tile;
