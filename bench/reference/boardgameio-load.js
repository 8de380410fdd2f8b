// boardgameio-load.js: players of boardgame.io's server, as bench_load is Fathom's: PORT PLAYERS WARM_UP SECONDS SERVER_PID.
// A move is acknowledged by the state that holds it. A new game is a new match on the same connections.
import { io } from "socket.io-client";
import { SEATS, acknowledged, ended, heard, measure, pause, port, tables } from "./load.js";
import { chooseMove } from "./soumsoum-game.js";

let next = 0;
class Table {
  constructor() {
    this.players = Array.from({ length: SEATS }, (_, seat) => this.connect(String(seat)));
    this.begin();
  }
  connect(seat) {
    const socket = io(`http://127.0.0.1:${port}/soumsoum`, { transports: ["websocket"], forceNew: true, reconnection: false });
    const player = { seat, socket, sentMs: 0, waitsFor: -1 };
    socket.on("sync", (match, { state }) => this.see(player, match, state));
    socket.on("update", (match, state) => this.see(player, match, state));
    return player;
  }
  begin() {
    this.match = `m${next++}`;
    for (const { seat, socket } of this.players) socket.emit("sync", this.match, seat, undefined, SEATS);
  }
  see(player, match, state) {
    heard();
    if (match !== this.match || state === undefined) return;
    if (player.waitsFor >= 0 && state._stateID >= player.waitsFor) {
      acknowledged(player.sentMs);
      player.waitsFor = -1;
    }
    if (state.ctx.gameover !== undefined) {
      if (player.seat === "0") { ended(); this.begin(); }
    } else if (state.ctx.currentPlayer === player.seat && player.waitsFor < 0) {
      const [type, args] = chooseMove(state);
      player.sentMs = performance.now();
      player.waitsFor = state._stateID + 1;
      player.socket.emit("update", { type: "MAKE_MOVE", payload: { type, args, playerID: player.seat } }, state._stateID, match, player.seat);
    }
  }
}

for (let i = 0; i < tables; i++) {
  new Table();
  await pause();
}
await measure("boardgame.io");
