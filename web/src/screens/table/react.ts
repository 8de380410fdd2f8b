// The eight reactions as drawings and words.
import { known, t, tk, tongue } from '../../i18n/index.svelte';
import type { Room } from '../../model/room.svelte';
import { art, drawings } from '../../ui/art';

const drawn = drawings(
  import.meta.glob<string>('./react/*.svg', { eager: true, query: '?raw', import: 'default' }),
  art,
);

/** Other programs may say `wave` for `hello`. */
const drawing = (name: string): string => (name === 'wave' ? 'hello' : name);
export const reactionArt = (name: string): string => drawn(`react-${drawing(name)}`);
export const reactionWord = (name: string): string => tk('lobby.react.', drawing(name));

/** Why they are closed now, in the words of the game. */
export function closedWhy(game: string): string {
  const key = `${game}.reactions.closed`;
  return tongue.text(known(key) ? key : 'common.refused.not-now');
}

/** The heading of the panel. */
export const reactTitle = (room: Room): string =>
  room.table.reactions.open ? t('lobby.react') : t('lobby.reactClosed');
