// The end of Soum Soum from one player's side, and the best diver of the game.
import { t, tk, tn } from '$i18n/index.svelte';
import type { Ending, NameOf, Standing } from '$model/game';
import { cardAt, placeOf, ranking, top } from './model';
import type { SoumView, Token } from './types';
import { placeText, shows, some } from './words';

export function ending(view: SoumView, me: number, name: NameOf): Ending {
  const winner = view.result?.winners[0] ?? me;
  const won = winner === me;
  const mine = view.scores[me] ?? 0;
  const tied = top(view).length > 1 && top(view).includes(me);
  const second = ranking(view).find((seat) => seat !== winner) ?? winner;
  const gap = (view.scores[winner] ?? 0) - (won ? (view.scores[second] ?? 0) : mine);
  return {
    won,
    title: won
      ? tn('soumsoum.you.won', mine)
      : tn('soumsoum.you.lost', mine, { name: name(winner) }),
    about: tied
      ? won
        ? t('soumsoum.you.tieWon', { name: name(second) })
        : t('soumsoum.you.tieLost', { name: name(winner) })
      : won
        ? tn('soumsoum.you.ahead', gap, { name: name(second) })
        : tn('soumsoum.you.behind', gap, { name: name(winner) }),
  };
}

export const standing = (view: SoumView, name: NameOf): Standing[] =>
  ranking(view).map((seat) => ({ name: name(seat), value: view.scores[seat] ?? 0, seat }));

/** A diver in words: its card, where it is, and what it counts. */
export function diverText(view: SoumView, k: Token): string {
  const card = cardAt(view, placeOf(k.at));
  if (card === null) return '';
  return t('soumsoum.end.diver', {
    card: shows(card),
    place: placeText(placeOf(k.at)),
    what: some(k.worth, card.counts),
    where: tk('soumsoum.where.', card.zone),
  });
}

/** The diver that is worth most; the later one of two equals. */
export const bestDiver = (view: SoumView): Token | undefined =>
  view.tokens.reduce<Token | undefined>(
    (best, k) => (k.worth > 0 && k.worth >= (best?.worth ?? 0) ? k : best),
    undefined,
  );
