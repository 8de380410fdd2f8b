// DiverCity before it is opened: on home, in lists, and when a table is made.
import { t } from '$i18n/index.svelte';
import type { GameTile } from '$model/game';
import { art as shared, drawing } from '$ui/art';
import play from '../art/act-play.svg?raw';
import boat from '../art/corp-boat.svg?raw';
import rig from '../art/corp-rig.svg?raw';
import captain from '../art/diver-captain.svg?raw';
import communications from '../art/diver-communications.svg?raw';
import swimmer from '../art/diver-swimmer.svg?raw';
import hotel from '../art/hotel-red.svg?raw';
import crab from '../art/species-crab.svg?raw';
import Scene from './Scene.svelte';

/** Bots that lead the corporations and nobody else, and bots that dive. */
const INDUSTRIALISTS = ['tycoon', 'baron'];
const DIVERS = ['ranger', 'warden'];

const tile: GameTile = {
  Scene,
  picture: drawing('hotel-red', hotel),
  age: '8+',
  ear: true,
  together: true,
  seat: (seat, seats, options) => {
    const industry = options['industrialist'] === true && seat === seats - 1;
    return {
      facts: industry ? [{ icon: 'settings', text: t('divercity.tile.industrialist') }] : [],
      bots: (id) => !(industry ? DIVERS : INDUSTRIALISTS).includes(id),
    };
  },
  options: {
    count: 'divers',
    cards: 'level',
    fine: ['any_turn', 'empty_deck', 'first'],
    pictures: {
      diver_cards: drawing('diver-captain', captain),
      beginners: drawing('species-crab', crab),
      simple_corporations: drawing('corp-boat', boat),
      face_up: drawing('act-play', play),
      industrialist: drawing('corp-rig', rig),
      realistic: drawing('diver-communications', communications),
      any_turn: drawing('diver-swimmer', swimmer),
      empty_deck: shared('species-oyster'),
      first: shared('submarine'),
    },
  },
};
export default tile;
