// Why a file could not be opened as a record, as a sentence.
import { t } from '../../i18n/index.svelte';
import { Refusal } from '../../net/api';

export function unopened(error: unknown): string {
  switch (error instanceof Refusal ? error.code : '') {
    case 'too-big':
      return t('after.openBig');
    case 'other-rules':
    case 'unknown-rules':
      return t('after.openRules');
    case 'no-such-game':
    case 'bad-deck':
      return t('after.openElse');
    case 'offline':
    case 'no-such-path':
    case 'http':
      return t('after.openGone');
    default:
      return t('after.openBad');
  }
}
