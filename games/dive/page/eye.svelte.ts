// One pair of eyes on the stack: how the view is tilted and lit, and which picture shows it: the server's, or one that this
// device draws. One request is in flight at a time; when it is back the newest look that is wanted goes next.
import type { DiveTable } from './types';
import { Refusal } from '$net/api';
import { asked, busy as server, isBusy, pause } from '$net/busy.svelte';
import { drawnHere, isDrawnHere, type Drawing } from '$net/pictures';

/** The server's grid: 13 × 13 tilts up to 28°, lamps at 9 × 9 spots, at the side in 16 directions. */
const TILT_MAX_DEG = 28;
const TILT_STEPS = 6;
const LAMP_STEPS = 8;
const SIDE_STEPS = 16;
const PICTURES_KEPT = 120;
const SLOW_MS = 400;
const FAILED_MS = 2000;

export const STEP = TILT_MAX_DEG / TILT_STEPS;
export type Lamp = 'above' | 'side' | 'below';
const lamps: readonly (Lamp | null)[] = [null, 'above', 'side', 'below'];
export type Tilt = readonly [number, number];

const clamp = (v: number, lo: number, hi: number): number => Math.min(hi, Math.max(lo, v));
const grid = (degrees: number): number =>
  Math.round((clamp(degrees, -TILT_MAX_DEG, TILT_MAX_DEG) / TILT_MAX_DEG) * TILT_STEPS) * STEP;
/** This device draws looks from between the steps, too. */
const FINE_DEG = 0.25;
const fine = (degrees: number): number => Math.round(degrees / FINE_DEG) * FINE_DEG;
const decimals = (v: number): string => String(Number(v.toFixed(3)));

/** Where a lamp stands that is moved to (x, y), 0–1: on the server's grid, at the side on the rim. */
export function lampSpot(lamp: Lamp, x: number, y: number): [number, number] {
  if (lamp !== 'side')
    return [
      Math.round(clamp(x, 0, 1) * LAMP_STEPS) / LAMP_STEPS,
      Math.round(clamp(y, 0, 1) * LAMP_STEPS) / LAMP_STEPS,
    ];
  const turn =
    x === 0.5 && y === 0.5
      ? SIDE_STEPS / 2
      : Math.round((Math.atan2(y - 0.5, x - 0.5) / (2 * Math.PI)) * SIDE_STEPS);
  const angle = (turn / SIDE_STEPS) * 2 * Math.PI;
  return [0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2];
}

/** A look as the path of its picture says it. */
export const lookPath = (tilt: Tilt, lamp: string | null): string =>
  `${decimals(grid(tilt[0]))},${decimals(grid(tilt[1]))}${lamp === null ? '' : `/${lamp}`}`;

/** How far a picture leans that was made for another tilt: deep sheets move along, so all of it leans a little that way. */
export function lean(tilt: Tilt, shown: Tilt): string {
  const [dx, dy] = [tilt[0] - shown[0], tilt[1] - shown[1]];
  return `perspective(1400px) translate(${(dx * 0.07).toFixed(3)}%, ${(dy * 0.07).toFixed(3)}%) rotateY(${(dx * 0.22).toFixed(2)}deg) rotateX(${(-dy * 0.22).toFixed(2)}deg) scale(1.012)`;
}

/** Which way an arrow key tilts. */
export const arrows: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export type EyeState = 'first' | 'live' | 'slow' | 'failed';

/** The address of a picture, or its pixels. */
export type Picture = string | ImageData;

interface Wanted {
  path: string;
  tilt: Tilt;
  lamp: string | null;
}

function revoke(picture: Picture | null): void {
  if (typeof picture === 'string') URL.revokeObjectURL(picture);
}

export class Eye {
  /** Where it is looked from, in degrees; the picture follows. */
  tilt = $state.raw<Tilt>([0, 0]);
  lamp = $state<Lamp | null>(null);
  spot = $state.raw<Tilt>([0.25, 0.75]);
  /** The picture on screen and the tilt it was made for. */
  picture = $state.raw<Picture | null>(null);
  shown = $state.raw<Tilt>([0, 0]);
  state = $state<EyeState>('first');
  /** This device draws what is looked at. */
  here = $state(false);

  private base: string | null = null;
  private token: string | null = null;
  /** A lesson's own pictures. */
  private own: ((tilt: Tilt) => string) | null = null;
  private kept = new Map<string, string>();
  private busy: AbortController | null = null;
  private want: Wanted | null = null;
  private drawing: Promise<Drawing> | null = null;
  /** The picture before the one on screen: its memory is used again. */
  private spare: ImageData | null = null;
  private at = '';
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Which stack of a table is looked at; null: none. */
  look(
    table: Pick<DiveTable, 'id' | 'token' | 'visit' | 'pictures'>,
    round: number | null,
    changes: string,
  ): void {
    const token = table.token ?? table.visit;
    const none = round === null || (token === null && !table.pictures);
    this.lookAt(none ? null : `/api/tables/${table.id}/ocean/${round}/`, changes, {
      token,
      own: table.pictures?.look ?? null,
    });
  }

  /** Looks at the pictures of an address. Those of another are forgotten, and so are all if `changes` says that they changed. */
  lookAt(
    base: string | null,
    changes: string,
    {
      token = null,
      own = null,
    }: { token?: string | null; own?: ((tilt: Tilt) => string) | null } = {},
  ): void {
    const key = `${base} ${changes}`;
    if (key === this.at) return;
    this.at = key;
    this.base = base;
    this.token = token;
    this.own = own;
    this.here = base !== null && own === null && isDrawnHere(base);
    this.drawing = null;
    this.forget();
    if (base !== null) this.ask();
  }

