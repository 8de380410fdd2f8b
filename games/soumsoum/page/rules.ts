// The drawings beside the sections of the rules.
import { art } from './art';

export const ruleArt: Record<string, string[]> = {
  before: ['submarine', 'soum-shark', 'soum-octopus', 'soum-hermit'].map(art),
  zones: ['row', 'column', 'around', 'diagonals', 'orthogonal', 'board'].map((zone) =>
    art(`zone-${zone}`),
  ),
};
