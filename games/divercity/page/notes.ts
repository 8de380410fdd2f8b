// Private notes about one's own cards: they travel with a card and vanish with it. The server keeps them as a text.
import { whose } from './model';
import { SPECIES, type DiverCityEvent, type DiverCityView, type Species } from './types';
import { rules } from './numbers';

/** What I think a card is: one to three species; sure if I was told. */
export interface Note {
  species: Species[];
  sure: boolean;
}
export type HandNotes = (Note | null)[];

/** The notes of all hands I play: one, in solo two. */
export interface Notes {
  hands: Record<number, HandNotes>;
  /** When they were right: the round, and how many species cards were gone. */
  round: number;
  gone: number;
}

export const SPECIES_KEPT = 3;

export const noNotes = (): Notes => ({ hands: {}, round: 0, gone: 0 });

/** Something per card of a hand after these events: the place of a played card is empty, or closes up if none was drawn. */
export function travel<T>(
  cards: (T | null)[],
  events: DiverCityEvent[],
  hand: number,
): (T | null)[] {
  const next = [...cards];
  let gap: number | null = null;
  const closeUp = () => {
    if (gap !== null) next.splice(gap, 1);
    gap = null;
  };
  for (const e of events) {
    if (whose(e) !== hand) continue;
    if (e.event === 'rig' || e.event === 'played' || e.event === 'closed') {
      closeUp();
      while (next.length <= e.card) next.push(null);
      next[e.card] = null;
      gap = e.card;
    } else if (e.event === 'drew') {
      while (next.length <= e.card) next.push(null);
      next[e.card] = null;
      gap = null;
    }
  }
  closeUp();
  return next;
}

export function noteAt(notes: Notes, hand: number, card: number): Note | null {
  return notes.hands[hand]?.[card] ?? null;
}

export function withNote(notes: Notes, hand: number, card: number, note: Note | null): Notes {
  const row = [...(notes.hands[hand] ?? [])];
  while (row.length <= card) row.push(null);
  row[card] = note;
  return { ...notes, hands: { ...notes.hands, [hand]: row } };
}

/** Writes in, or strikes out, a species of a guess; the oldest goes when there are too many. */
export function toggled(note: Note | null, species: Species): Note | null {
  const had = note?.species ?? [];
  const now = had.includes(species)
    ? had.filter((s) => s !== species)
    : [...had, species].slice(-SPECIES_KEPT);
  return now.length === 0 ? null : { species: now, sure: false };
}

/** The notes of a hand that can be claimed: those of one species that is not claimed already. */
export function claimable(
  notes: Notes,
  hand: number,
  claims: (Species | null)[],
): { card: number; species: Species }[] {
  return (notes.hands[hand] ?? []).flatMap((note, card) => {
    const [species, ...others] = note?.species ?? [];
    if (species === undefined || others.length > 0) return [];
    return card < claims.length && claims[card] !== species ? [{ card, species }] : [];
  });
}

/** Moves all notes along with their cards, and stamps them. */
export function moved(notes: Notes, events: DiverCityEvent[], view: DiverCityView): Notes {
  const hands = Object.fromEntries(
    Object.entries(notes.hands).map(([hand, row]) => [hand, travel(row, events, Number(hand))]),
  );
  return { hands, round: view.round, gone: view.species_discard.length };
}

/** As text for the server: a few hundred bytes at most, where 4000 are allowed. */
export const written = (notes: Notes): string => JSON.stringify({ v: 1, ...notes });

/** From the server's text; what is not understood is no note. */
export function readNotes(text: string): Notes {
  try {
    const json = JSON.parse(text) as Partial<Notes> | null;
    const hands: Record<number, HandNotes> = {};
    for (const [hand, row] of Object.entries(json?.hands ?? {}))
      if (Array.isArray(row)) hands[Number(hand)] = row.slice(0, rules.hand).map(checked);
    return { hands, round: Number(json?.round ?? 0), gone: Number(json?.gone ?? 0) };
  } catch {
    return noNotes();
  }
}

function checked(note: Note | null): Note | null {
  if (!Array.isArray(note?.species)) return null;
  const species = note.species.filter((s) => SPECIES.includes(s)).slice(0, SPECIES_KEPT);
  return species.length === 0 ? null : { species, sure: note.sure === true };
}

/**
 * May these notes, kept when nobody looked, still be about these cards? They may as long as no card has gone since, or
 * none of my hands had a turn since.
 */
export function stillFit(notes: Notes, view: DiverCityView): boolean {
  if (view.species_discard.length === notes.gone || view.active === null) return true;
  const mine = new Set(Object.keys(notes.hands).map(Number));
  const n = view.hands.length;
  for (let round = notes.round; round <= view.round; round++)
    if (mine.has((((view.active - (view.round - round)) % n) + n) % n)) return false;
  return true;
}
