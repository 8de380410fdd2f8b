// Moray in the page.
import type { GameModule } from '$model/game';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import Result from './Result.svelte';
import { ruleArt } from './rules';
import Screen from './Screen.svelte';
import type { MorayView } from './types';
import { help, hero, say, verdict } from './words';

const module: GameModule<MorayView> = {
  Board,
  Bar,
  Screen,
  Result,
  hero,
  say,
  verdict,
  help,
  Help,
  ruleArt,
};
export default module;
