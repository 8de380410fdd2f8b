// What the screens of DiverCity make of views and events, without DOM and without rules: the view says what is legal.
import type { JsonObject } from '$net/types';
import {
  SPECIES,
  ZONES,
  legal,
  type CorpCard,
  type DiverCityEvent,
  type DiverCityView,
  type Effect,
  type Hotel,
  type Species,
  type Zone,
} from './types';
import { rules } from './numbers';

/** The hand or seat an event is about. */
export const whose = (e: DiverCityEvent): number | null => e.hand ?? e.seat ?? null;

/** Where the last event of a kind stands; -1: nowhere. */
export function lastIndex(events: DiverCityEvent[], kind: DiverCityEvent['event']): number {
  let i = events.length - 1;
  while (i >= 0 && events[i]?.event !== kind) i--;
  return i;
}

/* ---- the table ------------------------------------------------------------------------------ */

export const isSolo = (options: JsonObject): boolean => options['divers'] === 1;

/** The industrialist's seat: the last one. */
export function industrialist(options: JsonObject): number | null {
  return options['industrialist'] === true ? Number(options['divers'] ?? 2) : null;
}

/** What a seat is asked for now. */
export type Question =
  'setup' | 'rig' | 'industry' | 'action' | 'captain' | 'visionary' | 'after' | 'wait' | 'over';

export function question(view: DiverCityView): Question {
  if (view.phase === 'over') return 'over';
  if (view.phase === 'setup')
    return legal(view, 'take').length + legal(view, 'pass').length > 0 ? 'setup' : 'wait';
  if (view.phase === 'rig') return legal(view, 'rig').length > 0 ? 'rig' : 'wait';
  if (view.phase === 'industry') return legal(view, 'industry').length > 0 ? 'industry' : 'wait';
  if (view.phase === 'captain') return legal(view, 'play').length > 0 ? 'captain' : 'wait';
  if (view.phase === 'visionary') return view.looked_at !== undefined ? 'visionary' : 'wait';
  if (view.phase === 'after') return legal(view, 'end').length > 0 ? 'after' : 'wait';
  const acts =
    legal(view, 'play').length + legal(view, 'walkie').length + legal(view, 'close').length;
  return acts > 0 ? 'action' : 'wait';
}

/** The hand that this viewer plays at the moment; null for who has none. */
export function handOf(view: DiverCityView, me: number | null, solo: boolean): number | null {
  if (me === null) return null;
  if (!solo) return me < view.hands.length ? me : null;
  if (me !== 0) return null;
  return (view.phase === 'captain' ? view.ordered : view.active) ?? 0;
}

/* ---- meters --------------------------------------------------------------------------------- */

export interface Meter {
  kind: 'saved' | 'extinct' | 'hotels';
  value: number;
  of: number;
  /** So many more steps end the game, and a single card may do it; 0: not yet. */
  near: number;
}

/** `atOnce`: how many hotels a single card builds at most. */
export function meters(view: DiverCityView, atOnce = 1): Meter[] {
  const at = (zone: Zone) => SPECIES.filter((s) => view.ladder[s] === zone).length;
  const meter = (kind: Meter['kind'], value: number, of: number, steps = 1): Meter => ({
    kind,
    value,
    of,
    near: value < of && of - value <= steps ? of - value : 0,
  });
  return [
    meter('saved', at('saved'), view.to_save),
    meter('extinct', at('extinct'), view.to_lose),
    meter('hotels', view.hotels.length, rules.hotels, atOnce),
  ];
}

/** How many cards of each species lie in the discard. */
export function gone(view: DiverCityView): Record<Species, number> {
  const n = Object.fromEntries(SPECIES.map((s) => [s, 0])) as Record<Species, number>;
  for (const s of view.species_discard) n[s]++;
  return n;
}

/** The same corporation cards together, most frequent first. */
export function gathered(cards: CorpCard[]): { card: CorpCard; n: number }[] {
  const found = new Map<string, { card: CorpCard; n: number }>();
  for (const card of cards) {
    const entry = found.get(card.join());
    if (entry) entry.n++;
    else found.set(card.join(), { card, n: 1 });
  }
  return [...found.values()].sort((a, b) => b.n - a.n);
}

/* ---- effects of corporation cards ----------------------------------------------------------- */

export type EffectKind = 'rig' | 'boat' | 'hotels';
export const effectKind = (effect: Effect): EffectKind => effect.split(':')[0] as EffectKind;
export const effectHotels = (effect: Effect): Hotel[] =>
  (effect.split(':')[1]?.split('+') ?? []) as Hotel[];

