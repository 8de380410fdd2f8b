// The words of DiverCity on the wire; see text/protocol.md.
import type { View } from '$net/types';

import type { Table } from '$model/table.svelte';

/** Where parts of the game are drawn: on a board, at the end, on a television. */
export type Place = 'board' | 'result' | 'tv';

/** In the order of their lanes, which is the same on every screen. */
export const SPECIES = [
  'nudibranch',
  'crab',
  'hammerhead',
  'porcupinefish',
  'mandarin',
  'manta',
  'lobster',
  'eel',
  'octopus',
  'turtle',
  'oyster',
  'starfish',
] as const;
export type Species = (typeof SPECIES)[number];

/** From the surface down. */
export const ZONES = ['saved', 'green', 'blue', 'red', 'extinct'] as const;
export type Zone = (typeof ZONES)[number];

export const HOTELS = ['red', 'green', 'purple', 'yellow', 'blue', 'orange'] as const;
export type Hotel = (typeof HOTELS)[number];

export const DIVERS = [
  'endurance',
  'diving',
  'captain',
  'environmentalist',
  'visionary',
  'explorer',
  'swimmer',
  'communications',
] as const;
export type Diver = (typeof DIVERS)[number];

/** An effect of a corporation card: "rig", "boat" or "hotels:red+purple". */
export type Effect = string;
/** One or two effects, upper first. */
export type CorpCard = Effect[];

export type Phase =
  'setup' | 'rig' | 'industry' | 'action' | 'captain' | 'visionary' | 'after' | 'over';
export type Reason = 'saved' | 'extinct' | 'hotels' | 'stuck' | 'empty-deck';

export interface DiverCityView extends View {
  phase: Phase;
  active: number | null;
  ordered?: number;
  round: number;
  to_save: number;
  to_lose: number;
  ladder: Record<Species, Zone>;
  hotels: Hotel[];
  hands: (Species | null)[][];
  claims: (Species | null)[][];
  signs?: (number[] | null)[][];
  species_deck: number;
  species_discard: Species[];
  /** What dynamite takes from once the species deck is empty; from rules 2. */
  boat_pile?: number;
  corporation_deck: number;
  corporation_discard: CorpCard[];
  /** The corporation cards that lie face down, in the order of the box. */
  corporation_unseen?: CorpCard[];
  corporation_open: CorpCard | null;
  /** The next corporation cards, top first, as far as this viewer knows them; from rules 2. */
  corporation_next?: (CorpCard | null)[];
  /** For each card whether its owner was told it, or has looked at it. */
  told: boolean[][];
  diver_cards: Diver[][];
  diver_used: Diver[][];
  industry_hand?: CorpCard[];
  looked_at?: CorpCard[];
  result?: { won: 'divers' | 'corporations'; reason: Reason };
  legal?: DiverCityAction[];
}

/** A diver's seat, or in solo a hand. */
type Who = {
  seat?: number;
  hand?: number;
};

export type DiverCityEvent = Who &
  (
    | { event: 'dealt' | 'explored' | 'shown'; cards: (Species | null)[] }
    | { event: 'took' | 'used'; diver: Diver }
    | { event: 'passed' | 'begins' | 'turn' }
    | { event: 'corporation'; card: CorpCard }
    | { event: 'rig' | 'played'; card: number; species: Species }
    | { event: 'boat'; species: Species }
    | { event: 'moved'; species: Species; from: Zone; to: Zone }
    | { event: 'built' | 'unbuilt'; hotel: Hotel }
    | { event: 'drew'; card: number; species: Species | null }
    | { event: 'walkie'; target: number; cards?: (Species | null)[]; signs?: number[][] }
    | { event: 'closed'; hotel: Hotel; card: number; species: Species }
    | { event: 'ordered'; target: number }
    | { event: 'looked' | 'reordered'; cards: (CorpCard | null)[] }
    | { event: 'showed'; cards: CorpCard[] }
    | { event: 'struck'; place: number; card: CorpCard }
    | { event: 'claimed'; card: number; species: Species | null }
    | { event: 'filled'; place: number; card: CorpCard | null }
    | { event: 'reshuffled'; pile: 'corporation' | 'species' }
    | { event: 'won'; won: 'divers' | 'corporations'; reason: Reason }
  );

export type DiverCityAction =
  | { do: 'take'; diver: Diver }
  | { do: 'pass' }
  | { do: 'rig' | 'industry' | 'play'; card: number }
  | { do: 'walkie'; target: number; signs?: number[][] }
  | { do: 'close'; card: number; hotel: Hotel }
  | { do: 'diver'; use: 'endurance' | 'diving'; species: Species }
  | { do: 'diver'; use: 'captain'; target: number }
  | { do: 'diver'; use: 'environmentalist'; hotel: Hotel }
  | { do: 'diver'; use: 'visionary' | 'explorer' }
  | { do: 'diver'; use: 'swimmer'; card: number }
  | { do: 'diver'; use: 'communications'; target: number; signs?: number[][] }
  | { do: 'reorder'; order: number[] }
  | { do: 'show' }
  | { do: 'strike'; cards: number[] }
  | { do: 'end' }
  | { do: 'claim'; card: number; species: Species | null; target?: number };

/** The legal actions of one verb. */
export function legal<K extends DiverCityAction['do']>(
  view: DiverCityView,
  verb: K,
): Extract<DiverCityAction, { do: K }>[] {
  type Wanted = Extract<DiverCityAction, { do: K }>;
  return (view.legal ?? []).filter((a): a is Wanted => a.do === verb);
}

export type DiverCityTable = Table<DiverCityView, DiverCityEvent, DiverCityAction>;
