// The page's end of the Worker in which the engine runs. A Worker that fails is replaced by the next request: its tables are gone,
// and who asks for them is told so.
import type { Answer } from '../net/transport';
import type { JsonObject } from '../net/types';
import type { Said, Told } from './worker';

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

  constructor(private readonly ended: () => void) {
    this.worker.onmessage = (m: MessageEvent<Told>) => this.hear(m.data);
    this.worker.onerror = () => this.fail(new Error('the Worker has failed'));
  }

  private say(said: Said): void {
    this.worker.postMessage(said);
  }

  /** The way from the engine to the Worker that draws. */
  lend(port: MessagePort): void {
    this.worker.postMessage({ port } satisfies Said, [port]);
  }

  private hear(told: Told): void {
    if ('answer' in told) {
      this.asked.get(told.answer)?.done({ status: told.status, json: told.json });
      this.asked.delete(told.answer);
    } else if ('to' in told) this.streams.get(told.to)?.tell(told.text);
    else if ('opened' in told) this.streams.get(told.opened)?.opened();
    else this.fail(new Error(told.failed));
  }

  /** Nothing more can be expected of this Worker. */
  private fail(e: Error): void {
    this.ended();
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
      this.say({ open, table });
    });
  }
}

let present: Link | undefined;

export function link(): Link {
  present ??= new Link(() => (present = undefined));
  return present;
}