export interface Move {
  species: Species;
  from: Zone;
  to: Zone;
}

export interface EffectStep {
  effect: Effect;
  state: 'skipped' | 'to-come' | 'now' | 'done';
  /** The card that was hit, if any. */
  species: Species | null;
  moved: Move | null;
  built: Hotel[];
}

export interface Corporation {
  card: CorpCard;
  steps: EffectStep[];
}

/** The corporation card of this round and how far it has come; null: none yet. Without events it is told from the view. */
export function corporation(
  view: DiverCityView,
  told: DiverCityEvent[],
  simple: boolean,
): Corporation | null {
  const at = lastIndex(told, 'corporation');
  const turn = lastIndex(told, 'turn');
  const known = at >= 0 && at > turn;
  if (
    view.phase === 'setup' ||
    view.phase === 'industry' ||
    (!known && turn >= 0 && view.corporation_open === null)
  )
    return null;
  const first = told[at];
  const card =
    known && first?.event === 'corporation'
      ? first.card
      : (view.corporation_open ?? view.corporation_discard.at(-1));
  if (card === undefined) return null;
  const skip = simple && card.length > 1 ? 1 : 0;
  const steps: EffectStep[] = card.map((effect, i) => ({
    effect,
    state: i < skip ? 'skipped' : 'to-come',
    species: null,
    moved: null,
    built: [],
  }));
  const reached = known ? followed(steps, told.slice(at + 1), skip) : skip;
  if (view.corporation_open === null)
    for (const s of steps) s.state = s.state === 'skipped' ? 'skipped' : 'done';
  else settle(steps, view.phase === 'rig' ? nextRig(steps, reached) : reached, view.phase);
  return { card, steps };
}

/** Gives each step what happened to it; returns the first step that nothing was told of. */
function followed(steps: EffectStep[], events: DiverCityEvent[], skip: number): number {
  let next = skip;
  let last: EffectStep | null = null;
  const take = (kind: EffectKind): EffectStep | null => {
    const i = steps.findIndex((s, n) => n >= next && effectKind(s.effect) === kind);
    if (i < 0) return null;
    next = i + 1;
    return steps[i] ?? null;
  };
  for (const e of events) {
    if (e.event === 'rig' || e.event === 'boat') {
      last = take(e.event);
      if (last) last.species = e.species;
    } else if (e.event === 'moved') {
      if (last) last.moved = { species: e.species, from: e.from, to: e.to };
    } else if (e.event === 'built') {
      last = last && effectKind(last.effect) === 'hotels' ? last : take('hotels');
      last?.built.push(e.hotel);
    } else if (
      e.event === 'played' ||
      e.event === 'closed' ||
      e.event === 'walkie' ||
      e.event === 'used'
    ) {
      break;
    }
  }
  return next;
}

function nextRig(steps: EffectStep[], from: number): number {
  const i = steps.findIndex((s, n) => n >= from && effectKind(s.effect) === 'rig');
  return i < 0 ? from : i;
}

function settle(steps: EffectStep[], now: number, phase: string): void {
  steps.forEach((s, i) => {
    if (s.state === 'skipped') return;
    s.state = i < now ? 'done' : i === now && phase !== 'over' ? 'now' : 'to-come';
  });
}

/* ---- one thing at a time -------------------------------------------------------------------- */

const OPENERS = new Set([
  'took',
  'turn',
  'corporation',
  'rig',
  'boat',
  'built',
  'played',
  'closed',
  'walkie',
  'used',
  'struck',
  'showed',
  'reordered',
  'won',
]);

/** Groups events into what happens at once: a card and the token that it moves. */
export function beats(events: DiverCityEvent[]): DiverCityEvent[][] {
  const groups: DiverCityEvent[][] = [];
  for (const e of events) {
    const group = groups.at(-1);
    const before = group?.at(-1)?.event;
    const joins =
      group === undefined
        ? false
        : !OPENERS.has(e.event)
          ? true
          : e.event === 'corporation'
            ? before === 'turn' || before === 'begins' || before === 'reshuffled'
            : e.event === 'built'
              ? before === 'built'
              : e.event === 'played' || e.event === 'walkie'
                ? before === 'used'
                : e.event === 'won'
                  ? true
                  : false;
    if (group && joins) group.push(e);
    else groups.push([e]);
  }
  return groups;
}

