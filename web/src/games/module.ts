// What a game gives to the client. A game is a folder with one module; it is loaded when a table of it is opened.
import type { Component } from 'svelte';
import type { Table } from '../model/table.svelte';
import type { GameEvent, GameId, View } from '../net/types';
import { part } from '../net/busy.svelte';
import { tongue } from '../i18n/index.svelte';

/** Names of seats, for sentences. */
export type NameOf = (seat: number) => string;

export interface GameModule {
  /** The screen of a player, a spectator or a replay: everything below the top bar. */
  Board: Component<{ table: Table }>;
  /** Chips and facts of the game in the top bar: round, cards left, clock. */
  Bar: Component<{ table: Table }>;
  /** The table's own screen (a TV): the spectator's view, big, without controls; `link` and, where it is known, `code` lead phones to it. */
  Screen: Component<{ table: Table; code: string | null; link: string }>;
  /** A phone while a table screen is on; where a game has none, its Board serves. */
  PrivateBoard?: Component<{ table: Table }>;
  /** A replay with nothing hidden: the table's view is the whole state. Where a game has none, the spectator's board serves. */
  Open?: Component<{ table: Table }>;
  /** The end: ranking or verdict with one chart. */
  Result: Component<{ table: Table }>;
  /** The board still shows what has happened, step by step, and says it as it goes: nobody else shall tell the outcome. */
  showing?(table: Table): boolean;
  /** One event as a sentence of the log; null: not worth telling. */
  say(event: GameEvent, name: NameOf): string | null;
  /** The result as one sentence. */
  verdict(view: View, name: NameOf): string;
  /** Sections of the rules (see screens/Rules.svelte) that help at this very moment, most fitting first. */
  help(view: View): string[];
  /** The same moment in drawings, with the player's own numbers; nothing where it has nothing to say. */
  Help?: Component<{ table: Table }>;
}

const load: Record<GameId, () => Promise<{ default: GameModule }>> = {
  dive: () => import('./dive'),
  divercity: () => import('./divercity'),
  soumsoum: () => import('./soumsoum'),
};

/** The module of a game together with its messages. */
export async function gameModule(game: GameId): Promise<GameModule> {
  const [module] = await Promise.all([part(load[game]), tongue.load(game)]);
  return module.default;
}
