// Where a lesson points: parts of the boards by the classes of their sheets. The first that is on screen is ringed.
import type { GameId } from '../net/types';

export const points: Record<GameId, Record<string, string>> = {
  dive: { track: '.line', ocean: '.ocean', plan: '.board, .dock', tray: '[data-tray]', ready: '.btn.go' },
  divercity: { ladder: '.ladder', hands: '.hands', corporations: '.desk', hand: '.dock', actions: '.acts3', isles: '.isles', meters: '.meters' },
  soumsoum: { board: '.grid5', hand: '.hands', scores: '.scores', choice: '.pv' },
};
