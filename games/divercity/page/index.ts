// DiverCity for the client.
import type { GameModule } from '$model/game';
import type { DiverCityAction, DiverCityEvent, DiverCityView } from './types';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import { help } from './help';
import Help from './Help.svelte';
import Result from './Result.svelte';
import { ruleArt } from './rules';
import { hero, say, verdict } from './say';
import Screen from './Screen.svelte';

const module: GameModule<DiverCityView, DiverCityEvent, DiverCityAction> = {
  Board,
  Bar,
  Screen,
  Result,
  Open: Board,
  say,
  verdict,
  help,
  Help,
  hero,
  ruleArt,
};
export default module;
