// What the lesson shows of Dive, and when two programs are the same.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { answer, canonical, type Lesson } from '$model/lesson';
import { nearestLook, plain } from '../page/lesson';
import type { DiveAction, Level } from '../page/types';

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const json = (path: string) => JSON.parse(readFileSync(at(path), 'utf8')) as unknown;
const { steps } = json('page/generated/lesson.json') as Lesson<DiveAction>;
const program = (levels: Level[]): DiveAction => ({ do: 'program', levels });
const same = (a: DiveAction, b: DiveAction): boolean => canonical(plain(a)) === canonical(plain(b));

it('takes empty levels at the end of a program for nothing', () => {
  const one = { tokens: [5], shark: false };
  expect(same(program([one, { tokens: [], shark: false }]), program([one]))).toBe(true);
  expect(same(program([{ tokens: [], shark: false }, one]), program([one]))).toBe(false);
});

it('lets a learner do two tasks at once, and try out another program', () => {
  const first = steps.findIndex((s) => s.id === 'first');
  expect(answer(steps, first, steps[first + 1]?.do as DiveAction, plain)).toBe(first + 2);
  expect(answer(steps, first, program([{ tokens: [1], shark: true }]), plain)).toBe('let');
  expect(answer(steps, 0, program([{ tokens: [5], shark: false }]), plain)).toBe('no');
});

it('shows nobody else’s program or choice', () => {
  for (const s of steps)
    for (const hidden of ['programs', 'choices']) expect(s.view).not.toHaveProperty(hidden);
});

describe('its pictures', () => {
  const lesson = json('lesson.json') as {
    pictures: { tilts: [number, number][]; sheets: number[] };
  };
  it('exist for every tilt and revealed sheet', () => {
    for (const [x, y] of lesson.pictures.tilts)
      expect(existsSync(at(`page/generated/look_${x}_${y}.webp`))).toBe(true);
    for (const n of lesson.pictures.sheets)
      expect(existsSync(at(`page/generated/sheet_${n}.webp`))).toBe(true);
  });
  it('the nearest one is shown', () => {
    const names = lesson.pictures.tilts.map(([x, y]) => `../look_${x}_${y}.webp`);
    expect(nearestLook(names, [0, 0])).toBe('../look_0_0.webp');
    expect(nearestLook(names, [24, -2])).toBe('../look_28_0.webp');
    expect(nearestLook(names, [-20, -20])).toBe('../look_-18.667_-18.667.webp');
    expect(nearestLook([], [0, 0])).toBe(null);
  });
});
