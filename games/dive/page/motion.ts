// Tilting by moving the device, after an explicit switch: the way it is held at that moment is straight.
import type { Eye } from './eye.svelte';

/** iOS asks for permission; others have no such function. */
type Asking = { requestPermission?: () => Promise<'granted' | 'denied'> };

export const canMove = (): boolean =>
  typeof DeviceOrientationEvent !== 'undefined' &&
  typeof matchMedia === 'function' &&
  matchMedia('(pointer: coarse)').matches;

/** Follows the device until the answer is called. */
export function follow(eye: Eye): () => void {
  let zero: { beta: number; gamma: number } | null = null;
  let over = false;
  const hear = (e: DeviceOrientationEvent): void => {
    if (e.beta === null || e.gamma === null) return;
    zero ??= { beta: e.beta, gamma: e.gamma };
    eye.tiltTo(e.gamma - zero.gamma, e.beta - zero.beta);
  };
  const begin = (): void => {
    if (!over) addEventListener('deviceorientation', hear);
  };
  const ask = (DeviceOrientationEvent as Asking).requestPermission;
  if (ask === undefined) begin();
  else
    void ask().then(
      (a) => a === 'granted' && begin(),
      () => undefined,
    );
  return () => {
    over = true;
    removeEventListener('deviceorientation', hear);
  };
}
