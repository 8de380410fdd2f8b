// An analysis of Dive in words: programs, what eyes believe, and what they cost.
import './rules';
import { describe, expect, it } from 'vitest';
import type { Decision } from '$model/analysis';
import { faceOn, likeliestHelper, pointed, sharkChance, study, type Chances } from '../page/study';
import type { DiveAction, DiveView, Program } from '../page/types';

const chances = (some: Partial<Chances>): Chances => ({
  empty: 0,
  green: 0,
  red: 0,
  manta: 0,
  shark: 0,
  'shark+green': 0,
  'shark+red': 0,
  'shark+manta': 0,
  ...some,
});

describe('a belief', () => {
  const belief = chances({ empty: 0.2, green: 0.3, shark: 0.1, 'shark+green': 0.35, manta: 0.05 });
  it('has a chance of a shark, whatever else is there', () =>
    expect(sharkChance(belief)).toBeCloseTo(0.45));
  it('has a likeliest helper, with or without a shark', () => {
    expect(likeliestHelper(belief).helper).toBe('green');
    expect(likeliestHelper(belief).chance).toBeCloseTo(0.65);
    expect(likeliestHelper(chances({ shark: 0.6, red: 0.4 })).helper).toBeNull();
  });
});

const program: Program = {
  levels: [
    { tokens: [2], shark: true },
    { tokens: [3, 4], shark: false },
  ],
};

describe('a program', () => {
  it('has a face on each level that it goes to, the sixth included', () => {
    expect([1, 2, 3].map((n) => faceOn(program, n))).toEqual([true, false, null]);
    const five = Array.from({ length: 5 }, () => ({ tokens: [1], shark: false }));
    expect(faceOn({ levels: five, anglerfish: { shark: true } }, 6)).toBe(true);
  });

  it('that is pointed at is the best, the one that was played, or another', () => {
    const of = (depth: number): DiveAction => ({
      do: 'program',
      levels: program.levels.slice(0, depth),
    });
    const [best, played, other] = [of(2), of(1), of(0)];
    const candidates = [best, played, other].map((action) => ({ action, value: 0.5, se: 0 }));
    const decision = { best, played, candidates } as object as Decision;
    const is = (looked: DiveAction): string | undefined => pointed({ decision, looked })?.is;
    expect([best, played, other].map(is)).toEqual(['best', 'played', 'another']);
    expect(pointed({ decision, looked: { do: 'axolotl', use: true } })).toBeNull();
    expect(pointed(null)).toBeNull();
  });

  it('is told by its air and its faces', () => {
    const { text } = study.option({ do: 'program', ...program }, {} as DiveView, 0, String);
    expect(text).toBe('dive.study.level · 3+4');
  });
});

describe('the end of a game', () => {
  const end = (eyes?: number): string | null | undefined =>
    study.closer?.({ ...(eyes === undefined ? {} : { eyes }) } as Parameters<
      NonNullable<typeof study.closer>
    >[0]);
  it('says what eyes cost in whole spaces, and nothing if nobody asked sharp ones', () => {
    expect(end()).toBeNull();
    expect(end(0.4)).toBe('dive.study.eyes.none');
    expect(end(2.3)).toBe('dive.study.eyes.other');
  });
});
