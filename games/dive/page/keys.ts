// Keys that mean the board, wherever the focus is.

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
