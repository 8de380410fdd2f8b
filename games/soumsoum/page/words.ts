// Soum Soum in sentences: cards, places, events, the verdict.
import { list, t, tk, tn } from '$i18n/index.svelte';
import type { GameEvent, View } from '$net/types';
import type { NameOf } from '$model/game';
import {
  type Animal,
  atOf,
  card,
  type Card,
  cardAt,
  type Change,
  type Counted,
  gains,
  lies,
  type Place,
  placeOf,
  tokenAt,
  top,
} from './model';
import { art } from './art';
import type { At, SoumView } from './types';

const numbers = {
  shark: 'soumsoum.n.shark',
  octopus: 'soumsoum.n.octopus',
  hermit: 'soumsoum.n.hermit',
  any: 'soumsoum.n.any',
} as const;

/** "3 sharks" */
export const some = (n: number, what: Counted): string => tn(numbers[what], n);

/** "shark", "2 sharks and octopus": what a card shows. */
export function shows(c: Card): string {
  const kinds = [...new Set(c.shows)] as Animal[];
  return list(
    kinds.map((a) => {
      const n = c.shows.filter((s) => s === a).length;
      return n === 1 ? tk('soumsoum.animal.', a) : some(n, a);
    }),
  );
}

/** "counts sharks around it" */
export function condition(c: Card): string {
  const text = t('soumsoum.counts', {
    what: tk('soumsoum.all.', c.counts),
    where: tk('soumsoum.where.', c.zone),
  });
  return c.self ? text : t('soumsoum.notItself', { text });
}

/** "octopus; counts sharks around it" */
export const cardText = (c: Card): string =>
  t('soumsoum.card', { shows: shows(c), condition: condition(c) });

/** "row 2, column 3" */
export const placeText = (place: Place): string => {
  const [r, c] = atOf(place);
  return t('soumsoum.at', { row: r + 1, column: c + 1 });
};

/** All of a place, for readers: where, what, whose diver. */
export function placeLabel(view: SoumView, place: Place, name: NameOf): string {
  const where = placeText(place);
  const text = lies(view, place);
  if (text === null) return t('soumsoum.place.empty', { where });
  if (text === 'sub') return t('soumsoum.place.sub', { where });
  const token = tokenAt(view, place);
  const label = t('soumsoum.place.card', { where, card: cardText(card(text)) });
  return token === undefined
    ? label
    : t('soumsoum.place.diver', {
        label,
        name: name(token.seat),
        worth: some(token.worth, card(text).counts),
      });
}

/** What changes elsewhere, a sentence each; many are summed up. */
export function changeTexts(
  view: SoumView,
  all: Change[],
  me: number | null,
  name: NameOf,
): string[] {
  if (all.length > 2) {
    const sums = [...gains(all)].map(([seat, n]) =>
      seat === me
        ? t('soumsoum.gainYou', { n: signed(n) })
        : t('soumsoum.gain', { n: signed(n), name: name(seat) }),
    );
    return [t('soumsoum.changed.sum', { n: all.length, sums: list(sums) })];
  }
  return all.map((c) => {
    const there = cardAt(view, c.place);
    const values = {
      card: there === null ? placeText(c.place) : shows(there),
      from: c.from,
      to: c.to,
    };
    return c.seat === me
      ? t('soumsoum.changed.mine', values)
      : t('soumsoum.changed.each', { name: name(c.seat), ...values });
  });
}

/** A sentence begins with a capital. */
export const cap = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);

/** "+2", "−1" */
export const signed = (n: number): string => (n < 0 ? `−${-n}` : `+${n}`);

const seatOf = (e: GameEvent): number => Number(e['seat']);
const where = (e: GameEvent): string => placeText(placeOf(e['at'] as At));
const cardOf = (e: GameEvent): string => cardText(card(String(e['card'])));

export function say(e: GameEvent, name: NameOf): string | null {
  switch (e['event']) {
    case 'starts':
      return t('soumsoum.say.starts', { name: name(seatOf(e)) });
    case 'placed':
      return t('soumsoum.say.placed', { name: name(seatOf(e)), card: cardOf(e), where: where(e) });
    case 'dived':
      return tn('soumsoum.say.dived', Number(e['worth']), {
        name: name(seatOf(e)),
        where: where(e),
      });
    case 'passed':
      return t('soumsoum.say.passed', { name: name(seatOf(e)) });
    case 'drew':
      return e['card'] === null
        ? t('soumsoum.say.drew', { name: name(seatOf(e)) })
        : t('soumsoum.say.drewCard', { name: name(seatOf(e)), card: cardOf(e) });
    case 'took':
      return t('soumsoum.say.took', { name: name(seatOf(e)), card: cardOf(e) });
    case 'skipped':
      return t('soumsoum.say.skipped', { name: name(seatOf(e)) });
    case 'scored':
      return tn('soumsoum.say.scored', Number(e['score']), { name: name(seatOf(e)) });
    case 'won':
      return e['tie'] === true
        ? t('soumsoum.say.wonTie', { name: name(seatOf(e)) })
        : t('soumsoum.say.won', { name: name(seatOf(e)) });
    default:
      return null;
  }
}

export function verdict(view: View, name: NameOf): string {
  const v = view as SoumView;
  const winner = v.result?.winners[0];
  if (winner === undefined) return '';
  const first = top(v);
  const n = v.result?.scores[winner] ?? 0;
  return first.length > 1
    ? tn('soumsoum.verdict.tie', n, { names: list(first.map(name)), name: name(winner) })
    : tn('soumsoum.verdict.won', n, { name: name(winner) });
}

export function help(view: View): string[] {
  const v = view as SoumView;
  if (v.phase === 'over') return ['end', 'score', 'tie'];
  if ((v.legal ?? []).length === 0) return ['turn', 'zones', 'score'];
  return {
    place: ['place', 'zones', 'score'],
    diver: ['diver', 'score', 'zones'],
    take: ['market'],
  }[v.phase];
}

/** The drawing of who has won. */
export const hero = (view: SoumView): string =>
  art(`diver-pawn-${(view.result?.winners[0] ?? 0) + 1}`);
