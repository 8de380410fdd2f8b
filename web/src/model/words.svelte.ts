// Short words to the player: toasts, and the two live regions that screen readers follow.
import { untrack } from 'svelte';

export interface Toast {
  id: number;
  kind: 'note' | 'bad';
  text: string;
  more?: string;
}

/** A sentence of the polite region. */
export interface Line {
  id: number;
  text: string;
}

/** How long a sentence stays on the page for a reader to fetch it; readers speak all of them, one after the other. */
const STAYS_MS = 20000;
/** Most sentences that are kept to be repeated. */
const KEPT = 12;

/** As it is spoken: soft hyphens would break a word in two. */
const spoken = (text: string): string => text.replaceAll('\u00ad', '').trim();

class Words {
  toast = $state.raw<Toast | null>(null);
  /** What was said lately, oldest first: each sentence is an element of its own, and none replaces another. */
  lines = $state.raw<Line[]>([]);
  assertive = $state('');
  private count = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private alarm: ReturnType<typeof setTimeout> | undefined;
  private last: string[] = [];

  /** One at a time; a note goes after 4 s, an error when it is closed. */
  show(text: string, kind: Toast['kind'] = 'note', more?: string): void {
    clearTimeout(this.timer);
    this.toast = { id: ++this.count, kind, text, ...(more === undefined ? {} : { more }) };
    if (kind === 'bad') this.alert(text);
    else this.timer = setTimeout(() => this.close(), 4000);
  }

  close(): void {
    this.toast = null;
  }

  /** Said after what is being said, in as many sentences as there are. */
  say(...texts: string[]): void {
    const said = texts.map(spoken).filter((text) => text !== '');
    if (said.length === 0) return;
    this.last = said.slice(-KEPT);
    this.put(said);
  }

  /** Says the last announcement once more. */
  again(): void {
    this.put(this.last);
  }

  /** Said at once. It goes after a while, so that nobody comes across an old alarm. */
  alert(text: string): void {
    clearTimeout(this.alarm);
    this.assertive = spoken(text);
    this.alarm = setTimeout(() => (this.assertive = ''), STAYS_MS);
  }

  private put(texts: string[]): void {
    const lines = texts.map((text) => ({ id: ++this.count, text }));
    this.lines = [...untrack(() => this.lines), ...lines]; // an effect that says something does not hang on it
    const until = lines.at(-1)?.id ?? 0;
    setTimeout(() => (this.lines = this.lines.filter((line) => line.id > until)), STAYS_MS);
  }
}

export const words = new Words();
