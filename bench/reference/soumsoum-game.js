// soumsoum-game.js: Soum Soum as a boardgame.io game, without its market, and a player that moves at random.
const INVALID = "INVALID_MOVE";

const ANIMALS = ["shark", "octopus", "hermit"];
const ZONES = {
  row: (r, c) => r === 0,
  column: (r, c) => c === 0,
  around: (r, c) => Math.abs(r) <= 1 && Math.abs(c) <= 1,
  diagonals: (r, c) => Math.abs(r) === Math.abs(c),
};
export const DECK = ANIMALS.flatMap((shows) =>
  ANIMALS.flatMap((counts) => Object.keys(ZONES).map((zone) => ({ shows, counts, zone }))),
);
export const MIDDLE = 12;

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

export const game = {
  name: "soumsoum",
  setup: ({ random, ctx }) => {
    const pile = random.Shuffle(DECK.map((_, i) => i));
    const each = (value) => Object.fromEntries(Array.from({ length: ctx.numPlayers }, (_, seat) => [seat, value()]));
    return {
      hands: each(() => pile.splice(-3)),
      pile,
      board: Array(25).fill(null),
      divers: Array(25).fill(null),
      left: each(() => 5),
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
    const scores = Object.fromEntries(Object.keys(G.left).map((seat) => [seat, 0]));
    G.divers.forEach((seat, place) => seat !== null && (scores[seat] += worth(G, place)));
    return { scores };
  },
};

export const below = (n) => Math.floor(Math.random() * n);

export function chooseMove({ G, ctx }) {
  if (!G.placed) {
    const empty = G.board.flatMap((card, place) => (card === null && place !== MIDDLE ? [place] : []));
    return ["place", [below(G.hands[ctx.currentPlayer].length), empty[below(empty.length)]]];
  }
  const free = G.left[ctx.currentPlayer] > 0 ? G.board.flatMap((card, place) => (card !== null && G.divers[place] === null ? [place] : [])) : [];
  const k = below(free.length + 1);
  return k === 0 ? ["pass", []] : ["diver", [free[k - 1]]];
}
