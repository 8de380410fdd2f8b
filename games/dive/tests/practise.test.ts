// Keeping score of what one saw.
import './rules';
import { describe, expect, it } from 'vitest';
import {
  depth,
  exported,
  helpers,
  isStacks,
  STACKS_KEPT,
  mark,
  percent,
  readSheet,
  scores,
  sheetName,
  withStack,
  type Stack,
} from '../page/practise/practise';

const truth = ['shark', 'green', 'empty', 'shark+red', 'manta'];
const stack = (guess: (string | null)[], at = 0): Stack => ({
  at,
  took: 1000,
  clock: 0,
  guess,
  truth,
});

describe('a sheet', () => {
  it('is named as the server names it, and read back', () => {
    const names = [true, false].flatMap((shark) =>
      helpers.map((helper) => sheetName({ shark, helper })),
    );
    expect(new Set(names)).toEqual(
      new Set([
        'empty',
        'green',
        'red',
        'manta',
        'shark',
        'shark+green',
        'shark+red',
        'shark+manta',
      ]),
    );
    for (const name of names) expect(sheetName(readSheet(name))).toBe(name);
  });
});

describe('a mark', () => {
  it('is right only if shark and helper are', () => {
    expect(mark('shark+red', 'shark+red')).toBe('right');
    expect(mark('shark', 'shark+red')).toBe('shark');
    expect(mark('red', 'shark+red')).toBe('wrong');
    expect(mark(null, 'shark+red')).toBe('none');
    expect(mark('empty', 'green')).toBe('shark');
  });
});

describe('scores', () => {
  it('count each level by itself', () => {
    const all = scores([
      stack(['shark', 'green', 'shark', 'shark', null]),
      stack(['shark', 'red', 'empty', 'red', null]),
    ]);
    expect(all.map((s) => s.right)).toEqual([2, 1, 1, 0, 0]);
    expect(all.map((s) => s.shark)).toEqual([2, 2, 1, 1, 0]);
    expect(all.map((s) => s.said)).toEqual([2, 2, 2, 2, 0]);
    expect(all.every((s) => s.seen === 2)).toBe(true);
  });
  it('say nothing about nothing', () => {
    expect(percent(0, 0)).toBe(null);
    expect(percent(1, 3)).toBe(33);
    expect(scores([]).every((s) => s.seen === 0)).toBe(true);
  });
  it('tell how deep a dive would have gone: a wrong helper does not end it, no idea does', () => {
    expect(depth(stack(truth))).toBe(5);
    expect(depth(stack(['shark', 'red', 'shark', 'shark', 'manta']))).toBe(2);
    expect(depth(stack([null, 'green', 'empty', 'shark+red', 'manta']))).toBe(0);
  });
});

describe('what is kept', () => {
  it('has an end', () => {
    let all: Stack[] = [];
    for (let i = 0; i < STACKS_KEPT + 7; i++) all = withStack(all, stack(truth, i));
    expect(all.length).toBe(STACKS_KEPT);
    expect(all[0]?.at).toBe(7);
  });
  it('is checked on the way in', () => {
    expect(isStacks([stack(truth)])).toBe(true);
    expect(isStacks([])).toBe(true);
    for (const bad of [
      null,
      {},
      [null],
      [{ ...stack(truth), truth: ['shark'] }],
      [{ ...stack(truth), at: 'x' }],
      [{ ...stack(truth), guess: [1, 2, 3, 4, 5] }],
    ])
      expect(isStacks(bad)).toBe(false);
  });
  it('goes out as JSON that can be read again', () => {
    const out = JSON.parse(exported([stack(truth, Date.UTC(2026, 0, 2))])) as {
      fathom_practice: number;
      stacks: { at: string; truth: string[] }[];
    };
    expect(out.fathom_practice).toBe(1);
    expect(out.stacks[0]?.at).toBe('2026-01-02T00:00:00.000Z');
    expect(out.stacks[0]?.truth).toEqual(truth);
  });
});