/** The board after these events, as far as they tell it: for showing them one by one. */
export function follow(view: DiverCityView, events: DiverCityEvent[]): DiverCityView {
  const next = structuredClone(view);
  const gaps = new Map<number, number>();
  const closeUp = (hand: number) => {
    const place = gaps.get(hand);
    gaps.delete(hand);
    if (place === undefined) return;
    for (const rows of [next.hands, next.claims, next.signs, next.told])
      rows?.[hand]?.splice(place, 1);
  };
  for (const e of events) {
    const hand = whose(e);
    if (e.event === 'moved') next.ladder[e.species] = e.to;
    else if (e.event === 'built' && !next.hotels.includes(e.hotel)) next.hotels.push(e.hotel);
    else if (e.event === 'unbuilt') next.hotels = next.hotels.filter((h) => h !== e.hotel);
    else if (e.event === 'turn') next.active = hand;
    else if (e.event === 'corporation') next.corporation_open = e.card;
    else if (e.event === 'boat') {
      next.species_discard.push(e.species);
      if (next.boat_pile) next.boat_pile--;
      else next.species_deck = Math.max(0, next.species_deck - 1);
    } else if (e.event === 'reshuffled' && e.pile === 'species' && next.boat_pile !== undefined) {
      next.boat_pile = next.species_discard.length;
      next.species_discard = [];
    } else if (
      (e.event === 'rig' || e.event === 'played' || e.event === 'closed') &&
      hand !== null
    ) {
      closeUp(hand);
      next.species_discard.push(e.species);
      gaps.set(hand, e.card);
    } else if (e.event === 'drew' && hand !== null) {
      gaps.delete(hand);
      next.species_deck = Math.max(0, next.species_deck - 1);
      put(next.hands, hand, e.card, e.species);
      put(next.claims, hand, e.card, null);
      put(next.signs, hand, e.card, null);
      put(next.told, hand, e.card, false);
    } else if (e.event === 'claimed' && hand !== null) put(next.claims, hand, e.card, e.species);
    else if (e.event === 'used' && hand !== null) {
      next.diver_cards[hand] = (next.diver_cards[hand] ?? []).filter((d) => d !== e.diver);
      next.diver_used[hand]?.push(e.diver);
    } else if (e.event === 'walkie' && !e.signs) next.told[e.target]?.fill(true);
    else if (e.event === 'explored' && hand !== null) next.told[hand]?.fill(true);
  }
  for (const hand of [...gaps.keys()]) closeUp(hand);
  return next;
}

function put<T>(rows: T[][] | undefined, hand: number, place: number, value: T): void {
  const row = rows?.[hand];
  if (row) row[place] = value;
}

/** What glows: tokens with the zone they left, and hotels that changed. A token that came back leaves no ghost. */
export function traces(events: DiverCityEvent[]): {
  moved: Map<Species, Zone>;
  built: Set<Hotel>;
  unbuilt: Set<Hotel>;
} {
  const moved = new Map<Species, Zone>();
  const built = new Set<Hotel>();
  const unbuilt = new Set<Hotel>();
  for (const e of events) {
    if (e.event === 'moved') {
      const from = moved.get(e.species) ?? e.from;
      if (from === e.to) moved.delete(e.species);
      else moved.set(e.species, from);
    } else if (e.event === 'built') {
      unbuilt.delete(e.hotel);
      built.add(e.hotel);
    } else if (e.event === 'unbuilt') {
      built.delete(e.hotel);
      unbuilt.add(e.hotel);
    }
  }
  return { moved, built, unbuilt };
}

/** The events of the present turn: what may still glow when nothing is being shown. */
export function thisTurn(told: DiverCityEvent[]): DiverCityEvent[] {
  const at = lastIndex(told, 'turn');
  return at < 0 ? [] : told.slice(at);
}

/* ---- the whole game ------------------------------------------------------------------------- */

/** How many species stand in each zone at the start and after each turn, from all of a game's events. */
export function history(events: DiverCityEvent[]): Record<Zone, number>[] {
  const ladder = new Map<Species, Zone>(SPECIES.map((s) => [s, 'blue']));
  const points: Record<Zone, number>[] = [];
  const point = () => {
    const n = Object.fromEntries(ZONES.map((z) => [z, 0])) as Record<Zone, number>;
    for (const zone of ladder.values()) n[zone]++;
    points.push(n);
  };
  for (const e of events) {
    if (e.event === 'turn') point();
    else if (e.event === 'moved') ladder.set(e.species, e.to);
  }
  point();
  return points;
}
