// The sections of the rules, in reading order. These ids are the anchors of docs/rules/GAME.md and its translations, of
// #/rules/GAME/ID, and what a game module's help(view) answers with. tests/rules.test.ts compares them with the texts.
//
// Which to give for which moment:
//   dive       setup: companions, companion-NAME · program: program, mistake, helpers; stopped under orca, fugu or clock;
//              companion-NAME of one's own or of what is announced; chief, flashlight, children, clock as the table says
//              reveal: dive, mistake, helpers, bubbles · rest: rest, end · axolotl: companion-axolotl · over: end
//   divercity  setup: diver-cards, full-team · corporations: corporations · rig: rig · industry: industrialist · action: action,
//              play, walkie, close, claims, diver-cards, diver-NAME of one's own · after: diver-cards · captain: diver-captain
//              visionary: diver-visionary · over: end, levels; beginners, realistic, solo, duel, any-turn as the table says
//   soumsoum   place: place, zones, score · diver: diver, score, zones · take: market · waiting: turn · over: end, score, tie
import type { GameId } from '../net/types';

const companions = [
  'octopus', 'orca', 'anglerfish', 'green-turtle', 'clownfish', 'dolphins', 'great-white', 'axolotl', 'fugu', 'narwhal',
] as const;
const divers = [
  'endurance', 'diving', 'captain', 'environmentalist', 'visionary', 'explorer', 'swimmer', 'communications',
] as const;

export const ruleSections = {
  dive: [
    'in-short', 'before', 'round', 'program', 'stopped', 'dive', 'mistake', 'helpers', 'rest', 'end',
    'variants', 'flashlight', 'children', 'clock',
    'companions', ...companions.map((c) => `companion-${c}` as const),
    'chief', 'bubbles', 'details', 'examples', 'sheets',
  ],
  divercity: [
    'in-short', 'box', 'ladder', 'before', 'round', 'corporations', 'rig', 'boat', 'hotels',
    'action', 'play', 'walkie', 'close', 'drawing', 'claims', 'end', 'levels',
    'diver-cards', ...divers.map((d) => `diver-${d}` as const),
    'variants', 'beginners', 'full-team', 'industrialist', 'solo', 'duel', 'realistic', 'any-turn', 'empty-deck', 'together',
    'knowledge', 'details', 'examples', 'cards',
  ],
  soumsoum: [
    'in-short', 'before', 'turn', 'place', 'diver', 'draw', 'end', 'score', 'tie', 'zones', 'market', 'knowledge',
    'details', 'example', 'cards',
  ],
} as const satisfies Record<GameId, readonly string[]>;

export type RuleSection<G extends GameId = GameId> = (typeof ruleSections)[G][number];

/** Drawings that stand beside a section, by name of src/art. */
export const ruleArt: Record<GameId, Partial<Record<string, readonly string[]>>> = {
  dive: {
    'in-short': ['diver-pawn-1', 'diver-pawn-2', 'diver-pawn-3', 'diver-pawn-4'],
    before: ['shark-reef', 'shark-hammerhead', 'shark-thresher'],
    program: ['face-clear', 'face-shark'],
    helpers: ['turtle-green', 'turtle-red', 'manta'],
    chief: ['chief'],
    bubbles: ['bubble-cover'],
    ...Object.fromEntries(companions.map((c) => [`companion-${c}`, [`companion-${c}`]])),
  },
  divercity: {
    box: [
      'species-nudibranch', 'species-crab', 'species-hammerhead', 'species-porcupinefish', 'species-mandarin', 'species-manta',
      'species-lobster', 'species-eel', 'species-octopus', 'species-turtle', 'species-oyster', 'species-starfish',
    ],
    ladder: ['ladder-extinct', 'ladder-red', 'ladder-blue', 'ladder-green', 'ladder-saved'],
    rig: ['corp-rig'],
    boat: ['corp-boat'],
    hotels: ['corp-hotels'],
    play: ['act-play'],
    close: ['hotel-red', 'island-red'],
    ...Object.fromEntries(divers.map((d) => [`diver-${d}`, [`diver-${d}`]])),
  },
  soumsoum: {
    before: ['submarine', 'soum-shark', 'soum-octopus', 'soum-hermit'],
    zones: ['zone-row', 'zone-column', 'zone-around', 'zone-diagonals', 'zone-orthogonal', 'zone-board'],
  },
};
