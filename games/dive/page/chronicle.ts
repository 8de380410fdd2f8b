// A whole game in figures, from its events: depth after each round, calls, turtles, companions.
import type { Companion, DiveEvent, Who } from './types';

export interface Chapter {
  /** Depth at the start and after each round. */
  spaces: number[];
  calls: number;
  right: number;
  turtles: number;
  deepest: number;
  companion: Companion | null;
  used: { companion: Companion; round: number } | null;
}

export function chronicle(events: readonly DiveEvent[], divers: readonly Who[]): Map<Who, Chapter> {
  const tale = new Map<Who, Chapter>(
    divers.map((who) => [
      who,
      { spaces: [0], calls: 0, right: 0, turtles: 0, deepest: 0, companion: null, used: null },
    ]),
  );
  const at = new Map<Who, number>(divers.map((who) => [who, 0]));
  const close = (): void => tale.forEach((c, who) => c.spaces.push(at.get(who) ?? 0));
  let round = 0;
  for (const e of events) {
    const who = 'seat' in e ? tale.get(e.seat) : undefined;
    if (e.event === 'round') {
      if (e.round > 1 && e.round > round) close();
      round = e.round;
    } else if (e.event === 'ended') close();
    if (who === undefined || !('seat' in e)) continue;
    if (e.event === 'right' || e.event === 'wrong') {
      who.calls++;
      if (e.event === 'right') who.right++;
      who.deepest = Math.max(who.deepest, e.event === 'right' ? e.level : 0);
    } else if (e.event === 'helped') {
      if (e.helper !== 'manta') who.turtles++;
      at.set(e.seat, e.to);
    } else if (e.event === 'moved') at.set(e.seat, e.to);
    else if (e.event === 'companion') who.companion = e.companion;
    else if (e.event === 'used') who.used = { companion: e.companion, round };
    else if (e.event === 'left') who.used ??= { companion: e.companion, round };
  }
  return tale;
}
