// Why a bot laid its program in Dive, in words; once the game is over, since programs are secret.
import { list, percent, t, tk } from '$i18n/index.svelte';
import type { NameOf, WhyWords } from '$model/game';
import type { WhyAnswer } from '$net/types';
import { rules } from './numbers';
import type { DiveAction, DiveEvent, DiveView, Helper } from './types';

interface Saw {
  code: 'saw';
  levels: { level: number; shark: boolean; sure: number }[];
  fast: { level: number; speed: number; helper: Helper } | null;
}

function reason(answer: WhyAnswer, seat: NameOf): string | null {
  if (answer.reason.code !== 'saw') return null;
  const saw = answer.reason as Saw;
  const name = seat(answer.seat);
  const levels = saw.levels.map((l) => {
    const values = { n: l.level, sure: percent(l.sure / 100) };
    return l.shark ? t('dive.why.level.shark', values) : t('dive.why.level.clear', values);
  });
  const fast = saw.fast && {
    name,
    n: saw.fast.level,
    speed: saw.fast.speed,
    helper: tk('dive.sheet.with.', saw.fast.helper),
  };
  return [
    t('dive.why.saw', { name, levels: list(levels) }),
    ...(fast ? [t('dive.why.fast', fast)] : []),
  ].join(' ');
}

/** How deep, and how fast on each level; children lay no tokens. */
function option(action: DiveAction): { text: string; about?: string } {
  const program = action as Extract<DiveAction, { do: 'program' }>;
  const speeds = program.levels.map(
    (l, i) =>
      (l.tokens ?? []).reduce((a, b) => a + b, 0) +
      (program.clownfish === i + 1 ? rules.clownfish_air : 0),
  );
  const depth = speeds.length + (program.anglerfish ? 1 : 0);
  const text = t('dive.why.depth', { n: depth });
  return speeds.some((s) => s > 0)
    ? { text, about: t('dive.why.speeds', { speeds: speeds.join(', ') }) }
    : { text };
}

export const why: WhyWords<DiveView, DiveEvent, DiveAction> = {
  // The first level of a dive stands for the whole program.
  mover: (e) => ((e.event === 'right' || e.event === 'wrong') && e.level === 1 ? e.seat : null),
  afterwards: true,
  turn: (n) => t('dive.why.round', { n }),
  title: (answer, name) => t('dive.why.title', { name: name(answer.seat) }),
  reason,
  option,
};
