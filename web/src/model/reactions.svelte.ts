// Reactions at a table: those that are shown now, whether they are open, and whom this device does not want to hear.
import type { Reaction } from '../net/stream';
import { read, write } from './kept';

export const REACTIONS = [
  'hello',
  'bravo',
  'wow',
  'phew',
  'oops',
  'close',
  'thanks',
  'game',
] as const;
export type ReactionName = (typeof REACTIONS)[number];

/** How long a reaction stays on the screen, and how long a seat waits before its next. */
const SHOWN_MS = 4000;
const PAUSE_MS = 3000;
const KEEP = 60;

type Muted = Record<string, number[]>;
const isMuted = (v: unknown): v is Muted =>
  typeof v === 'object' && v !== null && Object.values(v).every((seats) => Array.isArray(seats));

export class Reactions {
  /** What is shown now, at most one of a seat. */
  shown = $state.raw<Reaction[]>([]);
  /** The game lets people react now. */
  open = $state(true);
  /** One was sent a moment ago. */
  resting = $state(false);
  /** Seats whose reactions are not shown here; nobody is told. */
  muted = $state.raw<number[]>([]);
  private closing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private readonly send: (name: ReactionName) => void,
  ) {
    this.muted = read<Muted>('muted', {}, isMuted)[table] ?? [];
  }

  react(name: ReactionName): void {
    if (!this.open || this.resting) return;
    this.resting = true;
    setTimeout(() => (this.resting = false), PAUSE_MS);
    this.send(name);
  }

  hear(reaction: Reaction): void {
    if (this.muted.includes(reaction.seat)) return;
    this.shown = [...this.shown.filter((r) => r.seat !== reaction.seat), reaction];
    setTimeout(() => (this.shown = this.shown.filter((r) => r !== reaction)), SHOWN_MS);
  }

  /** They are open for so many ms; 0: closed; null: open. */
  opens(ms: number | null): void {
    clearTimeout(this.closing);
    this.open = ms !== 0;
    if (ms) this.closing = setTimeout(() => (this.open = false), ms);
  }

  mute(seat: number, mute: boolean): void {
    const others = this.muted.filter((s) => s !== seat);
    this.muted = mute ? [...others, seat] : others;
    if (mute) this.shown = this.shown.filter((r) => r.seat !== seat);
    const { [this.table]: _, ...rest } = read<Muted>('muted', {}, isMuted);
    write('muted', {
      ...Object.fromEntries(Object.entries(rest).slice(1 - KEEP)),
      [this.table]: this.muted,
    });
  }
}
