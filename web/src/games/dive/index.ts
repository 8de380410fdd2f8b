// Dive for the client: what the table's screens show and say.
import type { GameModule } from '../module';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import PrivateBoard from './PrivateBoard.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import { help, say, verdict } from './words';

const module: GameModule = { Board, Bar, Screen, PrivateBoard, Result, say, verdict, help };
export default module;
