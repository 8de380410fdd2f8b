// Dive for the client: what the table's screens show and say.
import type { GameModule } from '$model/game';
import type { DiveAction, DiveEvent, DiveTable, DiveView } from './types';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import PrivateBoard from './PrivateBoard.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import { ending, standing } from './ending';
import { first } from './first';
import { sessionOf } from './session.svelte';
import { pictures, plain } from './lesson';
import { ruleArt } from './rules';
import { study } from './study';
import { help, hero, say, verdict } from './words';
import { why } from './why';

const showing = (table: DiveTable): boolean => sessionOf(table).stage === 'reveal';

const shared = (table: DiveTable): boolean => ['reveal', 'rest'].includes(sessionOf(table).stage);

const module: GameModule<DiveView, DiveEvent, DiveAction> = {
  Board,
  Bar,
  Screen,
  PrivateBoard,
  Open: Board,
  Result,
  showing,
  shared,
  sound: (events) => (events.some((e) => e.event === 'card') ? null : undefined),
  say,
  why,
  study,
  verdict,
  help,
  Help,
  hero,
  ending,
  standing,
  first,
  ruleArt,
  plain,
  pictures,
};
export default module;
