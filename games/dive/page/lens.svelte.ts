// Which part of the stack's picture a window shows: all of it, or a part that is drawn larger. Lengths are in pixels of the window,
// places on the picture go from 0 to 1.

/** The picture is at most so many times as large as its window. */
const MAX_ZOOM = 4;
/** Filling a window enlarges at least so much. */
const FILL_LEAST = 1.25;

const clamp = (v: number, lo: number, hi: number): number => Math.min(hi, Math.max(lo, v));

export class Lens {
  /** The window's size. */
  w = $state(0);
  h = $state(0);
  zoom = $state(1);
  /** The place of the picture that is in the middle of the window. */
  private at = $state.raw<readonly [number, number]>([0.5, 0.5]);

  /** How large the picture is drawn. */
  get side(): number {
    return Math.min(this.w, this.h) * this.zoom;
  }

  private get middle(): readonly [number, number] {
    const hold = (v: number, length: number): number => {
      const half = this.side > 0 ? length / this.side / 2 : 1;
      return half >= 0.5 ? 0.5 : clamp(v, half, 1 - half);
    };
    return [hold(this.at[0], this.w), hold(this.at[1], this.h)];
  }

  /** Where the picture's upper left corner lies in the window. */
  get left(): number {
    return this.w / 2 - this.middle[0] * this.side;
  }
  get top(): number {
    return this.h / 2 - this.middle[1] * this.side;
  }

  /** The part of the picture that is shown. */
  get part(): { x: number; y: number; w: number; h: number } {
    const { side } = this;
    if (side === 0) return { x: 0, y: 0, w: 1, h: 1 };
    const cut = (from: number, length: number): [number, number] => {
      const start = clamp(-from / side, 0, 1);
      return [start, clamp((length - from) / side, 0, 1) - start];
    };
    const [x, w] = cut(this.left, this.w);
    const [y, h] = cut(this.top, this.h);
    return { x, y, w, h };
  }

  get whole(): boolean {
    const { w, h } = this.part;
    return w > 0.995 && h > 0.995;
  }

  /** The place of the picture below a point of the window. */
  place(x: number, y: number): [number, number] {
    return this.side === 0 ? [0.5, 0.5] : [(x - this.left) / this.side, (y - this.top) / this.side];
  }

  /** Enlarges around a point of the window, which stays where it is. */
  zoomBy(factor: number, x = this.w / 2, y = this.h / 2): void {
    const [px, py] = this.place(x, y);
    this.zoom = clamp(this.zoom * factor, 1, MAX_ZOOM);
    if (this.side === 0) return;
    this.at = [px - (x - this.w / 2) / this.side, py - (y - this.h / 2) / this.side];
    this.at = this.middle;
  }

  moveBy(dx: number, dy: number): void {
    if (this.side === 0) return;
    this.at = [this.middle[0] - dx / this.side, this.middle[1] - dy / this.side];
    this.at = this.middle;
  }

  /** No edge of the window stays empty. */
  fill(): void {
    const least = Math.min(this.w, this.h);
    this.at = [0.5, 0.5];
    this.zoom = clamp(least > 0 ? Math.max(this.w, this.h) / least : 1, FILL_LEAST, MAX_ZOOM);
  }

  reset(): void {
    this.at = [0.5, 0.5];
    this.zoom = 1;
  }
}
