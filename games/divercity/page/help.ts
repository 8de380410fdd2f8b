// Which sections of the rules help at this moment (screens/rules-sections.ts), most fitting first.
import type { View } from '$net/types';
import { effectKind, handOf, question } from './model';
import type { DiverCityView } from './types';

export function help(view: View): string[] {
  const v = view as DiverCityView;
  const hand = handOf(v, v.seat ?? null, false);
  const own = (hand === null ? [] : (v.diver_cards[hand] ?? [])).map((d) => `diver-${d}`);
  const realistic = v.signs === undefined ? [] : ['realistic'];
  const open = (v.corporation_open ?? []).map(effectKind);
  if (v.industry_hand !== undefined && v.phase !== 'over')
    return ['industrialist', 'corporations', 'rig', 'boat', 'hotels', 'end', 'levels'];
  switch (v.phase) {
    case 'setup':
      return ['diver-cards', 'full-team', 'before'];
    case 'rig':
      return ['rig', ...open.filter((e) => e !== 'rig'), 'drawing', 'end'];
    case 'industry':
      return ['industrialist', 'corporations'];
    case 'captain':
      return ['diver-captain', 'play'];
    case 'visionary':
      return ['diver-visionary', 'corporations'];
    case 'after':
      return ['diver-cards', ...own, 'round'];
    case 'over':
      return ['end', 'levels'];
    default:
      return question(v) === 'action'
        ? ['action', 'play', 'walkie', ...realistic, 'close', ...own, 'claims', 'end']
        : ['round', 'claims', ...realistic, ...own, 'knowledge', 'end'];
  }
}
