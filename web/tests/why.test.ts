// Where one can ask why: a choice of a bot, told in a change that is known; each choice once.
import { describe, expect, it } from 'vitest';
import type { WhyWords } from '../src/model/game';
import type { Table } from '../src/model/table.svelte';
import { questions } from '../src/model/why';
import { LOCAL } from '../src/net/local';
import type { GameEvent, SeatInfo } from '../src/net/types';

const seats = [{ bot: null }, { bot: 'greedy' }].map((s, seat) => ({ ...s, seat })) as SeatInfo[];
const why: WhyWords = {
  mover: (e) => (e['event'] === 'moved' ? Number(e['seat']) : null),
  reason: () => null,
  option: () => ({ text: '' }),
};
const moved = (seat: number): GameEvent => ({ event: 'moved', seat });

function table(seqs: Map<GameEvent, number>, more: Partial<Table> = {}): Table {
  const moment = (e: GameEvent): { who: number; seq: number } | null => {
    const seq = seqs.get(e);
    return seq === undefined ? null : { who: 0, seq };
  };
  return { id: 'f00d', seats, state: 'open', view: {}, moment, ...more } as Table;
}

describe('one can ask why', () => {
  it('a bot did something, and not why a person did, nor what is no choice', () => {
    const [mine, its, other] = [moved(0), moved(1), { event: 'drew', seat: 1 }];
    const seqs = new Map([mine, its, other].map((e, i) => [e, i]));
    const found = questions(table(seqs), why, [mine, its, other]);
    expect([...found]).toEqual([[its, { who: 0, seq: 1, seat: 1 }]]);
  });

  it('once for a choice that several events tell of, with the first of them', () => {
    const [first, second] = [moved(1), moved(1)];
    const seqs = new Map([first, second].map((e) => [e, 4]));
    expect([...questions(table(seqs), why, [first, second]).keys()]).toEqual([first]);
  });

  it('not where the change is not known, nor in a game that explains nothing', () => {
    const its = moved(1);
    expect(questions(table(new Map()), why, [its]).size).toBe(0);
    expect(questions(table(new Map([[its, 1]])), undefined, [its]).size).toBe(0);
  });

  it('not at a table of this device, where nobody could answer', () => {
    const its = moved(1);
    const here = { id: `${LOCAL}0123456789abcdef` };
    expect(questions(table(new Map([[its, 1]]), here), why, [its]).size).toBe(0);
  });

  it('only afterwards where choices are secret', () => {
    const its = moved(1);
    const secret = { ...why, afterwards: true };
    const seqs = new Map([[its, 1]]);
    expect(questions(table(seqs), secret, [its]).size).toBe(0);
    expect(questions(table(seqs, { state: 'replay' }), secret, [its]).size).toBe(1);
    const over = { result: { winners: [1] } };
    expect(questions(table(seqs, { view: over } as Partial<Table>), secret, [its]).size).toBe(1);
  });
});
