// A refusal in the player's language, by its code and values. Its English sentence is shown only where the server knows a
// code that this page does not.
import { known, tongue } from '../i18n/index.svelte';
import { games } from '../model/game';
import { words } from '../model/words.svelte';
import { Refusal, valuesOf } from '../net/api';

/** What a code means is said by the page's own messages or by those of a game. */
export function explain(code: string, values: Record<string, number>, message: string): string {
  const areas = ['common', ...games.map((g) => g.id)];
  const key = areas.map((area) => `${area}.refused.${code}`).find(known);
  return key === undefined ? message : tongue.text(key, values);
}

/** The same of what the server writes: code, values and sentence as keys. */
export const explainKeys = (said: { code?: string; message: string | null }): string =>
  explain(said.code ?? '', valuesOf(said), said.message ?? '');

export function reason(error: unknown): string {
  if (!(error instanceof Refusal)) return String(error);
  return explain(error.code, error.values, error.message);
}

/** Shows why something that a player did was refused, until it is closed. What cannot be loaded at all is explained in its place instead:
    a screen by Notice.svelte, the options of a new table and the check of a deal where they would stand. */
export function refused(error: unknown): void {
  words.show(reason(error), 'bad');
}
