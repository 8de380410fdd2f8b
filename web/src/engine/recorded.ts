// A record that was opened on this device: it can be replayed, verified and saved, and lives as long as the Worker. Where it ends
// before the game does, as that of a puzzle, actions can be tried there.
import { LOCAL } from '../net/local';
import type { Action, Compared, JsonObject, Replay, TableInfo, Verdict } from '../net/types';
import { showStack, VISIT } from './stacks';
import type { World } from './table';
import type { Engine, Opened, Starter } from './wasm';

/** The first line of a record, as far as screens ask for it. */
interface Head {
  game: string;
  rules: number;
  options: JsonObject;
  deck: { id: string; hash: string };
  commitment: string;
  seats: { name: string; bot: string | null }[];
  created: string;
  /** Only where seats could add to the deal. */
  table?: string;
  entropy?: (string | null)[];
}

/** Who played, with what each added to the deal. */
export const startersOf = ({ seats, entropy }: Head): Starter[] =>
  seats.map((seat, i) => ({ ...seat, entropy: entropy?.[i] ?? null }));

/** A record: its first line, its moves as they stand there, and the seed. */
export function partsOf(record: string): { head: Head; moves: string[]; seed: string } {
  const [first = '', ...moves] = record.trimEnd().split('\n');
  const { seed } = JSON.parse(moves.pop() ?? '') as { seed: string };
  return { head: JSON.parse(first) as Head, moves, seed };
}

export class Recorded {
  private readonly head: Head;
  private match: { engine: Engine; opened: Opened } | undefined;
  /** The same record has the same one. */
  readonly id: string;

  /** `part`: it ends before the game does. Throws Refused if anything of the record is wrong. */
  constructor(
    readonly record: string,
    private readonly part: boolean,
    private readonly reader: Engine,
    private readonly engine: () => Engine,
    private readonly world: World,
  ) {
    for (const step of reader.steps(record, 'table', part)) void step;
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
    const steps = [...this.reader.steps(this.record, who, this.part)];
    const visit = this.played().opened.water === undefined ? {} : { visit: VISIT };
    return { table: this.id, game, options, who, seats, ...visit, steps };
  }

  /** The match once more, up to its end. */
  private played(): { engine: Engine; opened: Opened } {
    if (this.match !== undefined) return this.match;
    const { game, rules, options, created, table } = this.head;
    const { moves, seed } = partsOf(this.record);
    const engine = this.engine();
    const fair = table === undefined ? {} : { table };
    const opened = engine.open({ game, rules, options, seed, ...fair });
    engine.start(startersOf(this.head), created);
    for (const line of moves) engine.again(line);
    this.match = { engine, opened };
    return this.match;
  }

  /** An action of a seat where the record ends, compared with others. */
  choice(seat: number, action: Action, others: Action[]): Compared {
    return this.played().engine.choice(seat, action, others);
  }

  /** Does it there; what the seat is told. The record stays as it is. */
  act(seat: number, action: Action): unknown {
    const { engine } = this.played();
    engine.act(seat, 0, action);
    return JSON.parse(engine.told(seat) ?? 'null');
  }

  /** What a seat would see there after its actions. */
  preview(seat: number, actions: Action[]): object {
    return this.played().engine.preview(seat, actions);
  }

  stack(round: number): { stack: string } {
    const { engine, opened } = this.played();
    return showStack(this.world, engine, this.id, opened, round);
  }

  verify(): Verdict {
    return this.reader.verify(this.record, this.head.commitment);
  }
}
