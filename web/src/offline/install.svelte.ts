// The browser's offer to put Fathom on the home screen. It is made once, early, and kept until somebody takes it.

interface Offer extends Event {
  prompt(): Promise<unknown>;
}

class Install {
  private offer = $state.raw<Offer | null>(null);

  constructor() {
    addEventListener('beforeinstallprompt', (e) => {
      e.preventDefault();
      this.offer = e as Offer;
    });
  }

  get offered(): boolean {
    return this.offer !== null;
  }

  async ask(): Promise<void> {
    await this.offer?.prompt();
    this.offer = null; // it can be asked once
  }
}

export const install = new Install();
