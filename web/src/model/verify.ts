// A finished game checked in this browser: its record by the rules themselves, which the engine knows, and its deal by BLAKE2b as
// docs/protocol.md defines it, loaded only here.
import { api } from '../net/api';
import type { TableInfo, Verdict, VerifyStep } from '../net/types';
import type { KeptDeal } from './deals';

const bytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (b) => parseInt(b, 16));
const hex = (b: Uint8Array): string =>
  Array.from(b, (x) => x.toString(16).padStart(2, '0')).join('');
const text = (s: string): Uint8Array => new TextEncoder().encode(s);

/** H(domain, a, b, …): every part is preceded by its length as a 64-bit number, little-endian. */
export async function hash(domain: string, ...parts: Uint8Array[]): Promise<string> {
  const { blake2b } = await import('@noble/hashes/blake2.js');
  const state = blake2b.create({ dkLen: 32 });
  for (const part of [text(domain), ...parts]) {
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(part.length), true);
    state.update(length).update(part);
  }
  return hex(state.digest());
}

/** What a record is worth. `here`: this device has replayed it; else it is the server's word. */
export interface Judged {
  verdict: Verdict;
  here: boolean;
}

/** Decks, games and rules that only the server has. */
const NOT_HERE = ['bad-deck', 'no-such-game', 'other-rules', 'unknown-rules'];

export async function judge(info: TableInfo): Promise<Judged> {
  const record = await api.record(info.table);
  const verdict = await api.judge(record, info.commitment).catch(() => null);
  if (verdict !== null && !NOT_HERE.includes(verdict.code ?? '')) return { verdict, here: true };
  return { verdict: await api.verify(info.table), here: false };
}

export interface Computed {
  commitment: string;
  dealt: string;
  ok: boolean;
}

const find = (verdict: Verdict, step: VerifyStep['step']): VerifyStep | undefined =>
  verdict.steps.find((s) => s.step === step);

/** What follows from the revealed seed. `options` is the object's text as the server writes it, byte for byte. */
export async function compute(
  verdict: Verdict,
  info: TableInfo,
  options: string,
): Promise<Computed | null> {
  const deal = find(verdict, 'deal');
  const shown = find(verdict, 'commitment')?.['shown'];
  const seed = deal?.['seed'];
  const contributions = deal?.['contributions'];
  if (typeof seed !== 'string' || !Array.isArray(contributions)) return null;
  const commitment = await hash(
    'fathom commitment 2',
    bytes(seed),
    bytes(info.table),
    text(options),
    bytes(info.deck.hash),
  );
  const dealt = await hash(
    'fathom deal 2',
    bytes(seed),
    ...contributions.map((c) => bytes(typeof c === 'string' ? c : '')),
  );
  return {
    commitment,
    dealt,
    ok: commitment === shown && commitment === info.commitment && dealt === deal?.['dealt'],
  };
}

/** What this device kept when somebody sat down here, held against what is said now. null: it kept nothing of the kind. */
export interface Compared {
  seal: boolean | null;
  deck: boolean | null;
  chance: boolean | null;
}

export function compare(verdict: Verdict, info: TableInfo, kept: KeptDeal | undefined): Compared {
  if (kept === undefined) return { seal: null, deck: null, chance: null };
  const contributions = find(verdict, 'deal')?.['contributions'];
  const added = Object.entries(kept.chance);
  return {
    seal:
      kept.commitment === info.commitment &&
      kept.commitment === find(verdict, 'commitment')?.['shown'],
    deck: kept.deck === info.deck.hash,
    chance:
      added.length === 0
        ? null
        : Array.isArray(contributions) &&
          added.every(([seat, chance]) => contributions[Number(seat)] === chance),
  };
}
