// DiverCity for the client.
import type { GameModule } from '$model/game';
import type { DiverCityAction, DiverCityEvent, DiverCityView } from './types';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import { ending, harder, hero, standing } from './ending';
import { first } from './first';
import { deskOf } from './desk.svelte';
import { help } from './help';
import Help from './Help.svelte';
import { keys } from './keys';
import { read } from './read';
import Result from './Result.svelte';
import { ruleArt } from './rules';
import { say, verdict } from './say';
import { study } from './study';
import { why } from './why';
import Screen from './Screen.svelte';

const module: GameModule<DiverCityView, DiverCityEvent, DiverCityAction> = {
  Board,
  Bar,
  Screen,
  Result,
  Open: Board,
  showing: (table) => deskOf(table).busy,
  says: true,
  say,
  why,
  study,
  read,
  sound: (events) => (events.some((e) => e.event === 'corporation') ? 'sheet' : undefined),
  verdict,
  help,
  Help,
  keys,
  hero,
  ending,
  standing,
  harder,
  first,
  ruleArt,
};
export default module;
