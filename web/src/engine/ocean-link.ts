// The page's end of the Worker that draws the ocean. A Worker that fails is replaced by the next question.
import { api, Refusal } from '../net/api';
import type { Circle } from '../net/types';
import { link } from './link';
import type { Asked, Drawn } from './ocean-worker';

const SIZE = 640;

type Question = Asked extends infer A
  ? A extends { ask: number }
    ? Omit<A, 'ask'>
    : never
  : never;
type Answer = Exclude<Drawn, { failed: string }>;

interface Waiting {
  done(answer: Answer): void;
  fail(e: Error): void;
  timer: ReturnType<typeof setTimeout>;
}

/** A Worker that the browser has ended says nothing: how long an answer may take, and the first, which has to load the ocean. */
const PATIENCE_MS = 15_000;
const FIRST_MS = 120_000;

class OceanLink {
  private readonly worker = new Worker(new URL('./ocean-worker.ts', import.meta.url), {
    type: 'module',
  });
  private readonly asked = new Map<number, Waiting>();
  private engine: object | undefined;
  private count = 0;
  private answered = false;

  constructor(private readonly ended: () => void) {
    this.worker.onmessage = (m: MessageEvent<Drawn>) => this.hear(m.data);
    this.worker.onerror = () => this.fail('the Worker has failed');
  }

  /** The engine tells this Worker by itself what lies in a stack: again, if it is a new engine. */
  join(): void {
    const engine = link();
    if (engine === this.engine) return;
    this.engine = engine;
    const { port1, port2 } = new MessageChannel();
    engine.lend(port1);
    this.worker.postMessage({ port: port2 } satisfies Asked, [port2]);
  }

  private hear(told: Drawn): void {
    if ('failed' in told) return this.fail(told.failed);
    const waits = this.asked.get(told.answer);
    this.answered = true;
    clearTimeout(waits?.timer);
    this.asked.delete(told.answer);
    if (!('refused' in told)) waits?.done(told);
    else if (told.refused === 'gone') waits?.fail(new Refusal('gone', 'it is not to be seen', 404));
    else waits?.fail(new Error('it could not be drawn'));
  }

  private fail(why: string): void {
    this.ended();
    this.worker.terminate();
    for (const a of this.asked.values()) {
      clearTimeout(a.timer);
      a.fail(new Error(why));
    }
    this.asked.clear();
  }

  private ask(question: Question, moved: ArrayBuffer[] = []): Promise<Answer> {
    const ask = ++this.count;
    return new Promise((done, fail) => {
      const patience = this.answered ? PATIENCE_MS : FIRST_MS;
      const timer = setTimeout(() => this.fail('the Worker does not answer'), patience);
      this.asked.set(ask, { done, fail, timer });
      this.worker.postMessage({ ask, ...question } as Asked, moved);
    });
  }

  async picture(question: Question, moved: ArrayBuffer[] = []): Promise<ImageData> {
    const { pixels } = (await this.ask(question, moved)) as { pixels: ArrayBuffer };
    return new ImageData(new Uint8ClampedArray(pixels), SIZE, SIZE);
  }

  async creatures(stack: string, level: number): Promise<Circle[]> {
    return ((await this.ask({ stack, creatures: level })) as { creatures: Circle[] }).creatures;
  }
}

let present: OceanLink | undefined;

function ocean(): OceanLink {
  present ??= new OceanLink(() => (present = undefined));
  present.join();
  return present;
}

/** A stack that this device draws. */
export interface Drawing {
  /** Tilted by degrees, by daylight or a lamp. The memory of `old`, a picture that is seen no more, is used again. */
  look(
    tilt: readonly [number, number],
    lamp: string | null,
    old?: ImageData | null,
  ): Promise<ImageData>;
  /** A sheet that was revealed. */
  sheet(level: number): Promise<ImageData>;
  creatures(level: number): Promise<Circle[]>;
}

/** The stack of an address that names a table or a practice of this device. */
export async function open(path: string): Promise<Drawing> {
  ocean(); // before the engine has something to tell it
  const { stack } = await api.stack(path);
  return {
    look: (tilt, lamp, old) => {
      const into = old?.data.buffer as ArrayBuffer | undefined;
      return into === undefined || into.byteLength === 0
        ? ocean().picture({ stack, tilt, lamp })
        : ocean().picture({ stack, tilt, lamp, into }, [into]);
    },
    sheet: (level) => ocean().picture({ stack, level }),
    creatures: (level) => ocean().creatures(stack, level),
  };
}
