// Why a move was refused, to the player.
import { words } from '../../model/words.svelte';
import { Refusal } from '../../net/api';
import { t } from '../../i18n/index.svelte';

export function refused(error: unknown): void {
  words.show(t('soumsoum.refused'), 'bad', error instanceof Refusal ? error.message : String(error));
}
