// What a player asked for, one thing at a time: what is refused is said.
import { refused } from './refusal';

export class Doing {
  busy = $state(false);

  async run(what: () => Promise<unknown>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      await what();
    } catch (e) {
      refused(e);
    } finally {
      this.busy = false;
    }
  }
}
