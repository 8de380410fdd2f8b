// Stacks that nobody plays with, as a server deals them for practice: as in one of the first rounds of a game, with lamps.
import { LOCAL } from '../net/local';
import type { Json } from '../net/types';
import { refuse } from './refuse';
import type { World } from './table';
import type { Engine, Stacked } from './wasm';

type Body = { [key: string]: Json | undefined };

const ROUNDS = 3;
/** The latest: older ones are gone. */
const KEPT = 8;

interface Practice {
  what: Stacked;
  /** The sheets are shown after a guess. */
  guessed: boolean;
}

export class Practices {
  private readonly all = new Map<string, Practice>();

  constructor(
    private readonly engine: () => Engine,
    private readonly world: World,
  ) {}

  answer(method: string, id: string | undefined, what: string | undefined, body: Body): unknown {
    if (id === undefined) return this.begin();
    const practice =
      this.all.get(id) ?? refuse('gone', 'there is no such practice any more; begin another');
    if (method === 'POST' && what === 'guess') return this.guess(practice, body['guess']);
    return this.show(id, practice);
  }

  private begin(): { practice: string; levels: number } {
    const engine = this.engine();
    const game = engine.games().find((g) => g.waters !== undefined);
    if (game === undefined) return refuse('no-such-path', 'no game here has a stack to look into');
    const { seats } = engine.open({ game: game.id, seed: this.world.hex(32) });
    const nobody = Array.from({ length: seats }, () => ({ name: '-', bot: null }));
    engine.start(nobody, '-');
    const dealt = engine.stack(0);
    const above = (parseInt(this.world.hex(1), 16) % ROUNDS) * dealt.levels;
    const left = dealt.sheets.length / 2 - above;
    const id = LOCAL + this.world.hex(8);
    this.all.set(id, { what: { ...dealt, left, lamps: true, cover: null }, guessed: false });
    for (const old of this.all.keys()) if (this.all.size > KEPT) this.all.delete(old);
    return { practice: id, levels: dealt.levels };
  }

  private truth({ what }: Practice): string[] {
    return Array.from({ length: what.levels }, (_, i) => {
      const at = 2 * (what.left - 1 - i);
      return what.kinds[parseInt(what.sheets.slice(at, at + 2), 16) & 7] ?? '';
    });
  }

  private guess(practice: Practice, guess: Json | undefined): { truth: string[]; sheets: boolean } {
    const { kinds, levels } = practice.what;
    const isGuess = (g: unknown): boolean => g === null || kinds.includes(String(g));
    if (!Array.isArray(guess) || guess.length !== levels || !guess.every(isGuess))
      refuse('bad-value', `a guess names ${levels} sheets`);
    practice.guessed = true;
    return { truth: this.truth(practice), sheets: true };
  }

  private show(id: string, { what, guessed }: Practice): { stack: string } {
    const stack = `${id} ${guessed}`;
    const turned = guessed ? what.levels : 0;
    this.world.show?.({ stack, what: { ...what, water: 0, turned, top: what.left - 1 } });
    return { stack };
  }
}
