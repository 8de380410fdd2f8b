// What was done, turn by turn: the events of a turn as a few steps, each with a drawing. Words come from say.ts.
import { whose } from './model';
import type { Diver, DiverCityEvent, Hotel, Species, Zone } from './types';

/** One thing that was done in a turn. */
export type Step =
  | {
      what: 'rig' | 'boat' | 'play';
      hand: number | null;
      species: Species;
      from: Zone | null;
      to: Zone | null;
    }
  | { what: 'built'; hotels: Hotel[] }
  | { what: 'walkie'; hand: number | null; to: number; signs: boolean }
  | { what: 'close'; hand: number | null; species: Species; hotel: Hotel }
  | { what: 'lifted'; species: Species; from: Zone; to: Zone }
  | { what: 'freed'; hotel: Hotel }
  | { what: 'used'; hand: number | null; diver: Diver }
  | { what: 'ordered'; hand: number | null; to: number };

export interface Turn {
  /** The turn's number, from 1. */
  n: number;
  /** Whose turn it was. */
  hand: number;
  steps: Step[];
  /** What it is told by. */
  events: DiverCityEvent[];
}

/** The steps that these events make up: a card with the token that it moves is one. */
function steps(events: DiverCityEvent[]): Step[] {
  const all: Step[] = [];
  for (const e of events) {
    const hand = whose(e);
    const last = all.at(-1);
    if (e.event === 'rig' || e.event === 'boat')
      all.push({ what: e.event, hand, species: e.species, from: null, to: null });
    else if (e.event === 'played')
      all.push({ what: 'play', hand, species: e.species, from: null, to: null });
    else if (e.event === 'moved') {
      if (last && 'from' in last && last.species === e.species && last.from === null)
        Object.assign(last, { from: e.from, to: e.to });
      else all.push({ what: 'lifted', species: e.species, from: e.from, to: e.to });
    } else if (e.event === 'built') {
      if (last?.what === 'built') last.hotels.push(e.hotel);
      else all.push({ what: 'built', hotels: [e.hotel] });
    } else if (e.event === 'unbuilt') all.push({ what: 'freed', hotel: e.hotel });
    else if (e.event === 'walkie')
      all.push({ what: 'walkie', hand, to: e.target, signs: e.signs !== undefined });
    else if (e.event === 'closed')
      all.push({ what: 'close', hand, species: e.species, hotel: e.hotel });
    else if (e.event === 'used') all.push({ what: 'used', hand, diver: e.diver });
    else if (e.event === 'ordered') {
      if (last?.what === 'used') all.pop(); // the order says that the captain was used
      all.push({ what: 'ordered', hand, to: e.target });
    }
  }
  return all;
}

/** The turns that these events tell of, oldest first; `round` is the number of the last one. What came before the first is left out. */
export function turns(events: DiverCityEvent[], round: number): Turn[] {
  const starts = events.flatMap((e, i) => (e.event === 'turn' ? [i] : []));
  return starts.flatMap((at, i) => {
    const first = events[at];
    const hand = first ? whose(first) : null;
    if (hand === null) return [];
    const n = round - (starts.length - 1 - i);
    const told = events.slice(at + 1, starts[i + 1]);
    return [{ n, hand, steps: steps(told), events: told }];
  });
}

/** Who told this hand's owner their cards last, and in which turn; null: nobody that we know of. */
export function lastTold(all: Turn[], hand: number): { by: number | null; n: number } | null {
  let last = null;
  for (const { n, steps } of all)
    for (const step of steps) {
      if (step.what === 'walkie' && step.to === hand) last = { by: step.hand, n };
      if (step.what === 'used' && step.diver === 'explorer' && step.hand === hand)
        last = { by: hand, n };
    }
  return last;
}
