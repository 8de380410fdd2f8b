// The ring of a lesson: around what is spoken of, inside the room that the board has.

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

const wider = 2; // no further: names and scores stand beside what is spoken of
const thick = 3;

/** A box a little wider than the target, cut where the room ends. */
export function clip(target: Box, room: Box): Box {
  const left = Math.max(target.left - wider, room.left + thick);
  const top = Math.max(target.top - wider, room.top + thick);
  const right = Math.min(target.left + target.width + wider, room.left + room.width - thick);
  const bottom = Math.min(target.top + target.height + wider, room.top + room.height - thick);
  return { left, top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** Calls `look` whenever something in `room` may have moved: it was drawn anew, resized, scrolled, or has come to the end of a
    transition. At most once a frame. Answers how to stop it. */
export function whenMoved(room: HTMLElement, look: () => void): () => void {
  let frame = 0;
  const soon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(look);
  };
  const drawn = new MutationObserver(soon);
  drawn.observe(room, { subtree: true, childList: true, attributes: true, characterData: true });
  const sized = new ResizeObserver(soon);
  sized.observe(room);
  const moves = ['scroll', 'transitionend', 'animationend', 'load', 'resize'];
  for (const move of moves) addEventListener(move, soon, true);
  return () => {
    cancelAnimationFrame(frame);
    drawn.disconnect();
    sized.disconnect();
    for (const move of moves) removeEventListener(move, soon, true);
  };
}
