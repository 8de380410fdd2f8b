// The plan on the diver board: picking up, putting, taking back, flipping, gaps, and what the server is told.
import './rules';
import { describe, expect, it } from 'vitest';
import * as d from '../page/draft';

/** A plan from a short text: "2s 13 5" is 2 with a shark on level 1, 1 and 3 on level 2, 5 on level 3; "-" is empty. */
function plan(text: string): d.Draft {
  const levels = text.split(' ').map((w) => ({
    tokens: [...w].filter((c) => c >= '1' && c <= '5').map(Number),
    shark: w.includes('s'),
  }));
  return d.from({ levels });
}
const text = (draft: d.Draft) =>
  draft.rows
    .map((r) => r.tokens.join('') + (r.shark ? 's' : '') || '-')
    .join(' ')
    .replace(/( -)+$/, '');

describe('tapping', () => {
  it('a token of the tray goes to the next level, without a shark', () => {
    const draft = d.tap(d.tap(d.fresh(), 4), 2);
    expect(text(draft)).toBe('4 2');
    expect(d.tray(draft)).toEqual([1, 3, 5]);
    expect(d.next(draft)).toBe(3);
  });

  it('a level that was aimed at takes the next token, and only that', () => {
    const draft = d.tap(d.tap(d.aim(plan('4 2'), 1), 5), 1);
    expect(text(draft)).toBe('45 2 1');
  });

  it('aiming again, or at an empty level, aims at nothing', () => {
    expect(d.aim(d.aim(plan('4 2'), 1), 1).aim).toBeNull();
    expect(d.aim(plan('4 2'), 3).aim).toBeNull();
  });

  it('a placed token goes back to the tray and may leave a gap', () => {
    const draft = d.back(plan('4 2s 1'), 2);
    expect(text(draft)).toBe('4 - 1');
    expect(d.gap(draft)).toBe(2);
    expect(d.problem(draft)).toBe('gap');
  });

  it('an emptied level forgets its shark', () => {
    expect(text(d.tap(d.back(plan('4 2s'), 2), 3))).toBe('4 3');
  });
});

describe('pick and put', () => {
  it('what is picked up is put on a filled level and adds up', () => {
    const draft = d.put(d.pick(plan('2 1 5'), 3), 2);
    expect(text(draft)).toBe('2 13 5');
    expect(d.speed(draft, 2)).toBe(4);
    expect(draft.held).toBeNull();
  });

  it('a placed token can be moved', () => {
    expect(text(d.put(d.pick(plan('2 1 5'), 5), 1))).toBe('25 1');
  });

  it('a level below the next one is closed: nothing changes and the token stays in the hand', () => {
    const draft = d.pick(plan('2 1'), 4);
    expect(d.put(draft, 5)).toBe(draft);
    expect(d.closed(draft, 3)).toBe(false);
    expect(d.closed(draft, 4)).toBe(true);
  });

  it('picking the same again puts it down', () => {
    expect(d.pick(d.pick(d.fresh(), 4), 4).held).toBeNull();
  });

  it('a gap is filled first, but levels below it still take tokens', () => {
    const gap = d.back(plan('4 2 1'), 2);
    expect(text(d.put(d.pick(gap, 5), 3))).toBe('4 - 15');
    expect(d.closed(gap, 4)).toBe(true);
    expect(text(d.tap(gap, 3))).toBe('4 3 1');
  });

  it('Backspace returns what is held, else the last token of the level, else of the deepest', () => {
    expect(text(d.backFrom(d.pick(plan('4 2 1'), 4), null))).toBe('- 2 1');
    expect(text(d.backFrom(plan('24 13 5'), 2))).toBe('24 1 5');
    expect(text(d.backFrom(plan('24 13 5'), null))).toBe('24 13');
  });
});

describe('faces', () => {
  it('belong to the level, not to the token', () => {
    const draft = d.put(d.pick(d.flip(plan('4 2'), 1), 4), 2);
    expect(text(draft)).toBe('- 24');
  });

  it('flip there and back', () => {
    expect(text(d.flip(plan('4'), 1))).toBe('4s');
    expect(text(d.flip(plan('4s'), 1))).toBe('4');
  });

  it('an empty level has none', () => {
    expect(text(d.flip(plan('4'), 2))).toBe('4');
  });
});

describe('companions', () => {
  it('the clownfish lies on a filled level, adds 3, and falls off with its last token', () => {
    const draft = d.put(d.pick(plan('4 2'), 'clownfish'), 2);
    expect(draft.clownfish).toBe(2);
    expect(d.speed(draft, 2)).toBe(5);
    expect(d.put(d.pick(plan('4 2'), 'clownfish'), 3).clownfish).toBeNull();
    expect(d.back(draft, 2).clownfish).toBeNull();
  });

  it('the anglerfish needs five levels and goes when one is emptied', () => {
    const draft = d.flip(d.anglerfish(plan('4 2 1 3 5'), true), 6);
    expect(draft.anglerfish).toBe(true);
    expect(d.reach(draft)).toBe(6);
    expect(d.back(draft, 1).anglerfish).toBeNull();
    expect(d.anglerfish(plan('4 2'), true).anglerfish).toBeNull();
  });
});

describe('what is sent', () => {
  it('is the levels above the first gap', () => {
    expect(d.sent(d.back(plan('4s 2 1'), 2))).toEqual({
      do: 'program',
      levels: [{ tokens: [4], shark: true }],
    });
  });

  it('is an empty board when nothing lies on level 1', () => {
    expect(d.sent(d.back(plan('4 2'), 4))).toEqual({ do: 'program', levels: [] });
    expect(d.problem(d.fresh())).toBe('empty');
  });

  it('holds the clownfish only above the gap, the anglerfish only under five levels', () => {
    const clown = d.put(d.pick(plan('4 2 1'), 'clownfish'), 3);
    expect(d.sent(clown)).toMatchObject({ clownfish: 3 });
    expect(d.sent(d.back(clown, 2))).not.toHaveProperty('clownfish');
    expect(d.sent(d.anglerfish(plan('4 2 1 3 5'), true))).toMatchObject({
      anglerfish: { shark: false },
    });
  });

  it('does not change when something is only picked up or aimed at', () => {
    expect(d.same(plan('4 2'), d.pick(plan('4 2'), 4))).toBe(true);
    expect(d.same(plan('4 2'), d.aim(plan('4 2'), 1))).toBe(true);
  });

  it('comes back as it was', () => {
    const sent = d.sent(plan('4s 13 5s'));
    expect(text(d.from(sent))).toBe('4s 13 5s');
  });
});

describe("the children's version", () => {
  it('is faces alone, all five of them', () => {
    let draft = d.fresh(true);
    for (const level of [1, 2, 3, 4]) draft = d.face(draft, level, level % 2 === 0);
    expect(d.problem(draft)).toBe('faces');
    expect(d.sent(draft)).toEqual({
      do: 'program',
      levels: [{ shark: false }, { shark: true }, { shark: false }, { shark: true }],
    });
    expect(d.problem(d.face(draft, 5, false))).toBeNull();
  });
});
