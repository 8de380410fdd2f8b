// colyseus-load.js: players of colyseus-server.js, as bench_load is Fathom's: PORT PLAYERS WARM_UP SECONDS SERVER_PID.
import { createRequire } from "node:module";
import { SEATS, acknowledged, ended, heard, measure, pause, port, tables, wasRefused } from "./load.js";
import { MIDDLE, below } from "./soumsoum-game.js";
const { Client } = createRequire(import.meta.url)("colyseus.js");

const NONE = -1;
const client = new Client(`ws://127.0.0.1:${port}`);

function choose(s, seat) {
  if (!s.placed) {
    const empty = [];
    for (let i = 0; i < 25; i++) if (s.board[i] === NONE && i !== MIDDLE) empty.push(i);
    return ["place", below(s.cards[seat]), empty[below(empty.length)]];
  }
  const free = [];
  for (let i = 0; s.left[seat] > 0 && i < 25; i++) if (s.board[i] !== NONE && s.divers[i] === NONE) free.push(i);
  const k = below(free.length + 1);
  return k === 0 ? ["pass"] : ["diver", free[k - 1]];
}

function play(room, seat, start) {
  let id = 0, game = 0;
  const sent = [];
  room.onMessage("seat", () => heard());
  room.onMessage("refused", wasRefused);
  room.onMessage("ack", ([n]) => {
    heard();
    acknowledged(sent[n % 8]);
  });
  const see = (s) => {
    heard();
    if (s.game !== game) {
      if (game > 0 && seat === 0) ended();
      game = s.game;
    }
    if (!start.all || s.turn !== seat) return;
    sent[id % 8] = performance.now();
    room.send("move", [id++, ...choose(s, seat)]);
  };
  room.onStateChange(see);
  return () => room.state?.board?.length === 25 && see(room.state);
}

for (let i = 0; i < tables; i++) {
  const start = { all: false };
  const first = await client.create("soumsoum");
  const begin = play(first, 0, start);
  for (let seat = 1; seat < SEATS; seat++) play(await client.joinById(first.roomId), seat, start);
  start.all = true;
  begin();
  await pause();
}
await measure("Colyseus");
