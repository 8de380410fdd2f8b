// A whole game in figures, from its events: the way down round by round, calls by level, companions, and its best moment.
import { isDeep, rules } from './numbers';
import type { Companion, DiveEvent, Helper, Who } from './types';

/** One move of a round, downwards or up. */
export interface Leg {
  why: Helper | 'dolphins' | 'rest' | 'axolotl';
  from: number;
  to: number;
}

export interface Round {
  legs: Leg[];
  /** A mistake in Deep Waters cost everything. */
  lost: boolean;
  end: number;
}

export interface Chapter {
  rounds: Round[];
  /** Calls by level, from the top. */
  levels: { calls: number; right: number }[];
  calls: number;
  right: number;
  companion: Companion | null;
  used: { companion: Companion; round: number } | null;
}

/** What somebody is remembered for: being carried furthest, or, where nobody was, the longest dive without a mistake. */
export type Moment = { round: number; level: number; seat: Who } & (
  { kind: 'helped'; helper: Helper; from: number; to: number; alone: boolean } | { kind: 'dive' }
);

export interface Tale {
  of: Map<Who, Chapter>;
  best: Moment | null;
}

const fresh = (): Chapter => ({
  rounds: [],
  levels: Array.from({ length: rules.levels + 1 }, () => ({ calls: 0, right: 0 })),
  calls: 0,
  right: 0,
  companion: null,
  used: null,
});

export function chronicle(events: readonly DiveEvent[], divers: readonly Who[]): Tale {
  const of = new Map<Who, Chapter>(divers.map((who) => [who, fresh()]));
  const at = new Map<Who, number>(divers.map((who) => [who, 0]));
  const moments: Moment[] = [];
  /** Who was right on the level that is being judged. */
  let rightHere: Who[] = [];
  let round = 0;
  for (const e of events) {
    if (e.event === 'round' && e.round > round) {
      round = e.round;
      of.forEach((c, who) => c.rounds.push({ legs: [], lost: false, end: at.get(who) ?? 0 }));
    }
    if (e.event === 'card') rightHere = [];
    const c = 'seat' in e ? of.get(e.seat) : undefined;
    if (c === undefined || !('seat' in e)) continue;
    const now = c.rounds.at(-1);
    const from = at.get(e.seat) ?? 0;
    if (e.event === 'right' || e.event === 'wrong') {
      const level = c.levels[e.level - 1];
      const right = e.event === 'right';
      c.calls++;
      if (level) level.calls++;
      if (right) {
        c.right++;
        if (level) level.right++;
        rightHere.push(e.seat);
        moments.push({ kind: 'dive', round, level: e.level, seat: e.seat });
      } else if (now && e.event === 'wrong' && e.keeps === 0 && isDeep(from)) now.lost = true;
    } else if (e.event === 'helped' || e.event === 'moved') {
      const why = e.event === 'helped' ? e.helper : e.why;
      now?.legs.push({ why, from: e.from, to: e.to });
      if (now) now.end = e.to;
      at.set(e.seat, e.to);
      if (e.event === 'helped' && e.to > e.from)
        moments.push({
          kind: 'helped',
          round,
          level: e.level,
          seat: e.seat,
          helper: e.helper,
          from: e.from,
          to: e.to,
          alone: rightHere.every((who) => who === e.seat),
        });
    } else if (e.event === 'companion') c.companion = e.companion;
    else if (e.event === 'used') c.used = { companion: e.companion, round };
    else if (e.event === 'left') c.used ??= { companion: e.companion, round };
  }
  return { of, best: best(moments) };
}

/** How much a moment was worth: spaces, and a little more for having seen it alone; the later one of two equals. */
function best(moments: readonly Moment[]): Moment | null {
  const worth = (m: Moment): number =>
    m.kind === 'helped' ? 100 + 2 * (m.to - m.from) + (m.alone ? 1 : 0) : m.level;
  return moments.reduce<Moment | null>(
    (top, m) => (top === null || worth(m) >= worth(top) ? m : top),
    null,
  );
}
