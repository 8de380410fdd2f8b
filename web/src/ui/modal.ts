// A dialogue of the page: it keeps the focus and the keyboard while it is there, and gives the focus back. For $effect.
import { on } from 'svelte/events';

let open = 0;

/** A dialogue is open: keys are its own, and nothing behind it hears them. */
export const modalOpen = (): boolean => open > 0;

/** Keys that are pressed inside do not reach what lies around it. */
export const ownKeys = (element: HTMLElement): (() => void) =>
  on(element, 'keydown', (e) => e.stopPropagation());

export function modal(dialog: HTMLDialogElement): () => void {
  const from = document.activeElement;
  // Focus that fell off a control which is gone is on the body, outside the dialogue.
  const stray = (e: KeyboardEvent): void => {
    if (e.target instanceof Node && dialog.contains(e.target)) return;
    e.stopImmediatePropagation();
    dialog.querySelector<HTMLElement>('button, a, input, select, textarea')?.focus();
  };
  const free = [ownKeys(dialog), on(window, 'keydown', stray, { capture: true })];
  open++;
  dialog.showModal();
  return () => {
    open--;
    for (const f of free) f();
    dialog.close();
    if (from instanceof HTMLElement && from.isConnected) from.focus();
  };
}
