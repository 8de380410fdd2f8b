// The moment in one line: whose turn it is and what is asked.
import { t } from '$i18n/index.svelte';
import type { Desk } from './desk.svelte';
import { verdict } from './say';
import type { DiverCityView } from './types';

export function headline(desk: Desk, view: DiverCityView): string {
  const name = view.active === null ? '' : desk.who(view.active);
  if (view.phase === 'over') return verdict(view);
  if (view.phase === 'setup') return t('divercity.news.setup');
  if (desk.busy) return t('divercity.news.turn', { name });
  switch (desk.question) {
    case 'rig':
      return t('divercity.news.rig');
    case 'captain': {
      // With diver cards on any turn, whoever orders need not be whose turn it is.
      const by = view.diver_used.findIndex((cards) => cards.includes('captain'));
      return t('divercity.news.captain', { name: by < 0 ? name : desk.who(by) });
    }
    case 'industry':
      return t('divercity.news.industry');
    case 'visionary':
      return t('divercity.news.visionary');
    case 'action':
    case 'after':
      return desk.solo ? t('divercity.news.solo', { name }) : t('divercity.news.yours', { name });
    default:
      return t('divercity.news.turn', { name });
  }
}
