// The numbers of Dive's rules, as the server says them.
import { constants } from '$model/constants';

const MARK_STEP = 5;

export const rules = constants(
  'dive',
  'levels',
  'seven',
  'tokens',
  'clownfish_air',
  'tranquil_end',
  'goal',
  'orca_ms',
  'step_ms',
);

/** The air tokens of a diver: 1, 2, … */
export const airTokens = (): number[] => Array.from({ length: rules.tokens }, (_, i) => i + 1);

/** Spaces that are numbered beside the descent. */
export const marks = (): number[] =>
  Array.from({ length: Math.ceil(rules.goal / MARK_STEP) }, (_, i) => i * MARK_STEP);

export const isDeep = (space: number): boolean => space > rules.tranquil_end;
