// What the panel beside the board says: a title, sentences, and what of it is spoken.
import { t, tk, tn } from '$i18n/index.svelte';
import type { NameOf } from '$model/game';
import { card, cardAt, type Laid, tokenAt } from './model';
import type { Play } from './play.svelte';
import type { SoumTable } from './types';
import { cardText, changeTexts, condition, placeText, shows, some } from './words';

export interface Told {
  title: string;
  /** The first sentence; where there is little room it stands alone. */
  text: string;
  more: string[];
  /** What a screen reader does not hear from the place that has the focus. */
  spoken: string;
}

const said = (
  title: string,
  text = '',
  more: string[] = [],
  spoken = `${title}. ${text}`,
): Told => ({
  title,
  text,
  more,
  spoken: spoken.replaceAll('*', ''),
});

/** A card that would lie on the place looked at. */
function laying(play: Play, table: SoumTable, name: NameOf): Told {
  const title = t('soumsoum.ifHere');
  if (play.view === null || play.ghost === null || play.then === undefined)
    return said(title, t('soumsoum.counting'), [], '');
  const c = card(play.ghost.card);
  const first =
    play.here === undefined
      ? t('soumsoum.noneLeftToCount')
      : t('soumsoum.wouldCount', {
          what: some(play.here, c.counts),
          where: tk('soumsoum.where.', c.zone),
        });
  const others = changeTexts(play.view, play.changed, table.me, name);
  const more = others.length > 0 ? others : [t('soumsoum.nothingElse')];
  return said(title, first, more, [first, ...more].join(' '));
}

/** What the others did since one's own last turn. The cards are ringed, so of several it is enough to say how many. */
function since(laid: Laid[], name: NameOf): string[] {
  const [first] = laid;
  if (first === undefined) return [];
  if (laid.length > 1) return [tn('soumsoum.since', laid.length)];
  const who = { name: name(first.seat), where: placeText(first.place) };
  return first.diver === null
    ? [t('soumsoum.since.placed', who)]
    : [
        tn('soumsoum.since.dived', first.diver.worth, {
          ...who,
          place: placeText(first.diver.place),
        }),
      ];
}

function placing(play: Play, name: NameOf): Told {
  return play.held === null
    ? said(t('soumsoum.yourTurnTitle'), t('soumsoum.choose'), since(play.since, name))
    : said(t('soumsoum.picked', { card: shows(card(play.held)) }), t('soumsoum.wherePlace'));
}

/** A diver may be sent. Places say themselves what a diver there is worth. */
function diving(play: Play, table: SoumTable): Told {
  const left = tn('soumsoum.keep', play.view?.tokens_left[table.me ?? 0] ?? 0);
  const step = t('soumsoum.diverTitle');
  const there = play.spot === null || play.view === null ? null : cardAt(play.view, play.spot);
  if (play.spot === null || there === null || !play.open.has(play.spot))
    return said(step, t('soumsoum.whereDive'), [left], `${step}. ${left}`);
  return said(
    t('soumsoum.diverOn', { card: shows(there), where: placeText(play.spot) }),
    play.here === undefined
      ? t('soumsoum.counting')
      : t('soumsoum.countsNow', {
          what: some(play.here, there.counts),
          where: tk('soumsoum.where.', there.zone),
        }),
    [left],
    `${step}. ${left}`,
  );
}

/** A card on the board that somebody looks at. */
function looking(play: Play, name: NameOf): Told | null {
  const v = play.view;
  const there = play.spot === null || v === null ? null : cardAt(v, play.spot);
  if (v === null || play.spot === null || there === null) return null;
  const token = tokenAt(v, play.spot);
  return said(
    t('soumsoum.cardTitle', { card: shows(there), where: placeText(play.spot) }),
    token === undefined
      ? t('soumsoum.cardSays', { condition: condition(there) })
      : t('soumsoum.diverCounts', {
          name: name(token.seat),
          what: some(token.worth, there.counts),
          where: tk('soumsoum.where.', there.zone),
        }),
    [],
    '',
  );
}

export function told(play: Play, table: SoumTable, name: NameOf): Told {
  const v = play.view;
  if (v === null) return said('', '', [], '');
  if (play.sent !== null) return said(t('soumsoum.sending'), '', [], '');
  const now = atStep(play, table, name);
  return play.why === '' ? now : { ...now, text: play.why, more: [], spoken: play.why };
}

function atStep(play: Play, table: SoumTable, name: NameOf): Told {
  const v = play.view;
  if (play.step === 'place')
    return play.ghost === null ? placing(play, name) : laying(play, table, name);
  if (play.step === 'diver') return diving(play, table);
  if (play.step === 'take') {
    const text = play.taking === null ? undefined : v?.market?.[play.taking];
    return said(
      t('soumsoum.takeTitle'),
      text === undefined ? t('soumsoum.whichTake') : cardText(card(text)),
    );
  }
  const looked = looking(play, name);
  if (looked !== null) return looked;
  if (v?.phase === 'over') return said(t('soumsoum.overTitle'), '', [], '');
  const who = v === null || v.active === null ? '' : name(v.active);
  return said(
    t('soumsoum.waitTitle', { name: who }),
    v === null ? '' : tk('soumsoum.doing.', v.phase, { name: who }),
    [],
    '',
  );
}
