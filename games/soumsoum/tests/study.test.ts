// What an analysis of Soum Soum puts on the board.
import './rules';
import { describe, expect, it } from 'vitest';
import type { Decision } from '$model/analysis';
import { depth, soundings } from '../page/study';
import type { Do } from '../page/types';

const decision = (more: Partial<Decision>): Decision => ({
  step: 3,
  seat: 0,
  played: { do: 'place', card: 0, at: [1, 1] },
  value: 0.4,
  best: { do: 'place', card: 2, at: [0, 3] },
  best_value: 0.61,
  lost: 0.21,
  luck: 0,
  mark: 'blunder',
  exact: false,
  candidates: [
    { action: { do: 'place', card: 2, at: [0, 3] }, value: 0.61, se: 0 },
    { action: { do: 'place', card: 1, at: [4, 4] }, value: 0.45, se: 0 },
    { action: { do: 'place', card: 0, at: [1, 1] }, value: 0.4, se: 0 },
  ],
  knew: {
    places: [
      { at: [1, 1], value: 0.4, se: 0 },
      { at: [0, 3], value: 0.33, se: 0 },
    ],
  },
  ...more,
});

describe('soundings', () => {
  it('show the card that was laid, the better choice where it lies, and other choices', () => {
    const d = decision({});
    const found = soundings({ decision: d, looked: d.best as Do });
    expect(Object.fromEntries(found?.chances ?? [])).toEqual({ 3: 61, 6: 40, 24: 45 });
    expect([found?.looked, found?.played, found?.range]).toEqual([3, 6, [40, 61]]);
  });

  it('point at the choice that is looked at', () => {
    const d = decision({});
    const found = soundings({ decision: d, looked: { do: 'place', card: 1, at: [4, 4] } });
    expect([found?.looked, found?.chances.get(24)]).toEqual([24, 45]);
  });

  it('are none where nothing lies on the board', () => {
    const take = { do: 'take', market: 1 };
    const d = decision({
      played: take,
      best: take,
      candidates: [{ action: take, value: 0.5, se: 0 }],
      knew: {},
    });
    expect(soundings({ decision: d, looked: take as Do })).toBeNull();
  });

  it('are deeper the better they are', () => {
    expect([20, 30, 60].map((n) => depth(n, [20, 60]))).toEqual([1, 2, 5]);
    expect(depth(40, [40, 40])).toBe(3);
  });
});
