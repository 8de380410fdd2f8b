// The lessons: what the learner is asked for is legal in the referee's own view, texts and hints exist for every step, and a lesson
// can be played through with nothing but what it asks for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answer, canonical, fits, merge, nearestLook, type Lesson } from '../src/model/lesson';
import type { Action, JsonObject } from '../src/net/types';
import { clip } from '../src/screens/tutorial-ring';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown;
const games = ['dive', 'divercity', 'soumsoum'] as const;
const texts = json('web/src/i18n/messages/en/tutorial.json') as Record<string, string>;

describe.each(games)('the lesson of %s', (game) => {
  const lesson = json(`web/src/generated/tutorials/${game}.json`) as Lesson;
  const script = json(`data/tutorials/${game}.json`) as { names: string[]; steps: { id: string; do?: Action; point?: string }[] };

  it('has the steps of its script', () => {
    expect(lesson.game).toBe(game);
    expect(lesson.steps.map(({ id, do: d, point }) => ({ id, do: d, point }))).toEqual(script.steps.map(({ id, do: d, point }) => ({ id, do: d, point })));
    expect(new Set(lesson.steps.map((s) => s.id)).size).toBe(lesson.steps.length);
    expect(lesson.steps.length).toBeLessThanOrEqual(12);
  });

  it('asks only for what is legal', () => {
    for (const s of lesson.steps.filter((s) => s.do !== undefined)) {
      const legal = s.view.legal ?? [];
      const wanted = s.do as Action;
      const listed = legal.some((a) => a.do === wanted.do && Object.entries(a).every(([k, v]) => canonical(v) === canonical(wanted[k] ?? null)));
      expect(listed, s.id).toBe(true);
    }
  });

  it('has a text for each step and a hint for each task, and no others', () => {
    const of = (kind: string) => Object.keys(texts).filter((k) => k.startsWith(`tutorial.${kind}.${game}.`)).sort();
    expect(of('step')).toEqual(lesson.steps.map((s) => `tutorial.step.${game}.${s.id}`).sort());
    expect(of('hint')).toEqual(lesson.steps.filter((s) => s.do).map((s) => `tutorial.hint.${game}.${s.id}`).sort());
  });

  it('points at parts that the boards have', () => {
    const folder = join(root, 'web/src/games', game);
    const boards = readdirSync(folder).filter((f) => f.endsWith('.svelte')).map((f) => readFileSync(join(folder, f), 'utf8')).join();
    for (const s of lesson.steps) if (s.point !== undefined) expect(boards).toContain(`data-part="${s.point}"`);
  });

  it('is played through by doing what it asks', () => {
    let at = 0;
    for (let turns = 0; at < lesson.steps.length - 1 && turns < 50; turns++) {
      const wanted = lesson.steps[at]?.do;
      const to: number | 'let' | 'no' = wanted === undefined ? at + 1 : answer(lesson.steps, at, wanted);
      expect(to).toBe(at + 1);
      at = to as number;
    }
    expect(at).toBe(lesson.steps.length - 1);
  });

  it('refuses anything else', () => {
    for (const [i, s] of lesson.steps.entries()) expect(answer(lesson.steps, i, { do: 'nonsense' }), s.id).toBe('no');
  });

  it('shows nobody else’s secrets', () => {
    for (const s of lesson.steps) {
      expect(s.view.seat).toBe(0);
      for (const hidden of ['programs', 'choices', 'hands'].filter((k) => game !== 'divercity' || k !== 'hands')) expect(s.view).not.toHaveProperty(hidden);
    }
  });
});

describe('matching', () => {
  const program = (levels: JsonObject[]): Action => ({ do: 'program', levels });
  it('takes keys in any order and empty levels at the end for nothing', () => {
    expect(fits({ do: 'place', at: [1, 3], card: 0 }, { do: 'place', card: 0, at: [1, 3] })).toBe(true);
    const one = { tokens: [5], shark: false };
    expect(fits(program([one, { tokens: [], shark: false }]), program([one]))).toBe(true);
    expect(fits(program([{ tokens: [], shark: false }, one]), program([one]))).toBe(false);
  });
  it('lets a learner do two tasks at once, and try out what a step lets', () => {
    const steps = (json('web/src/generated/tutorials/dive.json') as Lesson).steps;
    const first = steps.findIndex((s) => s.id === 'first');
    expect(answer(steps, first, steps[first + 1]?.do as Action)).toBe(first + 2);
    expect(answer(steps, first, program([{ tokens: [1], shark: true }]))).toBe('let');
    expect(answer(steps, 0, program([{ tokens: [5], shark: false }]))).toBe('no');
  });
  it('merges patches as RFC 7396 says', () => {
    expect(merge({ a: 1, b: { c: 2, d: 3 }, e: [1] }, { a: null, b: { c: 4 }, e: [2, 3] })).toEqual({ b: { c: 4, d: 3 }, e: [2, 3] });
  });
});

it('previews of Soum Soum are what the referee says, for every card and place', () => {
  const steps = (json('web/src/generated/tutorials/soumsoum.json') as Lesson).steps;
  const place = steps.find((s) => s.id === 'place');
  const seen = merge(place?.view as unknown as JsonObject, place?.what?.[canonical([place.do as Action, { do: 'diver', at: [1, 3] }])] as JsonObject) as JsonObject;
  expect(seen['tokens']).toContainEqual({ at: [1, 3], seat: 0, worth: 2 });
  expect(seen['tokens']).toContainEqual({ at: [0, 3], seat: 0, worth: 2 });
  for (const s of steps.filter((s) => s.view.phase === 'place')) expect(Object.keys(s.what ?? {}).length).toBe(s.view.legal?.length);
});

describe('pictures of Dive', () => {
  const lesson = json('data/tutorials/dive.json') as { pictures: { tilts: [number, number][]; sheets: number[] } };
  it('exist for every tilt and revealed sheet', () => {
    for (const [x, y] of lesson.pictures.tilts) expect(existsSync(join(root, `web/src/generated/tutorials/look_${x}_${y}.webp`))).toBe(true);
    for (const n of lesson.pictures.sheets) expect(existsSync(join(root, `web/src/generated/tutorials/sheet_${n}.webp`))).toBe(true);
  });
  it('the nearest one is shown', () => {
    const names = lesson.pictures.tilts.map(([x, y]) => `../look_${x}_${y}.webp`);
    expect(nearestLook(names, [0, 0])).toBe('../look_0_0.webp');
    expect(nearestLook(names, [24, -2])).toBe('../look_28_0.webp');
    expect(nearestLook(names, [-20, -20])).toBe('../look_-18.667_-18.667.webp');
    expect(nearestLook([], [0, 0])).toBe(null);
  });
});

describe('the ring', () => {
  const room = { left: 0, top: 160, width: 1366, height: 608 };
  it('lies around what is spoken of', () => {
    expect(clip({ left: 100, top: 200, width: 50, height: 60 }, room)).toEqual({ left: 94, top: 194, width: 62, height: 72 });
  });
  it('stays in the room of the board', () => {
    expect(clip({ left: 0, top: 100, width: 2000, height: 2000 }, room)).toEqual({ left: 3, top: 163, width: 1360, height: 602 });
  });
});
