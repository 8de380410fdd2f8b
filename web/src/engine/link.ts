// The page's end of the Worker in which the engine runs. A Worker that fails or falls silent is replaced by the next request, which
// finds its tables as the device has kept them.
import url from '$engine/engine.wasm?url';
import { settings } from '../model/settings.svelte';
import type { Answer } from '../net/transport';
import type { JsonObject } from '../net/types';
import { compiled } from './load';
import type { Said, Told } from './worker';

/** While a table is open the Worker is asked so often whether it is there, and has so long to answer: a bot thinks for a second. */
const PING_MS = 4000;
const SILENT_MS = 12000;

interface Waiting {
  done(answer: Answer): void;
  fail(e: Error): void;
}

interface Stream {
  opened(): void;
  fail(e: Error): void;
  tell(text: string): void;
  lost(): void;
}

class Link {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly asked = new Map<number, Waiting>();
  private readonly streams = new Map<number, Stream>();
  private count = 0;
  // eslint-disable-next-line no-restricted-syntax -- some browsers end a Worker without a word, and the server is asked nothing
  private readonly watch = setInterval(() => this.ping(), PING_MS);
  private pinged: number | undefined;

  constructor(private readonly ended: () => void) {
    // Here, beside the Worker's script.
    compiled(url).then(
      (engine) => this.say({ engine }),
      (e: unknown) => this.fail(new Error(String(e))),
    );
    this.worker.onmessage = (m: MessageEvent<Told>) => this.hear(m.data);
    this.worker.onerror = () => this.fail(new Error('the Worker has failed'));
  }

  /** Asks the Worker whether it is there, while somebody waits for it. */
  private ping(): void {
    if (this.asked.size + this.streams.size === 0) return void (this.pinged = undefined);
    if (this.pinged === undefined) {
      this.pinged = performance.now();
      this.say({ ping: 0 });
    } else if (performance.now() - this.pinged > SILENT_MS)
      this.fail(new Error('the Worker does not answer'));
  }

  private say(said: Said): void {
    this.worker.postMessage(said);
  }

  /** The way from the engine to the Worker that draws. */
  lend(port: MessagePort): void {
    this.worker.postMessage({ port } satisfies Said, [port]);
  }

  private hear(told: Told): void {
    this.pinged = undefined;
    if ('answer' in told) {
      this.asked.get(told.answer)?.done({ status: told.status, json: told.json });
      this.asked.delete(told.answer);
    } else if ('to' in told) this.streams.get(told.to)?.tell(told.text);
    else if ('opened' in told) this.streams.get(told.opened)?.opened();
    else if ('failed' in told) this.fail(new Error(told.failed));
  }

  /** Nothing more can be expected of this Worker. */
  private fail(e: Error): void {
    this.ended();
    clearInterval(this.watch);
    this.worker.terminate();
    for (const a of this.asked.values()) a.fail(e);
    for (const s of this.streams.values()) {
      s.fail(e);
      s.lost();
    }
    this.asked.clear();
    this.streams.clear();
  }

  request(
    method: string,
    path: string,
    body: JsonObject | null,
    token: string | null,
  ): Promise<Answer> {
    const ask = ++this.count;
    return new Promise((done, fail) => {
      this.asked.set(ask, { done, fail });
      this.say({ ask, method, path, body, token });
    });
  }

  /** Another tab plays this table from now on. */
  drop(table: string): void {
    this.say({ drop: table });
  }

  stream(
    table: string,
    tell: (text: string) => void,
    lost: () => void,
  ): Promise<{ send(text: string): void; close(): void }> {
    const open = ++this.count;
    const end = {
      send: (text: string) => this.say({ send: open, text }),
      close: () => {
        this.streams.delete(open);
        this.say({ close: open });
      },
    };
    return new Promise((done, fail) => {
      this.streams.set(open, { tell, lost, fail, opened: () => done(end) });
      this.say({ open, table, pace: settings.pace });
    });
  }
}

export { tabs } from '../net/tabs';

let present: Link | undefined;

export function link(): Link {
  present ??= new Link(() => (present = undefined));
  return present;
}
