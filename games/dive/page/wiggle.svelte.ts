// Rocking the stack to both sides by itself: what lies deeper moves further. Held as long as somebody wants, and once if tapped.
import { settings } from '$model/settings.svelte';
import type { Eye, Tilt } from './eye.svelte';

const SIDE_DEG = 9;
const PERIOD_MS = 1600;

export class Wiggle {
  on = $state(false);
  private from: Tilt = [0, 0];
  private begun = 0;
  private until = Infinity;
  private frame = 0;

  constructor(private readonly eye: Eye) {}

  start(): void {
    this.until = Infinity;
    if (this.on) return;
    this.on = true;
    this.from = this.eye.tilt;
    this.begun = performance.now();
    this.step();
  }

  /** Lets go: it stops, but not before it has rocked once. */
  stop(): void {
    if (this.on) this.until = Math.max(performance.now(), this.begun + PERIOD_MS);
  }

  /** Stops at once and leaves the tilt as it is: somebody tilts by hand. */
  interrupt(): void {
    cancelAnimationFrame(this.frame);
    this.on = false;
  }

  private step(): void {
    const now = performance.now();
    if (now >= this.until) {
      this.interrupt();
      this.eye.tiltTo(...this.from);
      return;
    }
    const [x, y] = this.from;
    const turn = ((now - this.begun) / PERIOD_MS) * 2 * Math.PI;
    this.eye.tiltTo(x + SIDE_DEG * (settings.calm ? 1 : Math.sin(turn)), y);
    this.frame = requestAnimationFrame(() => this.step());
  }
}
