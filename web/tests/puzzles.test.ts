// Puzzles as the page has them: which comes next, how hard it is, and the decision that an answer shows.
import { describe, expect, it } from 'vitest';
import {
  decisionOf,
  foundBy,
  levelOf,
  nameOf,
  nextOf,
  recordOf,
  type Puzzle,
} from '../src/model/puzzles';

const lay = { do: 'lay', at: 1 };
const wait = { do: 'wait' };
const puzzle: Puzzle = {
  game: 'reef',
  step: 2,
  seat: 1,
  best: lay,
  margin: 0.25,
  difficulty: 0.5,
  tries: 8,
  glances: 1,
  bots: [
    { bot: 'crab', found: 0 },
    { bot: 'eel', found: 8 },
  ],
  exact: false,
  candidates: [
    { action: lay, value: 0.75, se: 0.01 },
    { action: wait, value: 0.5, se: 0.01 },
  ],
  record: [`{"commitment":"${'0123456789abcdef'.repeat(4)}"}`, '{"t":1}', '{"result":null}'],
};

describe('a puzzle', () => {
  it('is called by its deal', () => expect(nameOf(puzzle)).toBe('0123456789abcdef'));
  it('has a record of whole lines', () =>
    expect(recordOf(puzzle).split('\n').slice(1)).toEqual(['{"t":1}', '{"result":null}', '']));
  it('is easy, medium or hard by how often bots miss it', () =>
    expect(
      [0.25, 0.49, 0.5, 0.74, 0.75, 1].map((difficulty) => levelOf({ ...puzzle, difficulty })),
    ).toEqual([1, 1, 2, 2, 3, 3]));
  it('says how often bots found it', () => expect(foundBy(puzzle)).toEqual({ found: 8, of: 16 }));
});

describe('the decision that an answer shows', () => {
  it('loses nothing with the best choice', () => {
    const { played, lost } = decisionOf(puzzle, { ...lay, more: 1 }, 0);
    expect({ played, lost }).toEqual({ played: lay, lost: 0 });
  });
  it('loses what another candidate is behind', () => {
    const { played, value, best_value, lost } = decisionOf(puzzle, wait, 1);
    expect({ played, value, best_value, lost }).toEqual({
      played: wait,
      value: 0.5,
      best_value: 0.75,
      lost: 0.25,
    });
  });
  it('has nothing played by who asked for the answer', () => {
    const { played, candidates } = decisionOf(puzzle, null, null);
    expect(candidates.map((c) => c.action)).not.toContainEqual(played);
  });
  it('knows no value of what is not a candidate', () => {
    const odd = { do: 'sing' };
    const { played, lost } = decisionOf(puzzle, odd, null);
    expect({ played, lost }).toEqual({ played: odd, lost: 0 });
  });
});

describe('the next puzzle', () => {
  it('is the next that was not tried, also from the beginning', () => {
    expect(nextOf([undefined, 'solved', undefined], 0)).toBe(2);
    expect(nextOf([undefined, 'solved', 'tried'], 1)).toBe(0);
  });
  it('then one that was not solved', () =>
    expect(nextOf(['solved', 'tried', 'solved'], 1)).toBe(1));
  it('then any', () => expect(nextOf(['solved', 'solved'], 0)).toBe(1));
  it('is the first of all at first', () => expect(nextOf([undefined, undefined], -1)).toBe(0));
});
