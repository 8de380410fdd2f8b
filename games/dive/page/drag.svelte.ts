// Dragging a token or the clownfish: begins after 6 px, the target is the whole row.
import * as draft from './draft';
import type { DiveSession } from './session.svelte';

const SLACK_PX = 6;

type Thing = number | 'clownfish';
type Over = number | 'tray' | null;

class TokenDrag {
  what = $state<Thing | null>(null);
  x = $state(0);
  y = $state(0);
  over = $state<Over>(null);
  /** A drag has just ended: the click that follows is not a tap. */
  private done = false;

  /** For onpointerdown of a token. */
  begin(e: PointerEvent, what: Thing, session: DiveSession): void {
    if (e.button !== 0 || !session.open) return;
    this.done = false;
    const { pointerId: id, clientX: x, clientY: y } = e;
    const end = (): void => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', up);
      removeEventListener('pointercancel', cancel);
      this.what = null;
      this.over = null;
    };
    const move = (m: PointerEvent): void => {
      if (m.pointerId !== id) return;
      if (this.what === null && Math.hypot(m.clientX - x, m.clientY - y) < SLACK_PX) return;
      this.what = what;
      this.x = m.clientX;
      this.y = m.clientY;
      this.over = target(m.clientX, m.clientY);
      m.preventDefault();
    };
    const up = (m: PointerEvent): void => {
      if (m.pointerId !== id) return;
      if (this.what !== null) {
        this.done = true;
        drop(session, what, this.over);
      }
      end();
    };
    const cancel = (m: PointerEvent): void => {
      if (m.pointerId === id) end();
    };
    addEventListener('pointermove', move, { passive: false });
    addEventListener('pointerup', up);
    addEventListener('pointercancel', cancel);
  }

  /** True once after a drag: swallow the click. */
  swallow(): boolean {
    const was = this.done;
    this.done = false;
    return was;
  }
}

function target(x: number, y: number): Over {
  const at = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-level],[data-tray]');
  if (!at) return null;
  return at.dataset['level'] === undefined ? 'tray' : Number(at.dataset['level']);
}

function drop(session: DiveSession, what: Thing, over: Over): void {
  const d = session.draft;
  if (typeof over === 'number') {
    if (what !== 'clownfish') session.lay(draft.place(d, what, over));
    else if (draft.filled(d, over)) session.lay({ ...d, clownfish: over, held: null });
    session.level = over;
  } else if (over === 'tray')
    session.lay(what === 'clownfish' ? draft.takeClownfish(d) : draft.back(d, what));
}

export const drag = new TokenDrag();
