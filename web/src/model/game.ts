// What a game gives to the page. A game is a folder; the page has it by `virtual:games`, which is written from the list of games.
import type { Component } from 'svelte';
import { games } from 'virtual:games';
import type { RuleBook, RuleText, Ruling } from '../../tools/markdown';
import type { Candidate, Decision, SeatAnalysis } from '../engine/analysis';
import { tongue, type Language } from '../i18n/index.svelte';
import { part } from '../net/busy.svelte';
import type {
  Action,
  GameEvent,
  GameId,
  GameInfo,
  JsonObject,
  Scenario,
  View,
  WhyAnswer,
} from '../net/types';
import type { IconName } from '../ui/Icon.svelte';
import { games as served } from './begin';
import type { Lesson } from './lesson';
import type { Puzzle } from './puzzles';
import type { Sound } from './sound';
import type { Table } from './table.svelte';

/** Names of seats, for sentences. */
export type NameOf = (seat: number) => string;

/** A screen of a game beside its tables, with an address of its own: #/PATH. */
export interface OwnScreen {
  path: string;
  icon: IconName;
  /** Its name, short for the head of home and long elsewhere: keys of messages. */
  name: string;
  longName: string;
  load(): Promise<{ default: Component<{ parts: string[] }> }>;
}

/** How the options of a game are shown when a table is made. Their texts are the messages GAME.option.NAME and
    GAME.option.NAME.about, and GAME.option.NAME.VALUE of a value. */
export interface OptionsShown {
  /** The option that says how many people play. */
  count: string;
  /** A choice that is shown as large cards; GAME.option.NAME.VALUE.about says what each asks for. */
  cards?: string;
  /** Options of the fine print. */
  fine?: readonly string[];
  /** Drawings beside the options. */
  pictures: Record<string, string>;
  /** Whether an option means anything beside these others; every one does if it is left out. */
  means?(name: string, others: JsonObject): boolean;
}

/** What is shown of a game before it is opened, from page/tile. Its texts are the messages GAME.tile.*; they and this come with
    the start of the page, so they are small. */
export interface GameTile {
  /** A look into the game on home. */
  Scene: Component;
  /** A small drawing for lists. */
  picture: string;
  age: string;
  /** It can be played by ear. */
  ear: boolean;
  /** Everybody wins or loses together. */
  together?: boolean;
  options: OptionsShown;
  /** The pawn of a seat; a seat without one is shown by its mark. */
  pawn?(seat: number): string | null;
  screens?: readonly OwnScreen[];
  /** What the lobby says of a seat, and which bots may sit there; all of them if it does not say. */
  seat?(
    seat: number,
    seats: number,
    options: JsonObject,
  ): { facts: { icon?: IconName; text: string }[]; bots?(id: string): boolean };
  /** What the lobby says of how to sit down. */
  sitting?(options: JsonObject): string | null;
}

/** What somebody is told before a first game: the goal, three actions, and which drawings are what or one more fact. */
export interface FirstGame {
  title: string;
  goal: string;
  picture: string;
  steps: readonly { name: string; text: string; picture: string }[];
  groups?: readonly {
    name: string;
    drawings: readonly { name: string; picture: string }[];
  }[];
  fact?: string;
}

/** The end from one seat's side: won or lost in the second person, and how close it was. */
export interface Ending {
  title: string;
  about: string;
  won: boolean;
}

/** A line of the picture that is shared: a name and its figure. */
export interface Standing {
  name: string;
  value: number;
  /** The seat whose colour it has; null: that of nobody. */
  seat: number | null;
}

/** Why a bot did something, in words. `me`: the seat of whoever asks; null: it watches. */
export interface WhyWords<
  V extends View = View,
  E extends GameEvent = GameEvent,
  A extends Action = Action,
> {
  /** The seat whose choice this event tells of; null: it tells of none, or nothing could be said of it. */
  mover(event: E): number | null;
  /** "Round 3", where a game does not count turns. */
  turn?(n: number): string;
  /** Choices are explained once the game is over, not before. */
  afterwards?: boolean;
  /** "Why did Cod play card 1?"; null: the page asks for itself. */
  title?(answer: WhyAnswer, name: NameOf, me: number | null): string | null;
  /** The reason in a sentence or two; null: how the move compares with others says it. */
  reason(answer: WhyAnswer, name: NameOf, me: number | null): string | null;
  /** An action in a few words, one more fact about it, and its drawing. */
  option(action: A, answer: WhyAnswer, name: NameOf, me: number | null): OptionWords;
  /** Whose chance the bars show and what it was worked out from; null: the page says so. */
  chance?(answer: WhyAnswer, view: V, name: NameOf): string | null;
}

/** A choice in a few words, one more fact about it, and its drawing. */
export interface OptionWords {
  text: string;
  about?: string;
  picture?: string;
}

/** The analysed decisions of a game, in words. Views are those of the replay's viewer before the decision. */
export interface StudyWords<V extends View = View, A extends Action = Action> {
  /** What a seat could do. `found`: where that was weighed, what came of it. */
  option(action: A, view: V, seat: number, name: NameOf, found?: Candidate): OptionWords;
  /** What the seat knew, where the board does not show it; `truth` is the view with everything open, if it is there. */
  Knew?: Component<{
    decision: Decision;
    view: V;
    truth: V | null;
    name: NameOf;
    table: Pick<Table, 'id' | 'visit'>;
  }>;
  /** What the end of a game tells a seat beside its choices and its luck, from a closer look; null: nothing. */
  closer?(own: SeatAnalysis): string | null;
}

