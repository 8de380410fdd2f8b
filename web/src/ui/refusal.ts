// A refusal in the player's language; what we have no words for is shown as the server says it.
import { known, tk } from '../i18n/index.svelte';
import { words } from '../model/words.svelte';
import { Refusal } from '../net/api';

export function reason(error: unknown): string {
  if (!(error instanceof Refusal)) return String(error);
  return known(`common.refused.${error.code}`) ? tk('common.refused.', error.code) : error.message;
}

/** Shows why something was refused, until it is closed. */
export function refused(error: unknown): void {
  words.show(reason(error), 'bad');
}
