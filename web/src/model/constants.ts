// Numbers of the rules: the server says them with its games, and no page writes them down.
import type { Json, JsonObject } from '../net/types';

const served = new Map<string, JsonObject>();

/** What the server says of a game. */
export function keepConstants(game: string, constants: JsonObject): void {
  served.set(game, constants);
}

/** A number or a table of a game's rules, to be read once the game's module is loaded: the server has said it by then. */
export function constant(game: string, name: string): Json {
  const found = served.get(game)?.[name];
  if (found === undefined) throw new Error(`the server does not say ${name} of ${game}`);
  return found;
}

/** Such numbers of a game by their names. */
export function constants<K extends string>(
  game: string,
  ...names: K[]
): Readonly<Record<K, number>> {
  const numbers = {} as Record<K, number>;
  for (const name of names)
    Object.defineProperty(numbers, name, { get: () => Number(constant(game, name)) });
  return numbers;
}
