// The drawings beside the sections of the rules.
import { art } from './art';
import { companions } from './types';

/** The drawings of the sheets, as they lie in the ocean. */
const sheets = import.meta.glob<string>(
  '../../../data/art/{shark,dolphin,whale,snake,jelly,shoal,starfish,algae,coral,bubbles,wreck}*.svg',
  { eager: true, query: '?url', import: 'default' },
);
const isShark = (path: string): boolean => path.includes('/shark-');
const paths = Object.keys(sheets);

export const ruleArt: Record<string, string[]> = {
  'in-short': ['1', '2', '3', '4'].map((n) => art(`diver-pawn-${n}`)),
  'sharks-three': paths.filter(isShark).map((path) => sheets[path] ?? ''),
  'sharks-decoys': paths.filter((path) => !isShark(path)).map((path) => sheets[path] ?? ''),
  program: ['face-clear', 'face-shark'].map(art),
  helpers: ['turtle-green', 'turtle-red', 'manta'].map(art),
  chief: [art('chief')],
  bubbles: [art('bubble-cover')],
  ...Object.fromEntries(companions.map((c) => [`companion-${c}`, [art(`companion-${c}`)]])),
};
