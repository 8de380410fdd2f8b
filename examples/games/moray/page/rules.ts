// The drawings beside the sections of the rules.
import { art } from './art';

export const ruleArt: Record<string, string[]> = {
  before: ['goby', 'damsel', 'clownfish', 'butterfly', 'surgeon'].map((kind) =>
    art(`fish-${kind}`),
  ),
  full: [art('hole')],
  bite: [art('moray')],
};
