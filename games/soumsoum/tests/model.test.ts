// What the client reads from Soum Soum's views, and how it tells it.
import './rules';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  atOf,
  card,
  cardAt,
  changes,
  gains,
  hits,
  laidSince,
  mayDive,
  mayPlace,
  mayTake,
  onlyPass,
  placeOf,
  ranking,
  top,
  turn,
  zonePlaces,
} from '../page/model';
import type { SoumView } from '../page/types';

const empty = (): (string | null)[][] =>
  [0, 1, 2, 3, 4].map((r) => [0, 1, 2, 3, 4].map((c) => (r === 2 && c === 2 ? 'sub' : null)));

function view(more: Partial<SoumView> = {}, cards: Record<string, string> = {}): SoumView {
  const board = empty();
  for (const [at, text] of Object.entries(cards)) {
    const [r = 0, c = 0] = at.split(',').map(Number);
    (board[r] as (string | null)[])[c] = text;
  }
  return {
    seq: 0,
    game: 'soumsoum',
    seat: 0,
    phase: 'place',
    active: 0,
    board,
    tokens: [],
    tokens_left: [5, 5],
    pile: 30,
    market: null,
    scores: [0, 0],
    hand: [],
    legal: [],
    ...more,
  };
}

describe('cards as text', () => {
  it('reads animal, counted animal and zone', () => {
    expect(card('shark:octopus@row')).toEqual({
      shows: ['shark'],
      counts: 'octopus',
      zone: 'row',
      self: true,
    });
  });

  it('reads several animals and "not itself"', () => {
    expect(card('octopus+hermit:any@orthogonal-self')).toEqual({
      shows: ['octopus', 'hermit'],
      counts: 'any',
      zone: 'orthogonal',
      self: false,
    });
  });

  it('reads every card of the deck that comes with Fathom', () => {
    const deck = JSON.parse(readFileSync(new URL('../deck.json', import.meta.url), 'utf8')) as {
      cards: { animals: string[]; count: string; zone: string }[];
    };
    expect(deck.cards).toHaveLength(36);
    for (const c of deck.cards) {
      const read = card(`${c.animals.join('+')}:${c.count}@${c.zone}`);
      expect([read.shows, read.counts, read.zone]).toEqual([c.animals, c.count, c.zone]);
    }
  });
});

describe('places', () => {
  it('are numbered row by row', () => {
    expect(placeOf([2, 3])).toBe(13);
    expect(atOf(13)).toEqual([2, 3]);
  });

  it('the pictures of the zones are those of the rules', () => {
    // text/rules.en.md, on row 1, column 3: all o, and # itself
    const text = readFileSync(new URL('../text/rules.en.md', import.meta.url), 'utf8');
    const lines = text.split('\n');
    const head = lines.findIndex((l) => /^ *row +column +around/.test(l));
    const names = (lines[head] as string).trim().split(/\s+/) as Parameters<typeof zonePlaces>[0][];
    expect(names).toEqual(['row', 'column', 'around', 'diagonals', 'orthogonal', 'board']);
    names.forEach((zone, i) => {
      const drawn = lines
        .slice(head + 1, head + 6)
        .map((l) => l.trim().split(/ {2,}/)[i]?.split(' ') ?? []);
      const places = drawn.flatMap((row, r) =>
        row.flatMap((sign, c) => (sign === 'o' || sign === '#' ? [r * 5 + c] : [])),
      );
      expect(
        zonePlaces(zone, 8).filter((p) => p !== 12),
        zone,
      ).toEqual(places);
    });
  });

  it('ticks go to cards in the zone that show what is counted', () => {
    const v = view(
      {},
      { '1,0': 'shark:shark@row', '1,4': 'octopus:shark@row', '0,3': 'shark:shark@row' },
    );
    expect(hits(v, 8, card('shark:shark@row'))).toEqual([5, 8]);
    expect(hits(v, 8, card('shark:shark@row-self'))).toEqual([5]);
    expect(hits(v, 8, card('hermit:any@board'))).toEqual([3, 5, 8, 9]);
    expect(cardAt(v, 12)).toBeNull();
  });
});

