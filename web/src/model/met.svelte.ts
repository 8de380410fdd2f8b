// The games that this device has been told about: the overlay of a first game comes once a game.
import type { GameId } from '../net/types';
import { read, write } from './kept';

const isList = (v: unknown): v is GameId[] =>
  Array.isArray(v) && v.every((id) => typeof id === 'string');

class Met {
  private games = $state.raw<GameId[]>(read('met', [], isList));

  has(game: GameId): boolean {
    return this.games.includes(game);
  }

  add(game: GameId): void {
    if (this.has(game)) return;
    this.games = [...this.games, game];
    write('met', this.games);
  }
}

export const met = new Met();
