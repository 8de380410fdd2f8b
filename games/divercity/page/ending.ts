// The end of DiverCity from one seat's side: the divers', or that of the industrialist, who won or lost against them.
import { t, tk, tn } from '$i18n/index.svelte';
import type { Ending, Standing } from '$model/game';
import type { GameInfo, JsonObject } from '$net/types';
import { art } from './art';
import { whose } from './model';
import { rules } from './numbers';
import { reason, side, verdict } from './say';
import { capital, zoneName } from './text';
import { SPECIES, ZONES, type DiverCityEvent, type DiverCityView, type Species } from './types';

const inZone = (view: DiverCityView, zone: string): Species[] =>
  SPECIES.filter((s) => view.ladder[s] === zone);

const leads = (view: DiverCityView): boolean => side(view) === 'corporations';

/** How near the other end was, as this side sees it. */
export function nearness(view: DiverCityView): string {
  const industry = leads(view);
  if (view.result?.won === 'divers') {
    const extinct = view.to_lose - inZone(view, 'extinct').length;
    const hotels = rules.hotels - view.hotels.length;
    const which = extinct < hotels ? 'extinct' : hotels < extinct ? 'hotels' : 'both';
    const n = Math.min(extinct, hotels);
    const end = industry ? t('divercity.near.you.won') : t('divercity.near.you.lost');
    return {
      extinct: tn('divercity.near.extinct', n, { end }),
      hotels: tn('divercity.near.hotels', n, { end }),
      both: tn('divercity.near.both', n, { end }),
    }[which];
  }
  const short = view.to_save - inZone(view, 'saved').length;
  const green = Math.min(short, inZone(view, 'green').length);
  const lost = industry ? tn('divercity.near.divers', short) : tn('divercity.near.lost', short);
  return green > 0 ? `${lost} ${tn('divercity.near.green', green)}` : lost;
}

export function ending(view: DiverCityView): Ending {
  return {
    won: view.result?.won === side(view),
    title: verdict(view),
    about: `${reason(view)} ${nearness(view)}`,
  };
}

/** A species that was saved, never one that is gone; for the corporations, what they won with. */
export function hero(view: DiverCityView): string {
  if (view.result?.won === 'corporations')
    return art(
      leads(view) ? 'corp-rig' : view.result.reason === 'hotels' ? 'hotel-red' : 'ladder-extinct',
    );
  if (leads(view)) return art('ladder-saved');
  const [saved] = inZone(view, 'saved');
  return art(saved === undefined ? 'ladder-saved' : `species-${saved}`);
}

export const standing = (view: DiverCityView): Standing[] => [
  ...ZONES.map((zone) => ({
    name: capital(zoneName(zone)),
    value: inZone(view, zone).length,
    seat: null,
  })),
  { name: t('divercity.meter.hotels'), value: view.hotels.length, seat: null },
];

/** The next level of the rules, as the server lists them: from beginners' freediving up. */
export function harder(
  options: JsonObject,
  info: GameInfo,
): { options: JsonObject; name: string } | null {
  if (options['industrialist'] === true) return null;
  const levels = info.options.find((o) => o.name === 'level')?.values ?? [];
  const next = levels[levels.indexOf(options['level'] ?? '') + 1];
  if (typeof next !== 'string' || !levels.includes(options['level'] ?? '')) return null;
  return { options: { ...options, level: next }, name: tk('divercity.level.', next) };
}

/** A species that was saved or lost for good, and when. */
export interface Turning {
  turn: number;
  species: Species;
  to: 'saved' | 'extinct';
  /** Whose card did it; null: the corporations. */
  by: number | null;
}

export function turnings(events: readonly DiverCityEvent[]): Turning[] {
  const out: Turning[] = [];
  let turn = 0;
  let by: number | null = null;
  for (const e of events) {
    if (e.event === 'turn') turn++;
    if (e.event === 'corporation' || e.event === 'turn') by = null;
    else if (e.event === 'played' || e.event === 'used') by = whose(e);
    else if (e.event === 'rig' || e.event === 'boat') by = null;
    else if (e.event === 'moved' && (e.to === 'saved' || e.to === 'extinct'))
      out.push({ turn, species: e.species, to: e.to, by });
  }
  return out;
}
