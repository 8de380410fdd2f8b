// A record that was opened on this device: it can be replayed, verified and saved, and lives as long as the Worker.
import { LOCAL } from '../net/local';
import type { JsonObject, Replay, TableInfo, Verdict } from '../net/types';
import type { Engine } from './wasm';

/** The first line of a record, as far as screens ask for it. */
interface Head {
  game: string;
  rules: number;
  options: JsonObject;
  deck: { id: string; hash: string };
  commitment: string;
  seats: { name: string | null; bot: string | null }[];
}

export class Recorded {
  private readonly head: Head;
  /** The same record has the same one. */
  readonly id: string;

  /** Throws Refused if anything of the record is wrong. */
  constructor(
    readonly record: string,
    private readonly reader: Engine,
  ) {
    for (const step of reader.steps(record, 'table')) void step;
    this.head = JSON.parse(record.slice(0, record.indexOf('\n'))) as Head;
    this.id = LOCAL + this.head.commitment.slice(0, 16);
  }

  info(): TableInfo & { rules: number } {
    const { game, rules, options, deck, commitment, seats } = this.head;
    return {
      table: this.id,
      game,
      rules,
      options,
      state: 'over',
      listed: false,
      seats: seats.map(({ name, bot }, seat) => ({ seat, name, bot, here: false, host: false })),
      screen: false,
      commitment,
      deck,
      rematch: null,
    };
  }

  replay(who: Replay['who']): Replay {
    const { game, options, seats } = this.head;
    const steps = [...this.reader.steps(this.record, who)];
    return { table: this.id, game, options, who, seats, steps };
  }

  verify(): Verdict {
    return this.reader.verify(this.record, this.head.commitment);
  }
}
