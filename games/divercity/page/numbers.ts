// The numbers of DiverCity's rules, as the server says them.
import { constants } from '$model/constants';

export const rules = constants(
  'divercity',
  'hand',
  'species',
  'copies',
  'hotels',
  'look',
  'strikes',
  'signs',
  'signs_a_card',
);
