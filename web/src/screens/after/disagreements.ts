// What does not agree with what this device kept, as sentences.
import { t } from '../../i18n/index.svelte';
import type { Compared } from '../../model/verify';

export const disagreements = (compared: Compared): string[] => [
  ...(compared.seal === false ? [t('after.otherSeal')] : []),
  ...(compared.deck === false ? [t('after.otherDeck')] : []),
  ...(compared.chance === false ? [t('after.otherChance')] : []),
];