/** Everything else of a game, from page/index.ts: it is loaded when a table, the lesson or the rules are opened. `V` is the game's
    own view, `E` its events and `A` its actions. */
export interface GameModule<
  V extends View = View,
  E extends GameEvent = GameEvent,
  A extends Action = Action,
> {
  /** The screen of a player, a spectator or a replay: everything below the top bar. */
  Board: Component<{ table: Table<V, E, A> }>;
  /** Chips and facts of the game in the top bar: round, cards left, clock. */
  Bar: Component<{ table: Table<V, E, A> }>;
  /** The table's own screen (a TV): the spectator's view, big, without controls; `link` and, where it is known, `code` lead phones to it. */
  Screen: Component<{ table: Table<V, E, A>; code: string | null; link: string }>;
  /** A phone while a table screen is on; where a game has none, its Board serves. */
  PrivateBoard?: Component<{ table: Table<V, E, A> }>;
  /** A replay with nothing hidden: the table's view is the whole state. Where a game has none, the spectator's board serves. */
  Open?: Component<{ table: Table<V, E, A> }>;
  /** The end: ranking or verdict with one chart. Where it counts up first (`counts`), it says when it has. */
  Result: Component<{ table: Table<V, E, A>; ondone?: () => void }>;
  counts?: boolean;
  /** The drawing above the result, as seat `me` sees it; null: somebody who watched. */
  hero(view: V, me: number | null): string;
  /** The end from the side of a seat; where a game has none, the verdict serves. */
  ending?(view: V, me: number, name: NameOf): Ending;
  /** How everybody, or everything that was at stake, stands at the end, best first. */
  standing?(view: V, name: NameOf): Standing[];
  /** Options for a harder game than one with these, and its name; null: there is none. */
  harder?(options: JsonObject, info: GameInfo): { options: JsonObject; name: string } | null;
  /** The board still shows what has happened, step by step, and says it as it goes: nobody else shall tell the outcome. */
  showing?(table: Table<V, E, A>): boolean;
  /** The board itself announces what happens, at its own pace. */
  says?: boolean;
  /** What is shown now is for everybody who shares this device: nobody's secrets, so it needs no cover. */
  shared?(table: Table<V, E, A>): boolean;
  /** One event as a sentence of the log; null: not worth telling. */
  say(event: E, name: NameOf): string | null;
  /** What bots did, explained; where a game has none, nobody can ask. */
  why?: WhyWords<V, E, A>;
  /** Its analysis in words; a game without one is not analysed. */
  study?: StudyWords<V, A>;
  /** The table in sentences, for those who listen: what is asked, the board, the hands. */
  read?(table: Table<V, E, A>): string[];
  /** What a change sounds like; undefined: like a piece that is put down; null: like nothing, the board plays its own. */
  sound?(events: E[]): Sound | null | undefined;
  /** The result as one sentence. */
  verdict(view: V, name: NameOf): string;
  /** Sections of the rules that help at this very moment, most fitting first. */
  help(view: V): string[];
  /** The same moment in drawings, with the player's own numbers; nothing where it has nothing to say. */
  Help?: Component<{ table: Table<V, E, A> }>;
  /** Before a first game, with the numbers of this one; a game without it is not introduced. */
  first?(view: V): FirstGame;
  /** The keys of the board, each with what it does. */
  keys?(): [string, string][];
  /** Drawings that stand beside sections of the rules, by the sections' anchors in text/rules.LANGUAGE.md. */
  ruleArt: Record<string, readonly string[]>;
  /** An action as a lesson compares it: without what makes no difference. */
  plain?(action: A): A;
  /** What a lesson shows where a table of the server has pictures. */
  pictures?: Table['pictures'];
}

/** What we decided, and the scenarios that the rules and the rulings lead to. */
export interface Positions {
  rulings: Ruling[];
  scenarios: Record<string, Partial<Scenario> & { title: string }>;
}

export interface Game {
  id: GameId;
  tile: GameTile;
  module(): Promise<{ default: GameModule }>;
  lesson: (() => Promise<{ default: Lesson }>) | null;
  puzzles: { count: number; load(): Promise<{ default: Puzzle[] }> } | null;
  positions: () => Promise<{ default: Positions }>;
  rules: Record<Language, () => Promise<{ default: RuleBook }>>;
}

export { games };

export function gameOf(id: GameId): Game {
  const game = games.find((g) => g.id === id);
  if (game === undefined) throw new Error(`this page does not know the game ${id}`);
  return game;
}

/** The game that an address names, or the first one. */
export const gameOr = (id: string | undefined): GameId =>
  (games.find((g) => g.id === id) ?? games[0])?.id ?? '';

export const gameName = (id: GameId): string => tongue.text(`${id}.tile.title`);

/** A message about a game that is there from the start: GAME.tile.WHAT. */
export const tileText = (id: GameId, what: string): string => tongue.text(`${id}.tile.${what}`);

/** The module of a game together with its messages and the numbers of its rules. */
export async function gameModule(id: GameId): Promise<GameModule> {
  const [module] = await Promise.all([part(gameOf(id).module), tongue.load(id), served()]);
  return module.default;
}

/** A section of the rules of a game in the language of the page. */
export async function ruleSection(game: GameId, id: string): Promise<RuleText | undefined> {
  const { default: book } = await gameOf(game).rules[tongue.language]();
  return book.sections.find((s) => s.id === id);
}
