// soumsoum.js: Soum Soum on boardgame.io, played at random through its reducer.
//
// The same rules and the same work a move as `fathom bench soumsoum`: two players, no market, each
// move chosen uniformly among the legal ones and then checked by the rules. Prints {"moves_per_second":…}.
import { createRequire } from "node:module";
import { chooseMove, game } from "./soumsoum-game.js";
const { CreateGameReducer, InitializeGame } = createRequire(import.meta.url)("boardgame.io/internal");

function match(reducer) {
  let state = InitializeGame({ game, numPlayers: 2 });
  let moves = 0;
  for (; state.ctx.gameover === undefined; moves++) {
    const [type, args] = chooseMove(state);
    const before = state._stateID;
    state = reducer(state, { type: "MAKE_MOVE", payload: { type, args, playerID: state.ctx.currentPlayer } });
    if (state._stateID === before) throw new Error(`${type} ${args} was refused`);
  }
  if (moves !== 48) throw new Error(`a game of ${moves} moves`);
  return moves;
}

const reducer = CreateGameReducer({ game });
const seconds = Number(process.argv[2] ?? 3);
for (let i = 0; i < 20; i++) match(reducer); // let the compiler warm up
let moves = 0;
const start = process.cpuUsage();
const spent = () => (({ user, system }) => (user + system) / 1e6)(process.cpuUsage(start));
while (spent() < seconds) moves += match(reducer);
console.log(JSON.stringify({ game: "soumsoum", engine: "boardgame.io", moves_per_second: Math.round(moves / spent()) }));
