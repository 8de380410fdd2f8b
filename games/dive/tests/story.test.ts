// A dive told level by level: who sees what when, what is kept, where the pawns stand.
import './rules';
import { describe, expect, it } from 'vitest';
import { BEATS, castOf, lastBeat, levelsShown, pawnsAt, storyOf, type Step } from '../page/story';
import type { Dive, Move } from '../page/types';
import { outcomeText, verdictText } from '../page/words';

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
    expect(pawnsAt(story, 1, BEATS.verdict).get('chief')).toBe(14);
    expect(pawnsAt(story, 1, BEATS.helper).get('chief')).toBe(16);
    expect([...story.end]).toEqual([
      [0, 7],
      [1, 17],
      ['chief', 18],
    ]);
  });
});

describe('the stage', () => {
  it('keeps every face closed until all of them turn', () => {
    for (const who of story.divers)
      for (const beat of [BEATS.stack, BEATS.lift, BEATS.dark])
        expect(castOf(story, who, 1, beat)).toEqual({ kind: 'shut' });
    for (const who of story.divers)
      expect(castOf(story, who, 1, BEATS.faces)).toMatchObject({ kind: 'call', call: { who } });
  });

  it('says from the start of a level who is out of the dive, and whose number is covered', () => {
    expect(castOf(story, 1, 3, BEATS.stack)).toEqual({ kind: 'over' });
    expect(castOf(story, 'chief', 3, BEATS.stack)).toEqual({ kind: 'covered' });
  });

  it('does not tell before the faces turn that a plan ends here', () => {
    const short = { ...dive.programs[0], levels: (dive.programs[0]?.levels ?? []).slice(0, 1) };
    const ends = storyOf({
      ...view,
      dive: {
        ...dive,
        programs: [short, dive.programs[1] ?? short],
        right: [[true], [true, true]],
      },
    });
    if (ends === null) throw new Error('no story');
    expect(castOf(ends, 0, 2, BEATS.dark)).toEqual({ kind: 'shut' });
    expect(castOf(ends, 0, 2, BEATS.faces)).toEqual({ kind: 'stays' });
    expect(castOf(ends, 0, 3, BEATS.stack)).toEqual({ kind: 'stays' });
  });

  it('ends a level with its verdict where nobody is helped', () => {
    expect(story.steps.map(lastBeat)).toEqual([BEATS.helper, BEATS.verdict, BEATS.verdict]);
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

  it('numbers six levels for an anglerfish', () => {
    const levels = [1, 2, 3, 4, 5].map((n) => ({ tokens: [n], shark: false }));
    const six = storyOf({
      ...view,
      dive: {
        ...dive,
        programs: [{ levels, anglerfish: { shark: true } }, dive.programs[1] ?? { levels: [] }],
      },
    });
    expect(six && levelsShown(six)).toBe(6);
  });
});

describe('a verdict', () => {
  const level = story.steps[1];
  if (level === undefined) throw new Error('no second level');
  const wrong = (...seats: number[]) => ({
    ...level,
    calls: level.calls.map((call) => ({
      ...call,
      right: !seats.some((seat) => seat === call.who),
    })),
  });
  /* No messages are loaded here: a sentence is its key. */
  const said = (seats: number[], me: number | null): string =>
    verdictText(wrong(...seats), me, String).text;
  it('names who is wrong, and says you to the diver who reads it', () => {
    expect(said([1], null)).toMatch('dive.stage.wrong');
    expect(said([1], 0)).toMatch('dive.stage.wrong');
    expect(said([1], 1)).toBe('dive.stage.youwrong');
    expect(said([0, 1], 1)).toBe('dive.stage.youtoo');
    expect(said([0, 1], null)).toMatch('dive.stage.wrong');
    expect(said([], 1)).toBe('dive.stage.allright');
  });

  it('tells who is helped or equally fast, and says you to the diver who reads it', () => {
    const bubbleless = { ...story, bubbles: new Map<number, number>() };
    const outcome = (more: Partial<Step>, me: number | null): string =>
      outcomeText(bubbleless, { ...level, helped: null, tie: [], ...more }, me, String);
    const down: Move = { seat: 1, why: 'green', level: 2, from: 4, to: 5 };
    expect(outcome({ helped: down }, null)).toBe('dive.tell.helped');
    expect(outcome({ helped: down }, 0)).toBe('dive.tell.helped');
    expect(outcome({ helped: down }, 1)).toBe('dive.tell.helpedyou');
    expect(outcome({ helped: { ...down, to: 3 } }, 1)).toBe('dive.tell.pulledyou');
    expect(outcome({ helped: { ...down, to: 4 } }, 1)).toBe('dive.tell.unmoved');
    expect(outcome({ tie: [0, 1] }, null)).toBe('dive.tell.tie');
    expect(outcome({ tie: [0, 1] }, 1)).toBe('dive.tell.tieyou');
  });
});
