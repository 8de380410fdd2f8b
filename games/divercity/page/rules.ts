// The drawings beside the sections of the rules.
import { art } from './art';
import { DIVERS, SPECIES } from './types';

const files = import.meta.glob('./art/sign-*.svg', { eager: true, query: '?raw' });
const signs = Object.keys(files).map((path) => path.slice('./art/'.length, -'.svg'.length));

export const ruleArt: Record<string, string[]> = {
  box: SPECIES.map((s) => art(`species-${s}`)),
  ...Object.fromEntries(SPECIES.map((s) => [`species-${s}`, [art(`species-${s}`)]])),
  ...Object.fromEntries(signs.map((sign) => [sign, [art(sign)]])),
  ladder: ['extinct', 'red', 'blue', 'green', 'saved'].map((zone) => art(`ladder-${zone}`)),
  rig: [art('corp-rig')],
  boat: [art('corp-boat')],
  hotels: [art('corp-hotels')],
  play: [art('act-play')],
  close: ['hotel-red', 'island-red'].map(art),
  ...Object.fromEntries(DIVERS.map((d) => [`diver-${d}`, [art(`diver-${d}`)]])),
};
