// A dive told level by level: who sees what when, what is kept, where the pawns stand.
import './rules';
import { describe, expect, it } from 'vitest';
import { laneOf, pawnsAt, rowsOf, storyOf } from '../page/story';
import type { Dive } from '../page/types';

/* Two divers and the chief; seat 1 errs on level 2 in Deep Waters, the chief enters Deep Waters on level 1. */
const dive: Dive = {
  round: 3,
  cards: ['red', 'shark', 'empty'],
  turns: [0, 1, 2],
  programs: [
    {
      levels: [
        { tokens: [1], shark: false },
        { tokens: [2], shark: true },
        { tokens: [3], shark: false },
      ],
    },
    {
      levels: [
        { tokens: [2], shark: false },
        { tokens: [5], shark: false },
        { tokens: [1], shark: true },
      ],
    },
  ],
  right: [
    [true, true, true],
    [true, false],
  ],
  chief: { speeds: [6, 2, 3, 4], yellow: [3, 4], bubbles: [3, 4] },
  moves: [
    { seat: 'chief', why: 'red', level: 1, from: 14, to: 16 },
    { seat: 0, why: 'rest', from: 4, to: 7 },
    { seat: 1, why: 'rest', from: 17, to: 17 },
    { seat: 'chief', why: 'rest', from: 16, to: 18 },
  ],
};
const view = { dive, pawns: [7, 17], chief: 18, children: false };
const story = storyOf(view, [{ event: 'wrong', seat: 1, level: 2, keeps: 0 }]);
if (story === null) throw new Error('no story');

describe('pawns', () => {
  it('begin where the dive began and move with the helper, not before', () => {
    expect([...story.start]).toEqual([
      [0, 4],
      [1, 17],
      ['chief', 14],
    ]);
    expect(pawnsAt(story, 1, 1).get('chief')).toBe(14);
    expect(pawnsAt(story, 1, 2).get('chief')).toBe(16);
    expect([...story.end]).toEqual([
      [0, 7],
      [1, 17],
      ['chief', 18],
    ]);
  });
});

describe('lanes', () => {
  it('hide the others below the level that is shown, and until the faces turn', () => {
    expect(laneOf(story, 1, 1, 1, 0, 0).kind).toBe('fog');
    expect(laneOf(story, 1, 1, 1, 1, 0).kind).toBe('call');
    expect(laneOf(story, 1, 3, 1, 2, 0).kind).toBe('fog');
  });

  it("show one's own plan from the start", () => {
    expect(laneOf(story, 0, 3, 1, 0, 0)).toMatchObject({ kind: 'plan', tokens: [3], shark: false });
    expect(laneOf(story, 0, 4, 1, 0, 0).kind).toBe('none');
  });

  it('mark what a mistake in Deep Waters costs once it is shown', () => {
    expect(laneOf(story, 1, 1, 2, 0, 0)).toMatchObject({ kind: 'call', lost: false });
    expect(laneOf(story, 1, 1, 2, 1, 0)).toMatchObject({ kind: 'call', lost: true, lostAt: 2 });
    expect(laneOf(story, 1, 3, 2, 1, 0).kind).toBe('over');
  });

  it("cover the chief's yellow numbers when its pawn is in Deep Waters", () => {
    expect(laneOf(story, 'chief', 3, 1, 1, 0)).toMatchObject({
      kind: 'chief',
      yellow: true,
      bubble: false,
    });
    expect(laneOf(story, 'chief', 3, 1, 2, 0)).toMatchObject({ kind: 'chief', bubble: true });
  });
});

describe('rest', () => {
  it('says which levels are kept, lost and were never planned', () => {
    expect(story.rests.map((r) => r.levels.map((l) => l[0]).join(''))).toEqual([
      'kkknn',
      'lllnn',
      'kknnn',
    ]);
    expect(story.rests[1]?.wrong).toEqual({ level: 2, deep: true });
  });

  it('has six rows for an anglerfish', () => {
    const levels = [1, 2, 3, 4, 5].map((n) => ({ tokens: [n], shark: false }));
    const six = storyOf({
      ...view,
      dive: {
        ...dive,
        programs: [{ levels, anglerfish: { shark: true } }, dive.programs[1] ?? { levels: [] }],
      },
    });
    expect(six && rowsOf(six)).toBe(6);
  });
});
