// The Worker in which the engine runs: the page's requests and streams in, answers and what streams are told out.
import type { Answer } from '../net/transport';
import type { JsonObject } from '../net/types';
import { device } from './device';
import { Hall } from './hall';
import type { Shown } from './ocean-worker';
import { BOT_MS } from './table';
import { Engine } from './wasm';

/** What the page says. `engine`: it has been loaded; `pace`: how fast the player likes it; `port`: to the Worker that draws. */
export type Said =
  | { engine: WebAssembly.Module }
  | { ask: number; method: string; path: string; body: JsonObject | null; token: string | null }
  | { open: number; table: string; pace: number }
  | { send: number; text: string }
  | { close: number }
  | { drop: string }
  | { ping: number }
  | { port: MessagePort };

/** What it is told. `failed`: the engine has failed. */
export type Told =
  | { answer: number; status: number; json: Answer['json'] }
  | { text: string; to: number }
  | { opened: number }
  | { pong: number }
  | { failed: string };

const tell = (told: Told): void => postMessage(told);

function hex(n: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(n));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

const world = {
  hex,
  now: () => performance.now(),
  show: (shown: Shown): void => painter?.postMessage(shown),
  botMs: BOT_MS,
};
const hallOf = (engine: WebAssembly.Module): Hall =>
  new Hall(() => new Engine(engine), world, device);

let painter: MessagePort | undefined;
const streams = new Map<number, ReturnType<Hall['connect']>>();

async function hear(
  hall: Hall,
  said: Exclude<Said, { engine: WebAssembly.Module }>,
): Promise<void> {
  if ('ask' in said) {
    const { ask, method, path, body, token } = said;
    tell({ answer: ask, ...(await hall.request(method, path, body, token)) });
  } else if ('drop' in said) await hall.drop(said.drop);
  else if ('open' in said) {
    const to = said.open;
    world.botMs = BOT_MS / said.pace;
    streams.set(
      to,
      hall.connect(said.table, (text) => tell({ to, text })),
    );
    tell({ opened: to });
  } else if ('port' in said) painter = said.port;
  else if ('send' in said) await streams.get(said.send)?.hear(said.text);
  else if ('close' in said) {
    streams.get(said.close)?.close();
    streams.delete(said.close);
  }
}

const failed = (e: unknown): void => tell({ failed: String(e) });
let loaded: (engine: WebAssembly.Module) => void;
const loading = new Promise<WebAssembly.Module>((done) => (loaded = done)).then(hallOf);
onmessage = (m: MessageEvent<Said>) => {
  const said = m.data;
  if ('engine' in said) loaded(said.engine);
  else if ('ping' in said) tell({ pong: said.ping });
  else void loading.then((hall) => hear(hall, said)).catch(failed);
};
addEventListener('unhandledrejection', (e) => failed(e.reason));
