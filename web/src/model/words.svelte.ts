// Short words to the player: toasts, and the two live regions that screen readers follow.

export interface Toast {
  id: number;
  kind: 'note' | 'bad';
  text: string;
  more?: string;
}

class Words {
  toast = $state.raw<Toast | null>(null);
  polite = $state('');
  assertive = $state('');
  private count = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** One at a time; a note goes after 4 s, an error when it is closed. */
  show(text: string, kind: Toast['kind'] = 'note', more?: string): void {
    clearTimeout(this.timer);
    this.toast = { id: ++this.count, kind, text, ...(more === undefined ? {} : { more }) };
    if (kind === 'bad') this.assertive = text;
    else this.timer = setTimeout(() => this.close(), 4000);
  }

  close(): void {
    this.toast = null;
  }

  say(text: string): void {
    this.polite = text;
  }

  alert(text: string): void {
    this.assertive = text;
  }
}

export const words = new Words();
