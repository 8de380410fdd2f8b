// What a device keeps of a deal before it, and how it sits down: once, however often it has to ask.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addChance, sit } from '../src/model/begin';
import { dropChance, keepChance, keepSeal, keptDeal } from '../src/model/deals';
import { mine } from '../src/model/mine.svelte';
import { compare } from '../src/model/verify';
import type { TableInfo, Verdict } from '../src/net/types';

const info = (over: object = {}): TableInfo => ({
  table: '22'.repeat(16),
  game: 'reef',
  state: 'waiting',
  commitment: 'aa'.repeat(32),
  deck: { id: 'd', hash: 'bb'.repeat(32) },
  seats: [],
  options: {},
  listed: false,
  screen: false,
  rematch: null,
  ...over,
});
const verdict = (over: object = {}): Verdict =>
  ({
    ok: true,
    message: null,
    steps: [
      { step: 'commitment', ok: true, shown: 'aa'.repeat(32) },
      { step: 'deal', ok: true, contributions: ['', 'cc'], ...over },
    ],
  }) as Verdict;

/** Requests as they were sent; the answers are taken from `answers`: a status, or 'lost'. */
let sent: { method: string; path: string; body: Record<string, string> }[] = [];
let answers: (number | 'lost')[] = [];

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
  });
  vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body: string }) => {
    sent.push({ method, path, body: JSON.parse(body) as Record<string, string> });
    const status = answers.shift() ?? 201;
    if (status === 'lost') return Promise.reject(new TypeError('lost'));
    return Promise.resolve(
      new Response(
        JSON.stringify(
          status < 300 ? { seat: 1, token: 'tt' } : { error: { code: 'seat-taken', message: '' } },
        ),
        { status },
      ),
    );
  });
  vi.useFakeTimers();
  [sent, answers] = [[], []];
  mine.forget(info().table);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('W12 a seat is asked for', () => {
  it('again with the same id and the same chance after a lost answer', async () => {
    answers = ['lost', 'lost', 201];
    const sitting = sit(info(), 'Ana');
    await vi.runAllTimersAsync();
    await sitting;
    expect(sent.map((s) => s.body['id'])).toEqual([
      sent[0]?.body['id'],
      sent[0]?.body['id'],
      sent[0]?.body['id'],
    ]);
    expect(sent[0]?.body['id']).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(sent.map((s) => s.body['entropy'])).size).toBe(1);
    expect(keptDeal(info().table)?.chance).toEqual({ 1: sent[0]?.body['entropy'] });
  });
  it('with the same id by whoever tries again later, and with another one afterwards', async () => {
    answers = ['lost', 'lost', 'lost'];
    const sitting = sit(info(), 'Ana').catch(() => 'failed');
    await vi.runAllTimersAsync();
    expect(await sitting).toBe('failed');
    await sit(info(), 'Ana');
    await sit(info(), 'Ben');
    const ids = sent.map((s) => s.body['id']);
    expect(new Set(ids.slice(0, 4)).size).toBe(1);
    expect(ids[4]).not.toBe(ids[0]);
  });
  it('with another id after a refusal', async () => {
    answers = [409, 201];
    await sit(info(), 'Ana', 0).catch(() => undefined);
    await sit(info(), 'Ana', 1);
    expect(sent[0]?.body['id']).not.toBe(sent[1]?.body['id']);
  });
});

describe('W06 what this device keeps of a deal', () => {
  it('is the seal as it was first shown', () => {
    keepSeal(info());
    keepSeal(info({ commitment: 'ee'.repeat(32) }));
    expect(keptDeal(info().table)?.commitment).toBe('aa'.repeat(32));
  });
  it('is bounded: the oldest are dropped', () => {
    for (let i = 0; i < 100; i++) keepSeal(info({ table: String(i) }));
    expect(keptDeal('99')).toBeDefined();
    expect(keptDeal('39')).toBeUndefined();
  });
  it('names what does not agree', () => {
    keepSeal(info());
    keepChance(info().table, 1, 'cc');
    const kept = keptDeal(info().table);
    expect(compare(verdict(), info(), kept)).toEqual({ seal: true, deck: true, chance: true });
    expect(compare(verdict(), info({ commitment: 'ee'.repeat(32) }), kept)).toEqual({
      seal: false,
      deck: true,
      chance: true,
    });
    expect(compare(verdict(), info({ deck: { id: 'd', hash: 'ff' } }), kept)).toEqual({
      seal: true,
      deck: false,
      chance: true,
    });
    expect(compare(verdict({ contributions: ['cc', ''] }), info(), kept)).toEqual({
      seal: true,
      deck: true,
      chance: false,
    });
    dropChance(info().table, 1);
    expect(compare(verdict(), info(), keptDeal(info().table)).chance).toBeNull();
    expect(compare(verdict(), info(), undefined)).toEqual({ seal: null, deck: null, chance: null });
  });
});

describe('W06 who follows to a rematch', () => {
  it('adds chance for each seat, once, and keeps it', async () => {
    mine.put({
      table: info().table,
      game: 'reef',
      seats: [
        { seat: 0, token: 'a', name: 'Ana' },
        { seat: 1, token: 'b', name: 'Ben' },
      ],
    });
    await addChance(info());
    await addChance(info());
    expect(sent.map((s) => `${s.method} ${s.path}`)).toEqual(
      Array(2).fill(`PUT /api/tables/${info().table}/entropy`),
    );
    expect(keptDeal(info().table)?.chance).toEqual({
      0: sent[0]?.body['entropy'],
      1: sent[1]?.body['entropy'],
    });
  });
  it('keeps nothing that came too late, and asks nothing of a game that has started', async () => {
    mine.put({
      table: info().table,
      game: 'reef',
      seats: [{ seat: 0, token: 'a', name: 'Ana' }],
    });
    answers = [409];
    await addChance(info());
    expect(keptDeal(info().table)?.chance).toEqual({});
    await addChance(info({ state: 'playing' }));
    expect(sent.length).toBe(1);
  });
});
