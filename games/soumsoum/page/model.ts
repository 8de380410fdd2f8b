// What can be read from a view without knowing the rules: cards as text, places, what may be done, and what differs
// between two views. What anything is worth comes from the server.
import { rules, zoneMasks } from './numbers';
import type { GameEvent } from '$net/types';
import type { At, Do, SoumView, Token } from './types';

export const animals = ['shark', 'octopus', 'hermit'] as const;
export type Animal = (typeof animals)[number];
export type Counted = Animal | 'any';
export type Zone = 'row' | 'column' | 'around' | 'diagonals' | 'orthogonal' | 'board';

export interface Card {
  shows: Animal[];
  counts: Counted;
  zone: Zone;
  /** Its own animals count, too. */
  self: boolean;
}

/** Places are numbered row by row from 0: good keys and good roving. */
export type Place = number;
export const places = (): Place[] => Array.from({ length: rules.side * rules.side }, (_, i) => i);
export const placeOf = ([row, column]: At): Place => row * rules.side + column;
export const atOf = (place: Place): At => [Math.floor(place / rules.side), place % rules.side];

/** "octopus+hermit:shark@around-self" */
export function card(text: string): Card {
  const [, shows = '', counts = 'any', zone = 'board', not] =
    /^([a-z+]+):([a-z]+)@([a-z]+)(-self)?$/.exec(text) ?? [];
  return {
    shows: shows.split('+') as Animal[],
    counts: counts as Counted,
    zone: zone as Zone,
    self: not === undefined,
  };
}

/** The picture of a zone: which places lie in it, the middle included. */
export function zonePlaces(zone: Zone, middle: Place): Place[] {
  const mask = zoneMasks()[zone]?.[middle] ?? 0;
  return places().filter((p) => (mask >> p) & 1);
}

/** What lies on a place: nothing, the submarine, or a card. */
export function lies(view: SoumView, place: Place): string | null {
  const [r, c] = atOf(place);
  return view.board[r]?.[c] ?? null;
}

export function cardAt(view: SoumView, place: Place): Card | null {
  const text = lies(view, place);
  return text === null || text === 'sub' ? null : card(text);
}

/** The places of a zone that show what its card counts; `ghost` lies there although the view has nothing yet. */
export function hits(view: SoumView, middle: Place, of: Card): Place[] {
  return zonePlaces(of.zone, middle).filter((p) => {
    const there = p === middle ? (of.self ? of : null) : cardAt(view, p);
    return there !== null && (of.counts === 'any' || there.shows.includes(of.counts));
  });
}

export const tokenAt = (view: SoumView, place: Place): Token | undefined =>
  view.tokens.find((k) => placeOf(k.at) === place);

/* ---- what may be done ---- */

const legal = (view: SoumView): Do[] => view.legal ?? [];

export const mayPlace = (view: SoumView, hand: number): Set<Place> =>
  new Set(legal(view).flatMap((a) => (a.do === 'place' && a.card === hand ? [placeOf(a.at)] : [])));

export const mayDive = (view: SoumView): Set<Place> =>
  new Set(legal(view).flatMap((a) => (a.do === 'diver' ? [placeOf(a.at)] : [])));

export const mayTake = (view: SoumView): Set<number> =>
  new Set(legal(view).flatMap((a) => (a.do === 'take' ? [a.market] : [])));

/** Nothing is left to decide in the diver step. */
export const onlyPass = (view: SoumView): boolean =>
  view.phase === 'diver' && legal(view).length === 1 && legal(view)[0]?.do === 'pass';

/* ---- two views ---- */

export interface Change {
  place: Place;
  seat: number;
  from: number;
  to: number;
}

/** The divers that are worth something else in the second view; those that are new there are left out. */
export function changes(before: SoumView, after: SoumView): Change[] {
  return before.tokens.flatMap((k) => {
    const place = placeOf(k.at);
    const then = tokenAt(after, place);
    return then !== undefined && then.worth !== k.worth
      ? [{ place, seat: k.seat, from: k.worth, to: then.worth }]
      : [];
  });
}

/** What a change marks: the places that it laid something on, and the divers whose worth it changed. */
export function changed(
  before: SoumView | null,
  now: SoumView | null,
  events: GameEvent[],
): Set<Place> {
  const laid = events
    .filter((e) => e['event'] === 'placed' || e['event'] === 'dived')
    .map((e) => placeOf(e['at'] as At));
  return new Set(
    before === null || now === null ? laid : [...laid, ...changes(before, now).map((c) => c.place)],
  );
}

/** A turn of somebody: where the card lies, and the diver that was sent. */
export interface Laid {
  seat: number;
  place: Place;
  diver: { place: Place; worth: number } | null;
}

/** The turns since one's own last one, oldest first. */
export function laidSince(told: GameEvent[], me: number | null): Laid[] {
  const laid: Laid[] = [];
  for (const e of told) {
    const last = laid.at(-1);
    if (e['event'] === 'placed' && e['seat'] === me) laid.length = 0;
    else if (e['event'] === 'placed')
      laid.push({ seat: Number(e['seat']), place: placeOf(e['at'] as At), diver: null });
    else if (e['event'] === 'dived' && last !== undefined && last.seat === e['seat'])
      last.diver = { place: placeOf(e['at'] as At), worth: Number(e['worth']) };
  }
  return laid;
}

/** What these changes come to for each seat. */
export function gains(list: Change[]): Map<number, number> {
  const sum = new Map<number, number>();
  for (const c of list) sum.set(c.seat, (sum.get(c.seat) ?? 0) + c.to - c.from);
  for (const [seat, n] of sum) if (n === 0) sum.delete(seat);
  return sum;
}

/* ---- counting ---- */

/** Which turn of how many it is for the active seat. */
export function turn(view: SoumView): { now: number; of: number } {
  const players = view.scores.length;
  const laid = places().filter((p) => cardAt(view, p) !== null).length;
  const begun = view.phase === 'place' ? laid : Math.max(0, laid - 1);
  const of = Math.ceil((places().length - 1) / players);
  return { now: Math.min(of, Math.floor(begun / players) + 1), of };
}

/** The divers that a seat has placed. */
export const placedBy = (view: SoumView, seat: number): Token[] =>
  view.tokens.filter((k) => k.seat === seat);

/** Seats from the first to the last; the winner before those it is tied with. */
export function ranking(view: SoumView): number[] {
  const scores = view.result?.scores ?? view.scores;
  const won = (s: number) => (view.result?.winners.includes(s) ? 1 : 0);
  return scores
    .map((_, s) => s)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || won(b) - won(a) || a - b);
}

/** The seats that share the highest total; more than one: who played last has won. */
export function top(view: SoumView): number[] {
  const scores = view.result?.scores ?? view.scores;
  const most = Math.max(...scores);
  return scores.flatMap((n, s) => (n === most ? [s] : []));
}
