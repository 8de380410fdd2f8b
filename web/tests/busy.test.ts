// Patience with a busy server.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api, Refusal } from '../src/net/api';
import { asked, part, patiently, pause, TRIES } from '../src/net/busy.svelte';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response('{}', { status, headers });

/** Answers of a server in this order, the last for ever; and how long was waited before each but the first. */
function server(...answers: Response[]) {
  const waits: number[] = [];
  const ask = vi.fn(() =>
    Promise.resolve((answers.length > 1 ? answers.shift() : answers[0]?.clone()) as Response),
  );
  return { ask, waits, wait: async (ms: number) => void waits.push(ms) };
}

describe('W16 Retry-After', () => {
  it('is seconds, or a date', () => {
    expect(asked('3')).toBe(3000);
    expect(asked('Mon, 16 Nov 2026 20:00:05 GMT', Date.UTC(2026, 10, 16, 20))).toBe(5000);
  });
  it('is bounded, and a second where it says nothing sensible', () => {
    expect(asked('999999999')).toBe(120000);
    expect(asked('Mon, 16 Nov 2026 20:00:00 GMT', Date.UTC(2026, 10, 16, 21))).toBe(0);
    for (const nothing of [null, '', 'soon', '-4x']) expect(asked(nothing)).toBe(1000);
  });
});

describe('W16 a pause', () => {
  it('is never shorter than asked for, grows, ends somewhere, and is spread by chance', () => {
    expect(pause(1, 3000, 0)).toBe(3000);
    expect(pause(1, 3000, 1)).toBe(4500);
    expect(pause(3, 0, 0)).toBeGreaterThan(pause(2, 0, 0));
    expect(pause(60, 0, 0)).toBe(15000);
  });
});

describe('W16 a busy server', () => {
  it.each([429, 503])('is asked again after %d, as late as it wants', async (status) => {
    const s = server(
      answer(status, { 'Retry-After': '2' }),
      answer(status, { 'Retry-After': '7' }),
      answer(200),
    );
    expect((await patiently(s.ask, s.wait)).status).toBe(200);
    expect(s.ask).toHaveBeenCalledTimes(3);
    expect(s.waits[0]).toBeGreaterThanOrEqual(2000);
    expect(s.waits[1]).toBeGreaterThanOrEqual(7000);
  });
  it.each([200, 400, 401, 404, 409, 500])('is not asked again after %d', async (status) => {
    const s = server(answer(status));
    expect((await patiently(s.ask, s.wait)).status).toBe(status);
    expect(s.ask).toHaveBeenCalledTimes(1);
  });
  it('that stays busy is believed in the end', async () => {
    const s = server(answer(429));
    expect((await patiently(s.ask, s.wait)).status).toBe(429);
    expect(s.ask).toHaveBeenCalledTimes(TRIES);
  });
  it('is waited for when a part of the page is loaded', async () => {
    const waits: number[] = [];
    let failures = 2;
    const load = () =>
      failures-- > 0
        ? Promise.reject(new TypeError('Failed to fetch dynamically imported module'))
        : Promise.resolve('loaded');
    expect(await part(load, async (ms) => void waits.push(ms))).toBe('loaded');
    expect(waits.length).toBe(2);
    await expect(
      part(
        () => Promise.reject(new Error('gone')),
        async () => undefined,
      ),
    ).rejects.toThrow('gone');
  });
});

describe('W16 a request', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  it('of any kind is made again when the server was busy, with the same body', async () => {
    vi.useFakeTimers();
    const bodies: unknown[] = [];
    const answers = [
      answer(429, { 'Retry-After': '1' }),
      answer(503, { 'Retry-After': '1' }),
      new Response('{"seat":1,"token":"t"}', { status: 201 }),
    ];
    vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
      bodies.push(init.body);
      return Promise.resolve(answers.shift());
    });
    const sat = api.sit('0', 'Ana', '', '00');
    await vi.advanceTimersByTimeAsync(30000);
    expect(await sat).toMatchObject({ seat: 1, token: 't' });
    expect(bodies.length).toBe(3);
    expect(new Set(bodies).size).toBe(1);
  });
  it('that is refused for a reason is refused at once', async () => {
    vi.stubGlobal('fetch', () =>
      Promise.resolve(
        new Response('{"error":{"code":"full","message":"no seat"}}', { status: 409 }),
      ),
    );
    await expect(api.sit('0', 'Ana', '', '00')).rejects.toThrow(Refusal);
  });
});
