// Soum Soum before it is opened: on home, in lists, and when a table is made.
import type { GameTile } from '$model/game';
import { art as shared, drawing } from '$ui/art';
import octopus from '../art/soum-octopus.svg?raw';
import shark from '../art/soum-shark.svg?raw';
import Scene from './Scene.svelte';

const tile: GameTile = {
  Scene,
  picture: drawing('soum-octopus', octopus),
  age: '6+',
  ear: true,
  options: {
    count: 'players',
    fine: ['first'],
    pictures: { market: drawing('soum-shark', shark), first: shared('submarine') },
  },
  // One bot for each level: the one that looks a single step ahead is for tournaments.
  seat: () => ({ facts: [], bots: (id) => id !== 'greedy' }),
  pawn: (seat) => shared(`diver-pawn-${seat + 1}`),
};
export default tile;
