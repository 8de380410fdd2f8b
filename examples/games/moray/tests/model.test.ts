// What the page reads from Moray's views.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GameEvent } from '$net/types';
import { fish, lastIn, left, outcome, ranking } from '../page/model';
import type { Hole, MorayView } from '../page/types';

const hole = (room: number, total: number): Hole => ({ room, total, fish: [], worth: 1, bite: 2 });
const view = (more: Partial<MorayView> = {}): MorayView => ({
  seq: 0,
  game: 'moray',
  phase: 'lay',
  active: 0,
  holes: [hole(7, 3), hole(9, 0), hole(11, 0)],
  pile: 20,
  hand_sizes: [3, 3],
  scores: [1, 0],
  bites: [0, 0],
  ...more,
});

describe('fish', () => {
  it('are a kind and a size', () => {
    expect(fish('clownfish:3')).toEqual({ kind: 'clownfish', size: 3 });
  });

  it('of the deck all have a drawing', () => {
    const deck = JSON.parse(readFileSync(new URL('../deck.json', import.meta.url), 'utf8')) as {
      cards: { fish: string }[];
    };
    for (const kind of new Set(deck.cards.map((c) => c.fish)))
      expect(
        readFileSync(new URL(`../page/art/fish-${kind}.svg`, import.meta.url), 'utf8'),
      ).toContain('<svg');
  });
});

describe('the outcome of a move', () => {
  it('is what the preview says', () => {
    expect(outcome(view(), view({ holes: [hole(7, 5), hole(9, 0), hole(11, 0)] }), 0, 0)).toEqual({
      total: 5,
      gain: 0,
    });
    expect(
      outcome(view(), view({ holes: [hole(7, 0), hole(9, 0), hole(11, 0)], scores: [4, 0] }), 0, 0),
    ).toEqual({ total: 0, gain: 3 });
    expect(outcome(view(), view({ scores: [-1, 0] }), 0, 0).gain).toBe(-2);
  });
});

describe('what happened in a hole', () => {
  const events: GameEvent[] = [
    { event: 'laid', seat: 0, fish: 'goby:1', hole: 1 },
    { event: 'bitten', seat: 0, hole: 1, points: 2 },
    { event: 'laid', seat: 1, fish: 'goby:1', hole: 2 },
    { event: 'filled', seat: 1, hole: 2, points: 4 },
  ];
  it('is points won or lost', () => {
    expect(lastIn(events, 0)).toBeNull();
    expect(lastIn(events, 1)).toEqual({ seat: 0, gain: -2 });
    expect(lastIn(events, 2)).toEqual({ seat: 1, gain: 4 });
  });
});

describe('the end', () => {
  it('ranks winners first, then by score and bites', () => {
    const over = view({
      scores: [3, 5, 3, 5],
      bites: [1, 0, 0, 2],
      result: { winners: [1], scores: [3, 5, 3, 5], bites: [1, 0, 0, 2] },
    });
    expect(ranking(over)).toEqual([1, 3, 2, 0]);
  });

  it('is near when few fish are left', () => {
    expect(left(view({ pile: 0, hand_sizes: [1, 2] }))).toBe(3);
  });
});
