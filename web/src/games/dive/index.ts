// Dive for the client: what the table's screens show and say.
import type { GameModule } from '../module';
import Bar from './Bar.svelte';
import Board from './Board.svelte';
import Help from './Help.svelte';
import PrivateBoard from './PrivateBoard.svelte';
import Result from './Result.svelte';
import Screen from './Screen.svelte';
import { sessionOf } from './session.svelte';
import { help, say, verdict } from './words';

const showing: GameModule['showing'] = (table) => sessionOf(table).stage === 'reveal';

const module: GameModule = { Board, Bar, Screen, PrivateBoard, Open: Board, Result, showing, say, verdict, help, Help };
export default module;
