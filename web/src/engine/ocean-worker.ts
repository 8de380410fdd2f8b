// The Worker in which the ocean is drawn, apart from the engine: a bot that thinks does not hold up a tilt. What lies in a stack comes
// from the engine's Worker by a port of their own; the page names the stack and gets its pictures.
import { NoPicture, type Creature, type Ocean, type Stack } from './ocean';
import { loadOcean } from './ocean-load';

/** What the engine's Worker tells: a stack by its name, with the sheets that may be seen alone. */
export interface Shown {
  stack: string;
  what: Stack & { turned: number; top: number };
}

/** What the page asks. `port`: to the engine's Worker; `into`: memory of a picture that is seen no more. */
export type Asked =
  | { port: MessagePort }
  | {
      ask: number;
      stack: string;
      tilt: readonly [number, number];
      lamp: string | null;
      into?: ArrayBuffer;
    }
  | { ask: number; stack: string; level: number }
  | { ask: number; stack: string; creatures: number };

/** What it is told. `gone`: it is not to be seen; `failed`: this one could not be drawn, or, alone, none can be expected any more. */
export type Drawn =
  | { answer: number; pixels: ArrayBuffer }
  | { answer: number; creatures: Creature[] }
  | { answer: number; refused: 'gone' | 'failed' }
  | { failed: string };

type Question = Exclude<Asked, { port: MessagePort }>;

/** Few are kept: the page looks at one stack, and at the last one's sheets. */
const KEPT = 16;
const stacks = new Map<string, Shown['what']>();
const waiting = new Map<string, (() => void)[]>();

function heard({ stack, what }: Shown): void {
  stacks.delete(stack);
  stacks.set(stack, what);
  for (const old of stacks.keys()) if (stacks.size > KEPT) stacks.delete(old);
  waiting.get(stack)?.forEach((go) => go());
  waiting.delete(stack);
}

/** The two ports are not in step: a stack may be asked for before it is told. */
async function known(stack: string): Promise<Shown['what']> {
  if (!stacks.has(stack))
    await new Promise<void>((go) => waiting.set(stack, [...(waiting.get(stack) ?? []), go]));
  return stacks.get(stack) as Shown['what'];
}

const tell = (told: Drawn, moved: Transferable[] = []): void =>
  postMessage(told, { transfer: moved });

class Gone extends Error {}

function sheetOf(what: Shown['what'], level: number): number {
  if (level < 1 || level > what.turned) throw new Gone('this sheet is not to be seen');
  return what.top + 1 - level;
}

function answer(ocean: Ocean, said: Question, what: Shown['what']): void {
  if ('creatures' in said)
    return tell({
      answer: said.ask,
      creatures: ocean.creatures(what, sheetOf(what, said.creatures)),
    });
  const pixels =
    'level' in said
      ? ocean.sheet(what, sheetOf(what, said.level))
      : ocean.look(what, said.tilt, said.lamp, said.into);
  tell({ answer: said.ask, pixels: pixels.buffer }, [pixels.buffer]);
}

async function hear(ocean: Ocean, said: Question): Promise<void> {
  const what = await known(said.stack);
  try {
    answer(ocean, said, what);
  } catch (e) {
    if (!(e instanceof NoPicture || e instanceof Gone)) throw e;
    tell({ answer: said.ask, refused: e instanceof Gone ? 'gone' : 'failed' });
  }
}

const loading = loadOcean();
const failed = (e: unknown): void => tell({ failed: String(e) });
loading.catch(failed);
onmessage = (m: MessageEvent<Asked>) => {
  const said = m.data;
  if ('port' in said) said.port.onmessage = (told: MessageEvent<Shown>) => heard(told.data);
  else
    loading.then(
      (ocean) => void hear(ocean, said).catch(failed),
      () => undefined, // said above
    );
};
