// Soum Soum in the client.
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import { ending, standing } from './ending';
import { first } from './first';
import Help from './Help.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import type { GameModule } from '$model/game';
import type { GameEvent } from '$net/types';
import type { Do, SoumView } from './types';
import { ruleArt } from './rules';
import { help, hero, say, verdict } from './words';
import { study } from './study';
import { why } from './why';

const module: GameModule<SoumView, GameEvent, Do> = {
  Board,
  Bar,
  Open: Board,
  Screen,
  Result,
  say,
  why,
  study,
  verdict,
  help,
  Help,
  hero,
  ending,
  standing,
  counts: true,
  sound: (events) => (events.some((e) => e.event === 'dived') ? 'splash' : undefined),
  first,
  ruleArt,
};
export default module;
