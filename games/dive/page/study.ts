// The analysed decisions of Dive: programs in words, what eyes believed of each level, and what they cost.
import { t, tn, tongue } from '$i18n/index.svelte';
import type { Candidate, SeatAnalysis } from '$model/analysis';
import { sameAction } from '$model/analysis';
import type { OptionWords, StudyWords } from '$model/game';
import type { Studied } from '$model/table.svelte';
import { art } from './art';
import Knew from './Knew.svelte';
import type { DiveAction, DiveView, Helper, Program, Sheet } from './types';
import { hasShark, helperOf } from './types';
import { faceText } from './words';

const tenths = (n: number, signDisplay: 'exceptZero' | 'auto'): string =>
  new Intl.NumberFormat(tongue.language, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay,
  }).format(n);

/** "4.2" and "+4.2", as the language writes it. */
export const spaces = (n: number): string => tenths(n, 'auto');
export const signedSpaces = (n: number): string => tenths(n, 'exceptZero');

/* ---- programs ---- */

/** What lies on each level: "2+3 shark", for children "Shark". */
function levelTexts({ levels, clownfish, anglerfish }: Program): string[] {
  const texts = levels.map(({ tokens = [], shark }, i) => {
    const air = [
      ...tokens.map(String),
      ...(clownfish === i + 1 ? [t('dive.study.clownfish')] : []),
    ];
    if (air.length === 0) return faceText(shark);
    return shark ? t('dive.study.level', { air: air.join('+') }) : air.join('+');
  });
  if (anglerfish === undefined) return texts;
  const sixth = t('dive.study.anglerfish');
  return [...texts, anglerfish.shark ? t('dive.study.level', { air: sixth }) : sixth];
}

/** How far the own pawn is expected to come, which Dive's candidates say beside their value. */
export const advance = (found: Candidate): number => (found as { advance?: number }).advance ?? 0;

function option(
  action: DiveAction,
  _view: DiveView,
  _seat: number,
  _name: unknown,
  found?: Candidate,
): OptionWords {
  if (action.do === 'axolotl')
    return {
      text: action.use ? t('dive.study.useAxolotl') : t('dive.study.keepAxolotl'),
      picture: art('companion-axolotl'),
    };
  const texts = levelTexts(action as { do: 'program' } & Program);
  const text = texts.length === 0 ? t('dive.study.nothing') : texts.join(' · ');
  if (found === undefined) return { text };
  const depth = tn('dive.study.depth', texts.length);
  return { text, about: t('dive.study.about', { depth, n: signedSpaces(advance(found)) }) };
}

/** The program that is pointed at, and what is known of it; null: it is none. */
export function pointed(
  study: Studied<DiveAction> | null | undefined,
): { program: Program; found: Candidate; is: 'best' | 'played' | 'another' } | null {
  if (study?.looked.do !== 'program') return null;
  const { decision, looked } = study;
  const found = decision.candidates.find((c) => sameAction(c.action, looked));
  if (found === undefined) return null;
  const is = sameAction(looked, decision.best)
    ? 'best'
    : sameAction(looked, decision.played)
      ? 'played'
      : 'another';
  return { program: looked, found, is };
}

/* ---- what was known ---- */

export type Chances = Record<Sheet, number>;

/** A level as it could be looked at. */
export interface Looked {
  level: number;
  /** What average eyes make of the pictures and of what the deck has left. */
  chances: Chances;
  there: Sheet;
  /** Per cent of each creature that could be seen, in the best view. */
  seen: Partial<Record<'shark' | Helper, number>>;
}

export interface DiveKnew {
  levels?: Looked[];
  /** What sharp eyes make of them; a quick look does not ask them. */
  sharp?: Chances[];
  /** Levels that sharp eyes see rightly and average ones do not. */
  again?: number[];
}

const entries = (chances: Chances): [Sheet, number][] =>
  Object.entries(chances) as [Sheet, number][];

export const sharkChance = (chances: Chances): number =>
  entries(chances).reduce((sum, [kind, chance]) => sum + (hasShark(kind) ? chance : 0), 0);

/** The likeliest helper, or none of them, and how likely it is. */
export function likeliestHelper(chances: Chances): { helper: Helper | null; chance: number } {
  const sums = new Map<Helper | null, number>();
  for (const [kind, chance] of entries(chances))
    sums.set(helperOf(kind), (sums.get(helperOf(kind)) ?? 0) + chance);
  const [helper, chance] = [...sums].reduce((a, b) => (b[1] > a[1] ? b : a));
  return { helper, chance };
}

/** The face that a program has on a level; null: it does not go there. */
export const faceOn = (program: Program, level: number): boolean | null =>
  program.levels[level - 1]?.shark ??
  (level === program.levels.length + 1 ? (program.anglerfish?.shark ?? null) : null);

/* ---- after the game ---- */

/** Less than half a space is nothing. */
const closer = ({ eyes }: SeatAnalysis): string | null =>
  eyes === undefined
    ? null
    : Math.round(eyes) === 0
      ? t('dive.study.eyes.none')
      : tn('dive.study.eyes', Math.round(eyes));

export const study: StudyWords<DiveView, DiveAction> = { option, Knew, closer };
