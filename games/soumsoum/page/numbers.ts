// The numbers of Soum Soum's rules, as the server says them.
import { constant, constants } from '$model/constants';

export const rules = constants('soumsoum', 'side', 'divers', 'dealt');

/** Zone by zone and place by place: a bit for each place that lies in the zone. */
export const zoneMasks = (): Record<string, number[]> =>
  constant('soumsoum', 'zones') as Record<string, number[]>;
