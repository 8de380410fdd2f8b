// The Worker in which the engine runs: the page's requests and streams in, answers and what streams are told out.
import url from '$engine/engine.wasm?url';
import type { Answer } from '../net/transport';
import type { JsonObject } from '../net/types';
import { device } from './device';
import { Hall } from './hall';
import { Engine } from './wasm';

/** What the page says. */
export type Said =
  | { ask: number; method: string; path: string; body: JsonObject | null; token: string | null }
  | { open: number; table: string }
  | { send: number; text: string }
  | { close: number }
  | { drop: string }
  | { ping: number };

/** What it is told. `failed`: the engine could not be loaded, or has failed. */
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

async function load(): Promise<Hall> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const module = await WebAssembly.compile(await answer.arrayBuffer());
  return new Hall(() => new Engine(module), { hex, now: () => performance.now() }, device);
}

const streams = new Map<number, ReturnType<Hall['connect']>>();

async function hear(hall: Hall, said: Said): Promise<void> {
  if ('ask' in said) {
    const { ask, method, path, body, token } = said;
    tell({ answer: ask, ...(await hall.request(method, path, body, token)) });
  } else if ('drop' in said) await hall.drop(said.drop);
  else if ('open' in said) {
    const to = said.open;
    streams.set(
      to,
      hall.connect(said.table, (text) => tell({ to, text })),
    );
    tell({ opened: to });
  } else if ('send' in said) await streams.get(said.send)?.hear(said.text);
  else if ('close' in said) {
    streams.get(said.close)?.close();
    streams.delete(said.close);
  }
}

const failed = (e: unknown): void => tell({ failed: String(e) });
const loading = load();
onmessage = (m: MessageEvent<Said>) => {
  if ('ping' in m.data) tell({ pong: m.data.ping });
  else void loading.then((hall) => hear(hall, m.data)).catch(failed);
};
addEventListener('unhandledrejection', (e) => failed(e.reason));
