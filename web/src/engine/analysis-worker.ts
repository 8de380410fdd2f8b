// The Worker in which one record is analysed. It tells how far it is after each decision; whoever wants to stop it ends the Worker.
import type { RefusalKeys } from '../net/types';
import { Analyst, type Budget } from './analysis';
import { Refused } from './instance';

export interface Wanted {
  module: WebAssembly.Module;
  record: string;
  seat: number | null;
  budget: Budget;
}

/** `weighed` of so many decisions; `analysis` null: games of this kind are not analysed. */
export type Found =
  | { weighed: number; of: number }
  | { analysis: string | null }
  | { refused: RefusalKeys }
  | { failed: string };

const tell = (found: Found): void => postMessage(found);

function analyse({ module, record, seat, budget }: Wanted): string | null {
  const analyst = new Analyst(module);
  const { analysed, decisions } = analyst.open(record, seat, budget);
  if (!analysed) return null;
  for (let i = 0; i < decisions; i++) {
    tell({ weighed: i, of: decisions });
    analyst.weigh(i);
  }
  return analyst.settle();
}

onmessage = (m: MessageEvent<Wanted>) => {
  try {
    tell({ analysis: analyse(m.data) });
  } catch (e) {
    tell(e instanceof Refused ? { refused: e.keys } : { failed: String(e) });
  }
};
