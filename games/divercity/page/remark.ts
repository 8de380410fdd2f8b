// My notes in sentences: what an action would do, if I noted the card rightly.
import { t } from '$i18n/index.svelte';
import type { Note } from './notes';
import { inZone, speciesName } from './text';
import type { DiverCityView } from './types';

/** "octopus, in blue", or several of them. */
export const guesses = (note: Note, view: DiverCityView): string =>
  note.species
    .map((s) => t('divercity.note.one', { species: speciesName(s), zone: inZone(view.ladder[s]) }))
    .join(' / ');

/** None of these tokens moves any more. */
const settled = (note: Note, view: DiverCityView): boolean =>
  note.species.every((s) => view.ladder[s] === 'saved' || view.ladder[s] === 'extinct');

/** What playing the card does, or losing it to the rig. */
export function remark(note: Note, view: DiverCityView, what: 'play' | 'rig'): string {
  const cards = guesses(note, view);
  if (settled(note, view)) return t('divercity.note.settled', { cards });
  return what === 'play' ? t('divercity.note.play', { cards }) : t('divercity.note.rig', { cards });
}
