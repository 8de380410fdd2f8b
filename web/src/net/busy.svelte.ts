// Patience with a busy server. What it answers with 429 or 503 was not done, so it can be asked again: after the pause that
// it names, and a part by chance, so that a room full of phones does not come back all at once.

/** How often something is asked for before its refusal counts: about two minutes. */
export const TRIES = 12;
const LONGEST = 15000;

class Busy {
  /** How many requests wait for their turn; the page says so. */
  waiting = $state(0);

  /** Waits and is counted meanwhile. */
  async wait(ms: number, signal?: AbortSignal): Promise<void> {
    this.waiting++;
    try {
      await new Promise<void>((done) => {
        const timer = setTimeout(done, ms);
        signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          done();
        });
      });
    } finally {
      this.waiting--;
    }
  }
}

export const busy = new Busy();

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

/** Asks until the server is not too busy to answer, or has been for too long: then its last answer counts. */
export async function patiently(
  ask: () => Promise<Response>,
  wait = (ms: number): Promise<void> => busy.wait(ms),
): Promise<Response> {
  for (let failed = 1; ; failed++) {
    const answer = await ask();
    if (!isBusy(answer.status) || failed >= TRIES) return answer;
    await wait(pause(failed, asked(answer.headers.get('Retry-After'))));
  }
}

/** A part of the page that is loaded when it is needed. Why it could not be loaded is not told, so it is tried again a few times. */
export async function part<T>(
  load: () => Promise<T>,
  wait = (ms: number): Promise<void> => busy.wait(ms),
): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await load();
    } catch (e) {
      if (failed >= TRIES) throw e;
      await wait(pause(failed));
    }
  }
}
