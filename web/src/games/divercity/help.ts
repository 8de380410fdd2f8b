// Which sections of the rules help at this moment: the headings of docs/rules/divercity.md, most fitting first.
import type { View } from '../../net/types';
import type { DiverCityView } from './types';

export function help(view: View): string[] {
  switch ((view as DiverCityView).phase) {
    case 'setup': return ['before-the-game', 'the-diver-cards'];
    case 'rig': return ['the-corporations', 'the-end'];
    case 'industry': return ['variants', 'the-corporations', 'the-end'];
    case 'captain': return ['the-diver-cards', 'the-diver'];
    case 'visionary': return ['the-diver-cards', 'the-corporations'];
    case 'after': return ['the-diver-cards', 'a-round'];
    case 'over': return ['the-end', 'what-everybody-knows'];
    default: return ['the-diver', 'the-diver-cards', 'the-end', 'what-everybody-knows'];
  }
}
