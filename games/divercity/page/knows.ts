// What a partner knows of their own cards, in a sentence: it follows from walkie-talkies and draws that everybody saw.
import { list, t, tn } from '$i18n/index.svelte';
import type { Desk } from './desk.svelte';
import { lastTold } from './moves';
import type { DiverCityView } from './types';

export function knowsText(desk: Desk, view: DiverCityView, hand: number): string {
  const name = desk.who(hand);
  const known = (view.told[hand] ?? []).flatMap((yes, i) => (yes ? [String(i + 1)] : []));
  if (known.length === 0) return t('divercity.knows.none', { name });
  const cards = tn('divercity.knows.cards', known.length, { name, cards: list(known) });
  const last = lastTold(desk.turns, hand);
  if (last === null || last.by === null) return cards;
  const { n } = last;
  const how =
    last.by === hand
      ? t('divercity.knows.looked', { name, n })
      : last.by === desk.me
        ? t('divercity.knows.you', { n })
        : t('divercity.knows.by', { name: desk.who(last.by), n });
  return `${cards} ${how}`;
}
