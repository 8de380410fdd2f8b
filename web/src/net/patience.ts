// How long to wait before something is tried again: as long as the server asks for, longer each time, and a part by chance, so
// that a room full of phones does not come back all at once.

/** How often something is asked for before its refusal counts: about two minutes. */
export const TRIES = 12;
const LONGEST = 15000;

export const isBusy = (status: number): boolean => status === 429 || status === 503;

/** What a Retry-After asks for, in ms: seconds or a date; a second if it says nothing sensible. */
export function asked(retryAfter: string | null, now = Date.now()): number {
  const text = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 120000) : 1000;
}

/** How long to wait before the next try when `failed` have failed: as asked, longer each time, and up to half as much again by chance. */
export function pause(failed: number, least = 0, chance = Math.random()): number {
  return Math.max(least, Math.min(250 * 2 ** failed, LONGEST)) * (1 + chance / 2);
}

/** Only waits. */
export const pass = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
