// Keys that mean the board, wherever the focus is.
import type { Eye } from './eye.svelte';

const at = (e: KeyboardEvent, selector: string): boolean =>
  e.target instanceof Element && e.target.closest(selector) !== null;

/** The key is for something else: a field, a dialogue, a drawer, or a command of the browser. */
export const taken = (e: KeyboardEvent): boolean =>
  e.ctrlKey ||
  e.metaKey ||
  e.altKey ||
  e.defaultPrevented ||
  at(e, 'input, textarea, select, dialog, aside, [contenteditable]');

/** Arrow keys choose here. */
export const choosing = (e: KeyboardEvent): boolean =>
  at(e, '[role=radiogroup], [role=slider], [role=tablist], [role=menu]');

export const onControl = (e: KeyboardEvent): boolean => at(e, 'button, a, summary');

/** What F, Escape and L do to somebody who looks; true: it was one of these keys. */
export function looked(
  e: KeyboardEvent,
  at: { eye: Eye; lit: boolean; full: boolean; onfull(on: boolean): void },
): boolean {
  if (e.key === 'f' || e.key === 'F') at.onfull(!at.full);
  else if (e.key === 'Escape' && at.full) at.onfull(false);
  else if ((e.key === 'l' || e.key === 'L') && at.lit) at.eye.nextLamp();
  else return false;
  return true;
}
