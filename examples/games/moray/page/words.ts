// Moray in sentences: fish, holes, events, the verdict.
import { list, t, tk, tn } from '$i18n/index.svelte';
import type { NameOf } from '$model/game';
import type { GameEvent } from '$net/types';
import { art } from './art';
import { fish } from './model';
import type { Hole, MorayView } from './types';

/** "clownfish of size 3" */
export function fishText(text: string): string {
  const f = fish(text);
  return t('moray.fish', { kind: tk('moray.kind.', f.kind), size: f.size });
}

export const holeName = (hole: number): string => t('moray.hole', { n: hole + 1 });

/** All of a hole, for readers. */
export const holeText = (hole: Hole, i: number): string =>
  t('moray.holeIs', {
    hole: holeName(i),
    total: hole.total,
    room: hole.room,
    fish: hole.fish.length > 0 ? list(hole.fish.map(fishText)) : t('moray.empty'),
  });

/** "+2", "−1" */
export const signed = (n: number): string => (n < 0 ? `−${-n}` : `+${n}`);

/** "−3" with a proper minus. */
export const number = (n: number): string => (n < 0 ? `−${-n}` : String(n));

export const points = (n: number): string => tn('moray.points', n, { n: number(n) });

export function say(e: GameEvent, name: NameOf): string | null {
  const who = { name: name(Number(e['seat'])) };
  const hole = holeName(Number(e['hole']));
  switch (e['event']) {
    case 'starts':
      return t('moray.say.starts', who);
    case 'laid':
      return t('moray.say.laid', { ...who, fish: fishText(String(e['fish'])), hole });
    case 'filled':
      return t('moray.say.filled', { ...who, hole, points: points(Number(e['points'])) });
    case 'bitten':
      return t('moray.say.bitten', { ...who, hole, points: points(Number(e['points'])) });
    case 'drew':
      return e['fish'] === null
        ? null
        : t('moray.say.drew', { ...who, fish: fishText(String(e['fish'])) });
    case 'skipped':
      return t('moray.say.skipped', who);
    case 'scored':
      return t('moray.say.scored', { ...who, points: points(Number(e['score'])) });
    case 'won':
      return t('moray.say.won', who);
    default:
      return null;
  }
}

/** Who has won, above the result: the winner's pawn. */
export const hero = (view: MorayView): string =>
  art(`diver-pawn-${(view.result?.winners[0] ?? 0) + 1}`);

export function verdict({ result }: MorayView, name: NameOf): string {
  if (result === undefined) return '';
  const score = points(result.scores[result.winners[0] ?? 0] ?? 0);
  const names = list(result.winners.map(name));
  return result.winners.length > 1
    ? t('moray.verdict.shared', { names, points: score })
    : t('moray.verdict.won', { name: names, points: score });
}

export function help(view: MorayView): string[] {
  if (view.phase === 'over') return ['end'];
  return (view.legal ?? []).length > 0 ? ['turn', 'full', 'bite', 'draw'] : ['turn', 'full', 'end'];
}
