// The Worker in which one record is analysed. It tells how far it is after each decision; whoever wants to stop it ends the Worker.
import type { RefusalKeys } from '../net/types';
import { analyse, type Wanted } from './analyse';
import { Analyst } from './analysis';
import { Refused } from './instance';
import { loadOcean } from './ocean-load';

/** `weighed` of so many decisions; `analysis` null: games of this kind are not analysed. */
export type Found =
  | { weighed: number; of: number }
  | { analysis: string | null }
  | { refused: RefusalKeys }
  | { failed: string };

const tell = (found: Found): void => postMessage(found);

onmessage = (m: MessageEvent<Wanted & { module: WebAssembly.Module }>) =>
  void analyse(new Analyst(m.data.module), loadOcean, m.data, (weighed, of) =>
    tell({ weighed, of }),
  ).then(
    (analysis) => tell({ analysis }),
    (e: unknown) => tell(e instanceof Refused ? { refused: e.keys } : { failed: String(e) }),
  );
