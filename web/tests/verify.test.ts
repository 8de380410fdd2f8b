// The browser's hash agrees with the engine's: values from games/soumsoum/tests/verifier.py's own arithmetic (hashlib.blake2b).
import { describe, expect, it } from 'vitest';
import { compute, hash } from '../src/model/verify';
import type { TableInfo, Verdict } from '../src/net/types';

const EMPTY = '249ce395a7ecbac39158fae0d0f18c16e4dd9ec774af2cb6462b8e63b16eefbc';
const PARTS = '9eec924cf2ea89e0d6e2797fb60d8fd4425bdd6c514d249422177f8e71dc73dd';
const COMMITMENT = '4fe5abdb61d092e45219c673b99301b968d27a721122076d33107e9a6ea10951';
const DEALT = '94cc57422bf09cddf8fdd8370e3dc55185cb18f9630cf30c43d67c2ab145758c';

describe('hash', () => {
  it('of nothing but a domain', async () => expect(await hash('fathom seed 1')).toBe(EMPTY));
  it('of parts: lengths keep them apart', async () => {
    const [a, ab, b] = [new Uint8Array([1]), new Uint8Array([1, 2]), new Uint8Array([2])];
    expect(await hash('fathom seed 1', a, b)).toBe(PARTS);
    expect(await hash('fathom seed 1', ab)).not.toBe(PARTS);
  });
});

describe('compute', () => {
  const seed = '11'.repeat(32);
  const info: TableInfo = {
    table: '22'.repeat(16),
    options: { players: 2 },
    deck: { id: 'd', hash: '33'.repeat(32) },
    commitment: COMMITMENT,
    game: 'reef',
    state: 'over',
    listed: false,
    screen: false,
    seats: [],
    rematch: null,
  };
  const verdict = (over: object = {}): Verdict =>
    ({
      ok: true,
      message: null,
      steps: [
        { step: 'commitment', ok: true, shown: COMMITMENT },
        { step: 'deal', ok: true, seed, contributions: ['44', ''], dealt: DEALT, ...over },
      ],
    }) as Verdict;

  it('finds the same seal and deal', async () =>
    expect(await compute(verdict(), info, '{"players":2}')).toEqual({
      commitment: COMMITMENT,
      dealt: DEALT,
      ok: true,
    }));
  it('notices other options', async () =>
    expect((await compute(verdict(), info, '{"players":3}'))?.ok).toBe(false));
  it('notices another contribution', async () =>
    expect((await compute(verdict({ contributions: ['45', ''] }), info, '{"players":2}'))?.ok).toBe(
      false,
    ));
  it('has nothing to say without a seed', async () =>
    expect(await compute(verdict({ seed: null }), info, '')).toBeNull());
});
