// The end of a dive from one diver's side: won or lost in the second person, how close it was, and the best moment.
import { list, t, tk, tn } from '$i18n/index.svelte';
import type { Ending, NameOf, Standing } from '$model/game';
import type { Moment } from './chronicle';
import { rules } from './numbers';
import type { DiveView, Who } from './types';
import { theName, verdict, whoName } from './words';

const spaceOf = (view: DiveView, who: Who): number =>
  who === 'chief' ? (view.chief ?? 0) : (view.pawns[who] ?? 0);

const divers = (view: DiveView): Who[] => [
  ...view.pawns.map((_, seat) => seat),
  ...(view.chief === null ? [] : (['chief'] as const)),
];

/** Where the goal is seen from a space: past it, on it, or not reached since the stack ran out. */
function goalText(space: number): string {
  if (space > rules.goal) return tn('dive.end.past', space - rules.goal);
  return space === rules.goal ? t('dive.end.on') : t('dive.end.stack');
}

export function ending(view: DiveView, me: number, name: NameOf): Ending {
  const winners = view.result?.winners ?? [];
  const won = winners.includes(me);
  const mine = spaceOf(view, me);
  const first = winners[0] ?? me;
  const others = winners.filter((w) => w !== me).map((w) => whoName(w, name));
  if (!won) {
    const ahead = spaceOf(view, first) - mine;
    return {
      won,
      title:
        winners.length === 1
          ? t('dive.you.lost', { who: whoName(first, name), space: mine })
          : verdict(view, name),
      about:
        ahead > 0
          ? tn('dive.you.behind', ahead, { who: theName(first, name) })
          : t('dive.you.level', { who: theName(first, name) }),
    };
  }
  const rivals = divers(view).filter((w) => !winners.includes(w));
  const second = rivals.sort((a, b) => spaceOf(view, b) - spaceOf(view, a))[0];
  const ahead = second === undefined ? 0 : mine - spaceOf(view, second);
  return {
    won,
    title:
      others.length === 0
        ? t('dive.you.won', { space: mine })
        : view.result?.shared
          ? t('dive.you.shared', { who: list(others), space: mine })
          : t('dive.you.draw', { who: list([t('dive.crew.you'), ...others]), space: mine }),
    about:
      ahead > 0 && second !== undefined
        ? `${goalText(mine)} ${tn('dive.end.ahead', ahead, { who: theName(second, name) })}`
        : goalText(mine),
  };
}

export const standing = (view: DiveView, name: NameOf): Standing[] =>
  divers(view)
    .sort((a, b) => spaceOf(view, b) - spaceOf(view, a))
    .map((who) => ({
      name: whoName(who, name),
      value: spaceOf(view, who),
      seat: who === 'chief' ? null : who,
    }));

/** "Round 5, level 4. You alone were right: the red turtle carried you from 18 to 20." */
export function momentText(m: Moment, me: number | null, name: NameOf): string {
  const at = t('dive.best.at', { round: m.round, level: m.level });
  const who = whoName(m.seat, name);
  if (m.kind === 'dive')
    return `${at} ${m.seat === me ? tn('dive.best.you.dive', m.level) : tn('dive.best.dive', m.level, { who })}`;
  const values = { who, helper: tk('dive.thehelper.', m.helper), from: m.from, to: m.to };
  if (m.seat === me)
    return `${at} ${m.alone ? t('dive.best.you.alone', values) : t('dive.best.you.fastest', values)}`;
  return `${at} ${m.alone ? t('dive.best.alone', values) : t('dive.best.fastest', values)}`;
}