  tiltTo(x: number, y: number): void {
    this.tilt = [clamp(x, -TILT_MAX_DEG, TILT_MAX_DEG), clamp(y, -TILT_MAX_DEG, TILT_MAX_DEG)];
    this.ask();
  }

  /** By steps of the grid, as keys do. */
  tiltBy(dx: number, dy: number): void {
    this.tiltTo(grid(this.tilt[0]) + dx * STEP, grid(this.tilt[1]) + dy * STEP);
  }

  straight(): void {
    this.tiltTo(0, 0);
  }

  light(lamp: Lamp | null): void {
    this.lamp = lamp;
    if (lamp !== null) this.spot = lampSpot(lamp, ...(this.spot as [number, number]));
    this.ask();
  }

  nextLamp(): void {
    this.light(lamps[(lamps.indexOf(this.lamp) + 1) % lamps.length] ?? null);
  }

  moveLamp(x: number, y: number): void {
    if (this.lamp === null) return;
    this.spot = lampSpot(this.lamp, x, y);
    this.ask();
  }

  get lampText(): string | null {
    return this.lamp === null
      ? null
      : `${this.lamp}:${decimals(this.spot[0])},${decimals(this.spot[1])}`;
  }

  again(): void {
    this.state = this.picture === null ? 'first' : 'live';
    this.ask();
  }

  /** The browser does not show what was drawn. */
  cannotShow(): void {
    this.state = 'failed';
  }

  close(): void {
    this.at = '';
    this.base = null;
    this.forget();
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.busy?.abort();
    this.busy = null;
    this.want = null;
    const onScreen = this.picture;
    for (const url of this.kept.values()) if (url !== onScreen) URL.revokeObjectURL(url);
    this.kept.clear();
    if (this.base === null) {
      revoke(onScreen);
      this.picture = null;
    }
    this.state = this.picture === null ? 'first' : 'live';
  }

  private ask(): void {
    if (this.base === null) return;
    const step = this.here ? fine : grid;
    const tilt: Tilt = [step(this.tilt[0]), step(this.tilt[1])];
    const lamp = this.lampText;
    this.want = { path: `${lookPath(tilt, lamp)}.jpg`, tilt, lamp };
    if (this.busy === null) this.go();
  }

  private go(): void {
    const want = this.want;
    if (want === null || this.base === null) return;
    const known = this.kept.get(want.path);
    if (known !== undefined) {
      this.want = null;
      this.show(known, want.tilt);
      return;
    }
    const busy = new AbortController();
    this.busy = busy;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.busy === busy && this.state === 'live') this.state = 'slow';
    }, SLOW_MS);
    void (this.here ? this.draw(this.base, want, busy) : this.load(this.base, want, busy));
  }

  /** This device draws it. */
  private async draw(base: string, want: Wanted, busy: AbortController): Promise<void> {
    let wait = 0;
    try {
      this.drawing ??= drawnHere(base);
      const drawing = await this.drawing;
      const old = this.spare;
      this.spare = null;
      const picture = await drawing.look(want.tilt, want.lamp, old);
      if (this.busy !== busy) return;
      this.show(picture, want.tilt);
      if (this.want === want) this.want = null;
    } catch (e) {
      if (this.busy !== busy) return;
      this.drawing = null;
      if (e instanceof Refusal && e.status === 404) {
        if (this.want === want) this.want = null;
      } else {
        this.state = 'failed';
        wait = FAILED_MS;
      }
    }
    this.next(busy, wait);
  }

  private async load(base: string, want: Wanted, busy: AbortController): Promise<void> {
    let wait = 0;
    try {
      const headers: Record<string, string> =
        this.token === null ? {} : { Authorization: `Bearer ${this.token}` };
      const answer = await fetch(this.own?.(want.tilt) ?? base + want.path, {
        headers,
        signal: busy.signal,
      });
      if (answer.ok) {
        const url = URL.createObjectURL(await answer.blob());
        await decoded(url);
        if (this.busy !== busy) return URL.revokeObjectURL(url);
        this.keep(want.path, url);
        this.show(url, want.tilt);
        if (this.want === want) this.want = null;
      } else if (answer.status === 404) {
        if (this.want === want)
          this.want = null; /* that round is over; the next view brings the new one */
      } else {
        wait = isBusy(answer.status)
          ? pause(0, asked(answer.headers.get('Retry-After')))
          : FAILED_MS;
        if (isBusy(answer.status)) void server.wait(wait, busy.signal);
        else this.state = 'failed';
      }
    } catch {
      if (this.busy !== busy) return;
      this.state = 'failed';
      wait = FAILED_MS;
    }
    if (this.busy === busy) this.next(busy, wait);
  }

  /** What is wanted next, after so many ms. */
  private next(busy: AbortController, wait: number): void {
    clearTimeout(this.timer);
    if (wait === 0) {
      this.busy = null;
      this.go();
    } else {
      this.timer = setTimeout(() => {
        if (this.busy !== busy) return;
        this.busy = null;
        this.go();
      }, wait);
    }
  }

  private show(picture: Picture, tilt: Tilt): void {
    const old = this.picture;
    this.picture = picture;
    this.shown = tilt;
    this.state = 'live';
    if (old !== null && typeof old !== 'string') this.spare = old;
    else if (old !== picture && ![...this.kept.values()].some((url) => url === old)) revoke(old);
  }

  private keep(path: string, url: string): void {
    this.kept.set(path, url);
    for (const [key, old] of this.kept) {
      if (this.kept.size <= PICTURES_KEPT) break;
      if (old === this.picture) continue;
      this.kept.delete(key);
      URL.revokeObjectURL(old);
    }
  }
}

/** Resolves when the browser can paint it, so that a swap never flickers. */
async function decoded(url: string): Promise<void> {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => undefined);
}
