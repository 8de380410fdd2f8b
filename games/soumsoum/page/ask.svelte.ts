// Previews: asks the server what moves would lead to, each question once for a view, and politely: the server takes
// 30 messages a second, we send 20 at most, and what the player looks at now goes first.
import { SvelteMap } from 'svelte/reactivity';
import type { SoumTable } from './types';
import { type Do, type SoumView } from './types';

const BURST_STEPS = 16;
const PER_SECOND_STEPS = 20;

/** A bucket of messages that fills again; time is an argument. */
export class Pace {
  private left = BURST_STEPS;
  constructor(private since: number) {}

  /** How many ms to wait for the next one; 0: it is taken. */
  take(now: number): number {
    this.left = Math.min(BURST_STEPS, this.left + ((now - this.since) / 1000) * PER_SECOND_STEPS);
    this.since = now;
    if (this.left < 1) return Math.ceil(((1 - this.left) / PER_SECOND_STEPS) * 1000);
    this.left--;
    return 0;
  }
}

export class Ask {
  private answers = new SvelteMap<string, SoumView>();
  private asked = new Set<string>();
  private line: { key: string; actions: Do[] }[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pace = new Pace(performance.now());
  private seq = -1;

  constructor(private readonly table: SoumTable) {}

  private key(actions: Do[]): string {
    return `${this.table.view?.seq ?? -1} ${JSON.stringify(actions)}`;
  }

  /** The view after these actions, once it is known. */
  answer(actions: Do[]): SoumView | undefined {
    return this.answers.get(this.key(actions));
  }

  /** To be known soon; `now`: before all else that waits. */
  want(actions: Do[], now = false): void {
    const seq = this.table.view?.seq ?? -1;
    if (seq !== this.seq) this.forget(seq);
    const key = this.key(actions);
    if (this.asked.has(key)) return;
    this.asked.add(key);
    if (now) this.line.unshift({ key, actions });
    else this.line.push({ key, actions });
    this.go();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.line = [];
  }

  private forget(seq: number): void {
    this.seq = seq;
    this.stop();
    this.asked.clear();
    this.answers.clear();
  }

  private go(): void {
    if (this.timer !== undefined) return;
    while (this.line.length > 0) {
      const wait = this.pace.take(performance.now());
      if (wait > 0) {
        this.timer = setTimeout(() => {
          this.timer = undefined;
          this.go();
        }, wait);
        return;
      }
      const next = this.line.shift();
      if (next !== undefined) void this.send(next.key, next.actions);
    }
  }

  private async send(key: string, actions: Do[]): Promise<void> {
    try {
      const view = await this.table.what(actions);
      if (key.startsWith(`${this.seq} `)) this.answers.set(key, view);
    } catch {
      this.asked.delete(key); // a cut, or the game went on: it may be asked again
    }
  }
}
