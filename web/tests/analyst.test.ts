// Who works out an analysis: the device as long as it is quick enough, else the server, and the device again where there is none.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Analysis } from '../src/engine/analysis';
import { analyse, PATIENCE_MS, projected, type By, type Wish } from '../src/model/analyst';

const found = { game: 'any', seats: [], decisions: [] } as object as Analysis;
const elsewhere = { ...found, rules: 2 };

/** What happened, and how long a decision takes here. */
const seen = { here: 0, asked: [] as string[], took: 0, fails: false };

vi.mock('../src/engine/analysis-link', () => ({
  analyse: async ({
    progress,
    signal,
  }: {
    progress(n: number, of: number): void;
    signal: AbortSignal;
  }) => {
    seen.here++;
    for (let i = 0; i < 20; i++) {
      progress(i, 20);
      signal.throwIfAborted();
      vi.setSystemTime(Date.now() + seen.took);
      vi.advanceTimersByTime(seen.took);
      await null;
    }
    return found;
  },
}));
vi.mock('../src/net/api', () => ({
  api: {
    analysis: async (table: string) => {
      seen.asked.push(table);
      await null;
      if (seen.fails) throw new Error('busy');
      return elsewhere;
    },
  },
}));

const wish = (more: Partial<Wish> = {}): Wish => ({
  table: 'abcdefghijklmnop',
  record: '',
  seat: null,
  budget: 'quick',
  water: null,
  signal: new AbortController().signal,
  ...more,
});

describe('who analyses', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setTimeout'] });
    Object.assign(seen, { here: 0, asked: [], took: 100, fails: false });
  });

  it('is told by the first few decisions', () => {
    expect(projected(5000, 2, 20)).toBeNull();
    expect(projected(3000, 3, 20)).toBe(20000);
  });

  it('is the device if it is quick enough', async () => {
    expect(await analyse(wish())).toBe(found);
    expect(seen.asked).toEqual([]);
  });

  it('is the server if the device is slow, and that is said', async () => {
    const by: By[] = [];
    seen.took = PATIENCE_MS / 10;
    expect(await analyse(wish({ by: (who) => by.push(who) }))).toBe(elsewhere);
    expect([seen.here, seen.asked, by]).toEqual([1, ['abcdefghijklmnop'], ['server']]);
  });

  it('is the slow device after all if the server does not', async () => {
    const by: By[] = [];
    Object.assign(seen, { took: PATIENCE_MS / 10, fails: true });
    expect(await analyse(wish({ by: (who) => by.push(who) }))).toBe(found);
    expect([seen.here, by]).toEqual([2, ['server', 'device']]);
  });

  it('is never the server for a game of the device, or for a closer look', async () => {
    seen.took = PATIENCE_MS;
    expect(await analyse(wish({ table: '0'.repeat(16) + 'a' }))).toBe(found);
    expect(await analyse(wish({ budget: 'normal' }))).toBe(found);
    expect(seen.asked).toEqual([]);
  });

  it('stops when it is told to', async () => {
    const stopper = new AbortController();
    const progress = (n: number): void =>
      n === 4 ? stopper.abort(new Error('stopped')) : undefined;
    await expect(analyse(wish({ progress, signal: stopper.signal }))).rejects.toThrow('stopped');
    expect(seen.asked).toEqual([]);
  });
});
