// The player's own settings, kept in this browser.
import { read, write } from './kept';

export interface Kept {
  name: string;
  sound: boolean;
  calm: boolean;
  theme: 'auto' | 'light' | 'dark';
  motion: boolean;
  tapToBreathe: boolean;
  /** How fast reveals go: 1 is the normal pace, 2 twice as fast. */
  pace: number;
}

const fresh: Kept = {
  name: '',
  sound: false,
  calm: false,
  theme: 'auto',
  motion: false,
  tapToBreathe: false,
  pace: 1,
};
const isKept = (v: unknown): v is Kept =>
  typeof v === 'object' &&
  v !== null &&
  Object.entries(fresh).every(([k, d]) => typeof (v as Record<string, unknown>)[k] === typeof d);

class Settings {
  kept = $state<Kept>({ ...read('settings', fresh, isKept) });

  /** Less movement, asked for here or by the system. */
  get calm(): boolean {
    return (
      this.kept.calm ||
      (typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches)
    );
  }

  /** How fast reveals go, and bots on this device. */
  get pace(): number {
    return this.kept.pace > 0 ? this.kept.pace : fresh.pace;
  }

  set<K extends keyof Kept>(key: K, value: Kept[K]): void {
    this.kept[key] = value;
    write('settings', this.kept);
  }
}

export const settings = new Settings();
