// A replay cut into rounds, and one viewer's step found for another.
import { describe, expect, it } from 'vitest';
import { clock, hasRounds, rounds, stepAt } from '../src/model/timeline';
import type { ReplayStep, View } from '../src/net/types';

const step = (t: number, more: object): ReplayStep => ({
  t,
  seat: null,
  action: null,
  events: [],
  view: { seq: 0, game: 'reef', phase: 'x', ...more } as View,
});

describe('rounds', () => {
  it('follows the game where it counts them', () => {
    const steps = [1, 1, 2, 2, 2, 3].map((round, i) => step(i, { round }));
    expect(rounds(steps)).toEqual([
      { n: 1, from: 0, to: 2 },
      { n: 2, from: 2, to: 5 },
      { n: 3, from: 5, to: 6 },
    ]);
    expect(hasRounds(steps)).toBe(true);
  });

  it('is whoever is asked where it does not', () => {
    const steps = [0, 0, 1, 0].map((active, i) => step(i, { active }));
    expect(rounds(steps).map((r) => r.from)).toEqual([0, 2, 3]);
    expect(hasRounds(steps)).toBe(false);
  });

  it('has none without steps', () => expect(rounds([])).toEqual([]));
});

describe('stepAt', () => {
  const steps = [0, 100, 100, 250].map((t) => step(t, {}));
  it('is the last step that has happened by then', () =>
    expect([0, 99, 100, 249, 9999].map((t) => stepAt(steps, t))).toEqual([0, 0, 2, 2, 3]));
});

it('clock reads as minutes and seconds', () =>
  expect([0, 59999, 61000, 3600000].map(clock)).toEqual(['0:00', '0:59', '1:01', '60:00']));
