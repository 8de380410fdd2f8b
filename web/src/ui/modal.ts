// A dialogue of the page: keeps the focus while it is there and gives it back. For $effect.

export function modal(dialog: HTMLDialogElement): () => void {
  const from = document.activeElement;
  dialog.showModal();
  return () => {
    dialog.close();
    if (from instanceof HTMLElement && from.isConnected) from.focus();
  };
}
