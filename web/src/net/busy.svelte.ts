// Patience with a busy server. What it answers with 429 or 503 was not done, so it can be asked again.
import { asked, isBusy, pause, TRIES } from './patience';

export { asked, isBusy, pause, TRIES };

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
