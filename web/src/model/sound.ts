// Small sounds, made here from sine waves and noise, and a touch of vibration where the device has it. They never carry news alone.
import { settings } from './settings.svelte';

export type Sound =
  'placed' | 'turn' | 'reveal' | 'end' | 'splash' | 'sheet' | 'heartbeat' | 'tick';

/** A tone: [frequency in Hz, start, length in s, loudness]. */
type Tone = [number, number, number, number];
/** Noise through a filter that sweeps: [from Hz, to Hz, start, length in s, loudness]. */
type Rush = [number, number, number, number, number];

interface Tune {
  tones?: Tone[];
  rushes?: Rush[];
  /** Vibration in ms: on, off, on … */
  buzz?: number[];
}

const tunes: Record<Sound, Tune> = {
  placed: {
    tones: [
      [220, 0, 0.09, 0.25],
      [150, 0.02, 0.12, 0.2],
    ],
  },
  turn: {
    tones: [
      [523, 0, 0.16, 0.18],
      [784, 0.11, 0.26, 0.18],
    ],
    buzz: [40],
  },
  reveal: {
    tones: [
      [294, 0, 0.22, 0.16],
      [370, 0.09, 0.24, 0.16],
      [440, 0.18, 0.34, 0.16],
    ],
  },
  end: {
    tones: [
      [392, 0, 0.3, 0.16],
      [494, 0.16, 0.3, 0.16],
      [587, 0.32, 0.3, 0.16],
      [784, 0.48, 0.7, 0.16],
    ],
    buzz: [60, 80, 120],
  },
  splash: {
    tones: [[180, 0, 0.12, 0.2]],
    rushes: [
      [2600, 500, 0, 0.5, 0.22],
      [1200, 260, 0.16, 0.8, 0.12],
    ],
    buzz: [30],
  },
  sheet: {
    rushes: [
      [900, 3200, 0, 0.14, 0.12],
      [3000, 1400, 0.13, 0.12, 0.08],
    ],
  },
  heartbeat: {
    tones: [
      [58, 0, 0.16, 0.5],
      [50, 0.2, 0.2, 0.38],
    ],
    buzz: [30, 120, 20],
  },
  tick: { tones: [[880, 0, 0.05, 0.1]] },
};

/** A second of noise, made once. */
const RUSH_S = 1;
let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

function rustle(on: AudioContext): AudioBuffer {
  if (noise !== undefined) return noise;
  noise = on.createBuffer(1, on.sampleRate * RUSH_S, on.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return noise;
}

/** Loudness that rises at once and dies away. */
function swell(on: AudioContext, at: number, length: number, loud: number): GainNode {
  const gain = on.createGain();
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  gain.connect(on.destination);
  return gain;
}

export function play(sound: Sound): void {
  if (!settings.kept.sound) return;
  const { tones = [], rushes = [], buzz } = tunes[sound];
  if (buzz !== undefined) navigator.vibrate?.(buzz);
  const on = (context ??= new AudioContext());
  if (on.state === 'suspended') void on.resume();
  const now = on.currentTime + 0.01;
  for (const [pitch, at, length, loud] of tones) {
    const tone = on.createOscillator();
    tone.type = 'sine';
    tone.frequency.setValueAtTime(pitch, now + at);
    tone.connect(swell(on, now + at, length, loud));
    tone.start(now + at);
    tone.stop(now + at + length + 0.05);
  }
  for (const [from, to, at, length, loud] of rushes) {
    const source = on.createBufferSource();
    const filter = on.createBiquadFilter();
    source.buffer = rustle(on);
    filter.type = 'bandpass';
    filter.frequency.setValueAtTime(from, now + at);
    filter.frequency.exponentialRampToValueAtTime(to, now + at + length);
    source.connect(filter).connect(swell(on, now + at, length, loud));
    source.start(now + at, 0, Math.min(RUSH_S, length + 0.05));
  }
}
