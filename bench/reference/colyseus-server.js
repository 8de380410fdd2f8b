// colyseus-server.js: Soum Soum in a room of Colyseus: every move is checked, patched into all clients at once and acknowledged.
// Nothing is stored. A game that ends begins anew in the same room.
import { createRequire } from "node:module";
import { DECK, MIDDLE } from "./soumsoum-game.js";
const require = createRequire(import.meta.url);
const { Room, Server } = require("@colyseus/core");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { ArraySchema, Schema, defineTypes } = require("@colyseus/schema");

const SEATS = 4;
const NONE = -1;

class State extends Schema {}
defineTypes(State, {
  board: ["int8"], divers: ["int8"], left: ["int8"], cards: ["int8"], pile: "int8", turn: "int8", placed: "boolean", game: "uint32",
});

class Table extends Room {
  maxClients = SEATS;
  onCreate() {
    this.setState(new State());
    this.state.game = 0;
    this.deal();
    this.setPatchRate(null);
    this.onMessage("move", (client, [id, type, a, b]) => {
      if (!this.move(client.userData, type, a, b)) {
        client.send("refused", id);
        return;
      }
      this.broadcastPatch();
      client.send("ack", [id, this.hands[client.userData]]);
    });
  }
  onJoin(client) {
    client.userData = this.clients.length - 1;
    client.send("seat", client.userData);
    this.broadcastPatch();
  }
  deal() {
    const pile = DECK.map((_, i) => i);
    for (let i = pile.length - 1; i > 0; i--) {
      const k = Math.floor(Math.random() * (i + 1));
      [pile[i], pile[k]] = [pile[k], pile[i]];
    }
    const s = this.state;
    this.hands = Array.from({ length: SEATS }, () => pile.splice(-3));
    this.pile = pile;
    s.board = new ArraySchema(...Array(25).fill(NONE));
    s.divers = new ArraySchema(...Array(25).fill(NONE));
    s.left = new ArraySchema(...Array(SEATS).fill(5));
    s.cards = new ArraySchema(...Array(SEATS).fill(3));
    s.pile = pile.length;
    s.turn = 0;
    s.placed = false;
    s.game++;
  }
  move(seat, type, a, b) {
    const s = this.state;
    if (s.turn !== seat) return false;
    if (type === "place") {
      const hand = this.hands[seat];
      if (s.placed || hand[a] === undefined || b === MIDDLE || s.board[b] !== NONE) return false;
      s.board[b] = hand.splice(a, 1)[0];
      s.cards[seat] = hand.length;
      s.placed = true;
      return true;
    }
    if (!s.placed) return false;
    if (type === "diver") {
      if (s.board[a] === NONE || s.divers[a] !== NONE || s.left[seat] === 0) return false;
      s.divers[a] = seat;
      s.left[seat]--;
    }
    if (this.pile.length > 0) this.hands[seat].push(this.pile.pop());
    s.pile = this.pile.length;
    s.cards[seat] = this.hands[seat].length;
    s.placed = false;
    s.turn = (seat + 1) % SEATS;
    if (this.state.board.every((card, place) => card !== NONE || place === MIDDLE)) this.deal();
    return true;
  }
}

const server = new Server({ transport: new WebSocketTransport({ pingInterval: 0 }), greet: false });
server.define("soumsoum", Table);
await server.listen(Number(process.argv[2]));
console.log("ready");
