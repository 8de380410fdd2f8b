// The page's end of the Workers that analyse records: one for each, which ends when it is done or stopped.
import url from '$engine/analysis.wasm?url';
import { Refusal, valuesOf } from '../net/api';
import type { Wanted } from './analyse';
import type { Analysis } from './analysis';
import type { Found } from './analysis-worker';
import { compiled } from './load';

let module: Promise<WebAssembly.Module> | undefined;

/** Loaded once, and again if that failed. */
function load(): Promise<WebAssembly.Module> {
  module ??= compiled(url).catch((e: unknown) => {
    module = undefined;
    throw e;
  });
  return module;
}

export interface Asked extends Wanted {
  /** Told before each decision: so many of so many are weighed. */
  progress?(weighed: number, of: number): void;
  signal?: AbortSignal;
}

function inWorker(
  wanted: Wanted & { module: WebAssembly.Module },
  { progress, signal }: Asked,
): Promise<Analysis | null> {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Analysis | null>((done, fail) => {
    const hear = (found: Found): void => {
      if ('weighed' in found) progress?.(found.weighed, found.of);
      else if ('analysis' in found)
        done(found.analysis === null ? null : (JSON.parse(found.analysis) as Analysis));
      else if ('refused' in found)
        fail(new Refusal(found.refused.code, '', 400, valuesOf(found.refused)));
      else fail(new Error(found.failed));
    };
    worker.onmessage = (m: MessageEvent<Found>) => hear(m.data);
    worker.onerror = () => fail(new Error('the Worker has failed'));
    signal?.addEventListener('abort', () => fail(signal.reason as Error));
    worker.postMessage(wanted);
  }).finally(() => worker.terminate());
}

/** The analysis of a record; null: games of its kind are not analysed. Rejects with a Refusal if the record is wrong, and with the
    signal's reason if it is stopped. */
export async function analyse(asked: Asked): Promise<Analysis | null> {
  const { record, seat, budget, water, signal } = asked;
  const ready = await load();
  signal?.throwIfAborted();
  return inWorker({ module: ready, record, seat, budget, water }, asked);
}
