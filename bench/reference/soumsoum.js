// soumsoum.js: Soum Soum as a boardgame.io game, played at random through its reducer.
//
// The same rules and the same work a move as `fathom bench soumsoum`: two players, no market, each
// move chosen uniformly among the legal ones and then checked by the rules. Prints {"moves_per_second":…}.
import { createRequire } from "node:module";
const { CreateGameReducer, InitializeGame } = createRequire(import.meta.url)("boardgame.io/internal");
const INVALID = "INVALID_MOVE";

const ANIMALS = ["shark", "octopus", "hermit"];
const ZONES = {
  row: (r, c) => r === 0,
  column: (r, c) => c === 0,
  around: (r, c) => Math.abs(r) <= 1 && Math.abs(c) <= 1,
  diagonals: (r, c) => Math.abs(r) === Math.abs(c),
};
const DECK = ANIMALS.flatMap((shows) =>
  ANIMALS.flatMap((counts) => Object.keys(ZONES).map((zone) => ({ shows, counts, zone }))),
);
const MIDDLE = 12;

function worth(G, place) {
  const card = DECK[G.board[place]];
  let sum = 0;
  for (let other = 0; other < 25; other++) {
    if (G.board[other] === null) continue;
    const row = Math.floor(other / 5) - Math.floor(place / 5);
    if (ZONES[card.zone](row, (other % 5) - (place % 5)) && DECK[G.board[other]].shows === card.counts) sum++;
  }
  return sum;
}

function draw({ G, ctx, events }) {
  if (G.pile.length > 0) G.hands[ctx.currentPlayer].push(G.pile.pop());
  G.placed = false;
  events.endTurn();
}

const game = {
  name: "soumsoum",
  setup: ({ random }) => {
    const pile = random.Shuffle(DECK.map((_, i) => i));
    return {
      hands: { 0: pile.splice(-3), 1: pile.splice(-3) },
      pile,
      board: Array(25).fill(null),
      divers: Array(25).fill(null),
      left: { 0: 5, 1: 5 },
      placed: false,
    };
  },
  moves: {
    place: ({ G, ctx }, card, place) => {
      const hand = G.hands[ctx.currentPlayer];
      if (G.placed || !(card in hand) || place === MIDDLE || G.board[place] !== null) return INVALID;
      G.board[place] = hand.splice(card, 1)[0];
      G.placed = true;
    },
    diver: (all, place) => {
      const { G, ctx } = all;
      if (!G.placed || G.board[place] === null || G.divers[place] !== null || G.left[ctx.currentPlayer] === 0) return INVALID;
      G.divers[place] = ctx.currentPlayer;
      G.left[ctx.currentPlayer]--;
      draw(all);
    },
    pass: (all) => {
      if (!all.G.placed) return INVALID;
      draw(all);
    },
  },
  endIf: ({ G }) => {
    if (G.placed || G.board.some((card, place) => card === null && place !== MIDDLE)) return undefined;
    const scores = { 0: 0, 1: 0 };
    G.divers.forEach((seat, place) => seat !== null && (scores[seat] += worth(G, place)));
    return { scores };
  },
};

const below = (n) => Math.floor(Math.random() * n);

function chooseMove({ G, ctx }) {
  if (!G.placed) {
    const empty = G.board.flatMap((card, place) => (card === null && place !== MIDDLE ? [place] : []));
    return ["place", [below(G.hands[ctx.currentPlayer].length), empty[below(empty.length)]]];
  }
  const free = G.left[ctx.currentPlayer] > 0 ? G.board.flatMap((card, place) => (card !== null && G.divers[place] === null ? [place] : [])) : [];
  const k = below(free.length + 1);
  return k === 0 ? ["pass", []] : ["diver", [free[k - 1]]];
}

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
