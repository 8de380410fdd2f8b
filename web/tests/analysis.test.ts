// An analysed game: which step a decision belongs to, the curve of a seat's chance, and figures as they are shown.
import { describe, expect, it } from 'vitest';
import type { Analysis, Decision } from '../src/engine/analysis';
import {
  curve,
  decisionAt,
  foremost,
  isMarked,
  nextDecision,
  placed,
  signedPoints,
  stepsOfMoves,
  summary,
} from '../src/model/analysis';
import type { ReplayStep, View } from '../src/net/types';

const view = { seq: 0, game: 'reef', phase: 'x' } as View;
const step = (t: number, seat: number | null, action: ReplayStep['action']): ReplayStep => ({
  t,
  seat,
  action,
  events: [],
  view,
});
const line = (what: object): string => `${JSON.stringify(what)}\n`;
const record = [
  { fathom: 1 },
  { t: 5, seat: 0, do: 'plan', level: 2 },
  { t: 5, seat: 1, do: 'plan', level: 1 },
  { t: 9, do: 'due' },
  { t: 12, seat: 0, do: 'rest' },
  { result: 1 },
]
  .map(line)
  .join('');

function decided(no: number, seat: number, best: number, lost: number, luck: number): Decision {
  const [played, better] = [{ do: 'a' }, { do: 'b' }];
  return {
    step: no,
    seat,
    played,
    value: best - lost,
    best: lost > 0 ? better : played,
    best_value: best,
    lost,
    luck,
    mark: lost >= 0.2 ? 'blunder' : '',
    exact: false,
    candidates: [],
    knew: {},
  };
}

const seat = (n: number, result: number): Analysis['seats'][0] => ({
  seat: n,
  name: 'Ana',
  decisions: 2,
  accuracy: 90,
  result,
  lost: 0,
  luck: 0,
  slips: 0,
  mistakes: 0,
  blunders: 0,
});
const analysis: Analysis = {
  game: 'reef',
  rules: 1,
  budget: 'quick',
  seats: [seat(0, 1), seat(1, 0)],
  decisions: [
    decided(1, 0, 0.5, 0.25, 0.25),
    decided(2, 1, 0.4, 0, -0.4),
    decided(4, 0, 0.5, 0, 0.5),
  ],
};

describe('the step of a move', () => {
  it('is its own number for somebody who noticed every move', () => {
    const all = [
      step(0, null, null),
      step(5, 0, { do: 'plan', level: 2 }),
      step(5, 1, { do: 'plan', level: 1 }),
      step(9, null, { do: 'due' }),
      step(12, 0, { do: 'rest' }),
    ];
    expect(stepsOfMoves(record, all)).toEqual([0, 1, 2, 3, 4]);
  });

  it('is the last one that was noticed for others', () => {
    const some = [
      step(0, null, null),
      step(5, 1, { do: 'plan', level: 1 }),
      step(9, null, { do: 'due' }),
      step(12, 0, { do: 'rest' }),
    ];
    expect(stepsOfMoves(record, some)).toEqual([0, 0, 1, 2, 3]);
  });
});

describe('decisions', () => {
  const all = placed(analysis, [0, 1, 2, 3, 4], null);

  it('stand at the step before them', () => {
    expect(all.map((p) => p.at)).toEqual([0, 1, 3]);
    expect(decisionAt(all, 3)?.step).toBe(4);
    expect(decisionAt(all, 2)).toBeNull();
    expect(placed(analysis, [0, 1, 2, 3, 4], 1).map((p) => p.at)).toEqual([1]);
  });

  it('are found in both directions, or only those with a mark', () => {
    expect(nextDecision(all, 1, 1)?.at).toBe(3);
    expect(nextDecision(all, 1, -1)?.at).toBe(0);
    expect(nextDecision(all, 0, 1, isMarked)).toBeUndefined();
    expect(nextDecision(all, 3, -1, isMarked)?.at).toBe(0);
  });
});

describe('the curve', () => {
  const own = curve(analysis, placed(analysis, [0, 1, 2, 3, 4], null), 0, 4);

  it('tells what a choice lost from what others and chance did', () => {
    expect(own.map((s) => s.what)).toEqual(['lost', 'luck', 'level', 'luck']);
  });

  it('has no gap, and ends with the result at the last step', () => {
    own.slice(1).forEach((s, i) => expect(s.from).toEqual(own[i]?.to));
    expect(own.at(-1)?.to).toEqual([4, 1]);
  });

  it('adds up to what the analysis says', () => {
    const sum = (what: string): number =>
      own.filter((s) => s.what === what).reduce((n, s) => n + s.to[1] - s.from[1], 0);
    expect(sum('lost')).toBeCloseTo(-0.25, 9);
    expect(sum('luck')).toBeCloseTo(0.75, 9);
  });
});

describe('figures', () => {
  it('are whole points with a sign, and never minus nothing', () => {
    expect([0.137, -0.056, 0, -0.001].map(signedPoints)).toEqual(['+14', '−6', '0', '0']);
  });

  it('of choices are the best few, with what was played', () => {
    const candidates = ['b', 'c', 'd', 'a', 'e'].map((name, i) => ({
      action: { do: name },
      value: 0.9 - i / 10,
      se: 0,
    }));
    const d = { ...decided(1, 0, 0.9, 0.3, 0), candidates };
    expect(foremost(d, 3).map((c) => c.action.do)).toEqual(['b', 'c', 'a']);
    expect(foremost(d, 4).map((c) => c.action.do)).toEqual(['b', 'c', 'd', 'a']);
  });
});

describe('the sentences after a game', () => {
  it('say nothing, next to nothing or so much was lost', () => {
    const lost = [0, 0.004, 0.006].map((n) => summary({ lost: n, luck: 0 }, true).lost);
    expect(lost).toEqual(['none', 'little', 'lost']);
  });

  it('speak of luck against one rival, and of others and chance among several', () => {
    const luck = (n: number, alone: boolean) => summary({ lost: 0, luck: n }, alone).luck;
    expect([0.14, -0.14, 0.001].map((n) => luck(n, true))).toEqual(['lucky', 'unlucky', 'even']);
    expect([0.14, -0.14].map((n) => luck(n, false))).toEqual(['given', 'taken']);
  });
});