describe('what may be done is what the view lists', () => {
  it('place, for a card of the hand', () => {
    const v = view({
      legal: [
        { do: 'place', card: 0, at: [0, 0] },
        { do: 'place', card: 1, at: [0, 1] },
      ],
    });
    expect([...mayPlace(v, 1)]).toEqual([1]);
    expect(onlyPass(v)).toBe(false);
  });

  it('diver, pass and take', () => {
    const v = view({ phase: 'diver', legal: [{ do: 'pass' }, { do: 'diver', at: [4, 4] }] });
    expect([...mayDive(v)]).toEqual([24]);
    expect(onlyPass(v)).toBe(false);
    expect(onlyPass(view({ phase: 'diver', legal: [{ do: 'pass' }] }))).toBe(true);
    expect([...mayTake(view({ phase: 'take', legal: [{ do: 'take', market: 2 }] }))]).toEqual([2]);
  });
});

describe('two views', () => {
  const before = view({
    tokens: [
      { at: [0, 0], seat: 0, worth: 2 },
      { at: [0, 1], seat: 1, worth: 1 },
      { at: [4, 4], seat: 1, worth: 0 },
    ],
  });
  const after = view({
    tokens: [
      { at: [0, 0], seat: 0, worth: 3 },
      { at: [0, 1], seat: 1, worth: 1 },
      { at: [2, 3], seat: 0, worth: 4 },
      { at: [4, 4], seat: 1, worth: 2 },
    ],
  });

  it('differ in divers that are worth something else; a new one is no change', () => {
    expect(changes(before, after)).toEqual([
      { place: 0, seat: 0, from: 2, to: 3 },
      { place: 24, seat: 1, from: 0, to: 2 },
    ]);
  });

  it('are summed up by seat; what cancels out is left out', () => {
    expect([...gains(changes(before, after))]).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect([
      ...gains([
        { place: 0, seat: 0, from: 1, to: 2 },
        { place: 1, seat: 0, from: 2, to: 1 },
      ]),
    ]).toEqual([]);
  });
});

describe('what the others did since my turn', () => {
  const placed = (seat: number, at: [number, number]) => ({ event: 'placed', seat, at });
  const dived = (seat: number, at: [number, number]) => ({ event: 'dived', seat, at, worth: 3 });

  it('is every card after my last one, with the diver of the same turn', () => {
    const told = [
      placed(1, [0, 0]),
      placed(0, [0, 1]),
      dived(0, [0, 1]),
      placed(1, [1, 0]),
      dived(1, [0, 0]),
      placed(2, [1, 1]),
      { event: 'passed', seat: 2 },
    ];
    expect(laidSince(told, 0)).toEqual([
      { seat: 1, place: 5, diver: { place: 0, worth: 3 } },
      { seat: 2, place: 6, diver: null },
    ]);
  });

  it('is everything before my first turn, and nothing right after my own', () => {
    expect(laidSince([placed(1, [0, 0])], 0).map((l) => l.place)).toEqual([0]);
    expect(laidSince([placed(1, [0, 0]), placed(0, [0, 1]), dived(0, [0, 1])], 0)).toEqual([]);
  });
});

describe('turns and the end', () => {
  it('a turn lasts until its last step', () => {
    const one = { '0,0': 'shark:shark@row' };
    const three = { ...one, '0,1': 'shark:shark@row', '0,2': 'shark:shark@row' };
    expect(turn(view())).toEqual({ now: 1, of: 12 });
    expect(turn(view({ phase: 'diver' }, one))).toEqual({ now: 1, of: 12 });
    expect(turn(view({ phase: 'take' }, three))).toEqual({ now: 2, of: 12 });
    expect(turn(view({ scores: [0, 0, 0] }, three))).toEqual({ now: 2, of: 8 });
  });

  it('a full board is the last turn', () => {
    const all = Object.fromEntries(
      [...Array(25).keys()]
        .filter((p) => p !== 12)
        .map((p) => [atOf(p).join(','), 'shark:shark@row']),
    );
    expect(turn(view({ phase: 'over', active: null }, all))).toEqual({ now: 12, of: 12 });
  });

  it('ranks by points, the winner before those it is tied with', () => {
    const v = view({
      phase: 'over',
      scores: [9, 12, 12],
      result: { winners: [2], scores: [9, 12, 12] },
    });
    expect(ranking(v)).toEqual([2, 1, 0]);
    expect(top(v)).toEqual([1, 2]);
  });
});
