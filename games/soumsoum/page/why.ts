// Why a bot laid a card or sent a diver in Soum Soum, in words.
import { list, t, tn } from '$i18n/index.svelte';
import type { NameOf, WhyWords } from '$model/game';
import type { GameEvent, WhyAnswer } from '$net/types';
import { art } from './art';
import { placeOf } from './model';
import type { Do, SoumView } from './types';
import { placeText, signed } from './words';

/** The values of a reason, by its code. */
type Reason =
  | { code: 'points'; points: number[] }
  | { code: 'diver'; worth: number; room: number }
  | { code: 'best' | 'equal' | 'behind' | 'only' };

const CHOSEN = new Set<unknown>(['placed', 'dived', 'passed']);

/** "+2 for Coral and −1 for you" */
const sums = (points: number[], name: NameOf, me: number | null): string =>
  list(
    points.flatMap((n, seat) =>
      n === 0
        ? []
        : seat === me
          ? [t('soumsoum.gainYou', { n: signed(n) })]
          : [t('soumsoum.gain', { n: signed(n), name: name(seat) })],
    ),
  );

function reason(answer: WhyAnswer, name: NameOf, me: number | null): string | null {
  const r = answer.reason as Reason;
  if (r.code === 'points') return t('soumsoum.why.points', { sums: sums(r.points, name, me) });
  if (r.code !== 'diver') return null;
  const { worth, room } = r;
  return room > 0
    ? tn('soumsoum.why.diver', room, { worth })
    : t('soumsoum.why.diver.full', { worth });
}

/** Of a hand that one does not see only the card that was laid is known. */
function option(action: Do, answer: WhyAnswer): { text: string; picture?: string } {
  const pawn = art(`diver-pawn-${answer.seat + 1}`);
  if (action.do === 'pass' || action.do === 'take') return { text: t('soumsoum.why.none') };
  const where = placeText(placeOf(action.at));
  if (action.do === 'diver') return { text: t('soumsoum.why.there', { where }), picture: pawn };
  return action.card === answer.candidates[0]?.action['card']
    ? { text: t('soumsoum.why.same', { where }) }
    : { text: t('soumsoum.why.another', { where }) };
}

export const why: WhyWords<SoumView, GameEvent, Do> = {
  mover: (e: GameEvent) => (CHOSEN.has(e['event']) ? Number(e['seat']) : null),
  reason,
  option,
};
