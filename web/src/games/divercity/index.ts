// DiverCity for the client.
import type { GameModule } from '../module';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import { help } from './help';
import Help from './Help.svelte';
import Result from './Result.svelte';
import { say, verdict } from './say';
import Screen from './Screen.svelte';

const module: GameModule = { Board, Bar, Screen, Result, Open: Board, say, verdict, help, Help };
export default module;
