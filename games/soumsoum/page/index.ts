// Soum Soum in the client.
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import type { GameModule } from '$model/game';
import type { GameEvent } from '$net/types';
import type { Do, SoumView } from './types';
import { ruleArt } from './rules';
import { help, hero, say, verdict } from './words';

const module: GameModule<SoumView, GameEvent, Do> = {
  Board,
  Bar,
  Screen,
  Result,
  say,
  verdict,
  help,
  Help,
  hero,
  ruleArt,
};
export default module;
