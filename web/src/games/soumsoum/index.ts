// Soum Soum in the client.
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import type { GameModule } from '../module';
import { help, say, verdict } from './words';

const module: GameModule = { Board, Bar, Screen, Result, say, verdict, help, Help };
export default module;
