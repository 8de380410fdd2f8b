// What a player asked for, one thing at a time: a press meanwhile does nothing, what is refused is said. Things that may be asked for
// side by side have one each.
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
