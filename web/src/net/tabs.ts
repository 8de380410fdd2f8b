// Which tab plays a table of this device: one at a time. Tabs ask each other; one that does not answer is closed or asleep, and what
// it might still write is refused where tables are kept (engine/device.ts). Locks of the browser would do, but only over https.

type Word = { ask: string } | { mine: string } | { take: string };

/** How long another tab has to answer. */
const ANSWER_MS = 250;

class Tabs {
  private readonly channel = new BroadcastChannel('fathom-tables');
  /** The tables that this tab plays, each with what to do when another tab takes it over. */
  private readonly played = new Map<string, Set<() => void>>();
  /** The tables that the other tabs were just asked about. */
  private readonly asking = new Map<string, Promise<boolean>>();
  private readonly answered = new Map<string, () => void>();

  constructor() {
    this.channel.onmessage = (m: MessageEvent<Word>) => this.hear(m.data);
  }

  private hear(word: Word): void {
    if ('ask' in word) {
      if (this.played.has(word.ask)) this.say({ mine: word.ask });
    } else if ('mine' in word) this.answered.get(word.mine)?.();
    else {
      const taken = [...(this.played.get(word.take) ?? [])];
      this.played.delete(word.take);
      for (const stop of taken) stop();
    }
  }

  private say(word: Word): void {
    this.channel.postMessage(word);
  }

  /** Whether another tab plays this table. */
  elsewhere(table: string): Promise<boolean> {
    if (this.played.has(table)) return Promise.resolve(false);
    const asked = this.asking.get(table) ?? this.ask(table);
    this.asking.set(table, asked);
    return asked;
  }

  private ask(table: string): Promise<boolean> {
    return new Promise((done) => {
      const end = (there: boolean): void => {
        clearTimeout(timer);
        this.answered.delete(table);
        this.asking.delete(table);
        done(there);
      };
      const timer = setTimeout(() => end(false), ANSWER_MS);
      this.answered.set(table, () => end(true));
      this.say({ ask: table });
    });
  }

  /** This tab plays the table, until what is returned is called or another tab takes it over. */
  hold(table: string, taken: () => void): () => void {
    const all = this.played.get(table) ?? new Set();
    this.played.set(table, all.add(taken));
    return () => {
      all.delete(taken);
      if (all.size === 0 && this.played.get(table) === all) this.played.delete(table);
    };
  }

  /** Whoever plays the table stops. */
  take(table: string): void {
    this.say({ take: table });
  }
}

export const tabs = new Tabs();
