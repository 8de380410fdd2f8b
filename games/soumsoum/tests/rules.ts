// The numbers of the rules for tests without a server; of the zones, what the tests look at.
import { keepConstants } from '$model/constants';

const SIDE = 5;
const bit = (row: number, column: number): number =>
  row >= 0 && row < SIDE && column >= 0 && column < SIDE ? 1 << (row * SIDE + column) : 0;

/** The places of a zone around each place, by steps down and to the right. */
const zone = (...steps: [number, number][]): number[] =>
  Array.from({ length: SIDE * SIDE }, (_, place) =>
    steps.reduce((all, [r, c]) => all | bit(Math.floor(place / SIDE) + r, (place % SIDE) + c), 0),
  );
const line = Array.from({ length: 2 * SIDE - 1 }, (_, i) => i - SIDE + 1);
const near = [-1, 0, 1];
const around = near.flatMap((r) => near.map((c): [number, number] => [r, c]));

keepConstants('soumsoum', {
  side: SIDE,
  divers: 5,
  dealt: 3,
  zones: {
    row: zone(...line.map((c): [number, number] => [0, c])),
    column: zone(...line.map((r): [number, number] => [r, 0])),
    around: zone(...around),
    diagonals: zone(
      ...line.flatMap((n): [number, number][] =>
        n === 0
          ? [[0, 0]]
          : [
              [n, n],
              [n, -n],
            ],
      ),
    ),
    orthogonal: zone(...around.filter(([r, c]) => r === 0 || c === 0)),
    board: zone(...line.flatMap((r) => line.map((c): [number, number] => [r, c]))),
  },
});
