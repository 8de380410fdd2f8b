// Four small sounds, made here: a card laid, one's turn, something revealed, the end. They never carry news alone.
import { settings } from './settings.svelte';

export type Sound = 'placed' | 'turn' | 'reveal' | 'end';

/** Notes as [frequency in Hz, start, length in s, loudness]. */
const tunes: Record<Sound, [number, number, number, number][]> = {
  placed: [
    [220, 0, 0.09, 0.25],
    [150, 0.02, 0.12, 0.2],
  ],
  turn: [
    [523, 0, 0.16, 0.18],
    [784, 0.11, 0.26, 0.18],
  ],
  reveal: [
    [294, 0, 0.22, 0.16],
    [370, 0.09, 0.24, 0.16],
    [440, 0.18, 0.34, 0.16],
  ],
  end: [
    [392, 0, 0.3, 0.16],
    [494, 0.16, 0.3, 0.16],
    [587, 0.32, 0.3, 0.16],
    [784, 0.48, 0.7, 0.16],
  ],
};
let context: AudioContext | undefined;

export function play(sound: Sound): void {
  if (!settings.kept.sound) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const now = context.currentTime + 0.01;
  for (const [pitch, at, length, loud] of tunes[sound]) {
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = 'sine';
    tone.frequency.setValueAtTime(pitch, now + at);
    gain.gain.setValueAtTime(0, now + at);
    gain.gain.linearRampToValueAtTime(loud, now + at + 0.015);
    gain.gain.exponentialRampToValueAtTime(0.001, now + at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(now + at);
    tone.stop(now + at + length + 0.05);
  }
}
