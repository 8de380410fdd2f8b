// The keys of DiverCity, for the help; Board.svelte hears them.
import { t } from '$i18n/index.svelte';
import { rules } from './numbers';

export const keys = (): [string, string][] => [
  [`1–${rules.hand}`, t('divercity.keys.card')],
  ['P', t('divercity.keys.play')],
  ['W', t('divercity.keys.walkie')],
  ['C', t('divercity.keys.close')],
  ['E', t('divercity.keys.end')],
  ['S', t('divercity.keys.skip')],
  ['← →', t('divercity.keys.arrows')],
];
