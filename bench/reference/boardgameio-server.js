// boardgameio-server.js: Soum Soum on boardgame.io's own server, with its default store: memory.
import { createRequire } from "node:module";
import { game } from "./soumsoum-game.js";
const { Server } = createRequire(import.meta.url)("boardgame.io/server");
await Server({ games: [game], origins: [/./] }).run({ port: Number(process.argv[2]), lobbyConfig: { apiPort: Number(process.argv[2]) + 1 } });
console.log("ready");
