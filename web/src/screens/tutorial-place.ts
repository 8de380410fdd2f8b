// Where the card of a lesson lies so that it hides what is spoken of as little as may be.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
export type Spot = 'bottom-left' | 'bottom-right' | 'top-left' | 'top-right' | 'top' | 'bottom' | 'middle';
interface Size {
  width: number;
  height: number;
}

const gap = 14;
const bar = 60;

function box(spot: Spot, card: Size, page: Size): Box {
  const left =
    spot === 'bottom-left' || spot === 'top-left' ? gap
    : spot === 'bottom-right' || spot === 'top-right' ? page.width - card.width - gap
    : (page.width - card.width) / 2;
  const top = spot === 'bottom' || spot === 'bottom-left' || spot === 'bottom-right' ? page.height - card.height - gap : bar;
  return { left, top, width: card.width, height: card.height };
}

function overlap(a: Box, b: Box): number {
  const w = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const h = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0;
}

/** The spot that hides least; it stays where it is while another would be no better. */
export function place(target: Box | null, card: Size, page: Size, narrow: boolean, now: Spot): Spot {
  const spots: Spot[] = narrow ? ['top', 'bottom'] : ['bottom-left', 'top-left', 'bottom-right', 'top-right', 'middle'];
  const start = spots.includes(now) ? now : (spots[0] as Spot);
  if (target === null) return start;
  const hidden = (s: Spot) => overlap(box(s, card, page), target);
  let best = start;
  for (const s of spots) if (hidden(s) < hidden(best) - 1) best = s;
  return best;
}
