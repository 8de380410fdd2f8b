// What is asked of me, said aloud: for those who listen to the game.
import { list, t } from '$i18n/index.svelte';
import type { Desk } from './desk.svelte';
import { headline } from './headline';
import { legal, type DiverCityView } from './types';

/** What the moment asks, in a sentence or two; empty where nothing is asked. */
export function request(desk: Desk, view: DiverCityView): string {
  switch (desk.question) {
    case 'rig':
      return t('divercity.news.rig.about');
    case 'captain':
      return t('divercity.news.captain.about');
    case 'industry':
      return t('divercity.news.industry.about', {
        name: view.active === null ? '' : desk.who(view.active),
      });
    case 'visionary':
      return desk.industry === null
        ? t('divercity.news.visionary.about')
        : t('divercity.news.visionary.strike');
    case 'action':
      return t('divercity.news.action');
    case 'after':
      return t('divercity.news.after');
    case 'setup':
      return t('divercity.setup.choose.about');
    default:
      return '';
  }
}

/** The same for the ear; null: nothing is asked. */
export function prompt(desk: Desk, view: DiverCityView): string | null {
  if (desk.question === 'action') {
    const acts = [
      ...(legal(view, 'play').length > 0 ? [t('divercity.act.play')] : []),
      ...(legal(view, 'walkie').length > 0 ? [t('divercity.act.walkie')] : []),
      ...(legal(view, 'close').length > 0 ? [t('divercity.act.close')] : []),
    ];
    const name = view.active === null ? '' : desk.who(view.active);
    return t('divercity.ear.action', { name, acts: list(acts) });
  }
  const body = request(desk, view);
  return body === '' ? null : t('divercity.ear.asks', { head: headline(desk, view), body });
}
