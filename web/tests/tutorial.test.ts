// The lessons: what the learner is asked for is legal in the referee's own view, texts and hints exist for every step, and a lesson
// can be played through with nothing but what it asks for.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, canonical, merge, type Lesson, type LessonStep } from '../src/model/lesson';
import type { Action, View } from '../src/net/types';
import { clip } from '../src/screens/tutorial-ring';
import { gameFolders } from '../tools/games';

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as unknown;
const lessons = gameFolders().filter(({ folder }) => existsSync(join(folder, 'lesson.json')));

describe.each(lessons)('the lesson of $id', ({ id: game, folder }) => {
  const texts = json(join(folder, 'page/en.json')) as Record<string, string>;
  const lesson = json(join(folder, 'page/generated/lesson.json')) as Lesson;
  const script = json(join(folder, 'lesson.json')) as {
    names: string[];
    steps: { id: string; do?: Action; point?: string }[];
  };

  it('has the steps of its script', () => {
    expect(lesson.game).toBe(game);
    expect(lesson.steps.map(({ id, do: d, point }) => ({ id, do: d, point }))).toEqual(
      script.steps.map(({ id, do: d, point }) => ({ id, do: d, point })),
    );
    expect(new Set(lesson.steps.map((s) => s.id)).size).toBe(lesson.steps.length);
    expect(lesson.steps.length).toBeLessThanOrEqual(15);
  });

  it('asks only for what is legal', () => {
    for (const s of lesson.steps.filter((s) => s.do !== undefined)) {
      const legal = s.view.legal ?? [];
      const wanted = s.do as Action;
      const listed = legal.some(
        (a) =>
          a.do === wanted.do &&
          Object.entries(a).every(([k, v]) => canonical(v) === canonical(wanted[k] ?? null)),
      );
      expect(listed, s.id).toBe(true);
    }
  });

  it('has a text for each step and a hint for each task, and no others', () => {
    const has = Object.keys(texts).filter((k) => k.startsWith(`${game}.lesson.`));
    const steps = lesson.steps.map((s) => `${game}.lesson.${s.id}`);
    const hints = lesson.steps
      .filter((s) => s.do ?? s.task ?? s.ask)
      .map((s) => `${game}.lesson.${s.id}.hint`);
    const answers = lesson.steps.flatMap((s) =>
      (s.ask?.of ?? []).map((a) => `${game}.lesson.${s.id}.${a}`),
    );
    expect(has.sort()).toEqual([...steps, ...hints, ...answers].sort());
    for (const s of lesson.steps) if (s.ask) expect(s.ask.of).toContain(s.ask.right);
  });

  it('points at parts that the boards have', () => {
    const page = join(folder, 'page');
    const boards = readdirSync(page)
      .filter((f) => f.endsWith('.svelte'))
      .map((f) => readFileSync(join(page, f), 'utf8'))
      .join();
    for (const s of lesson.steps)
      if (s.point !== undefined) expect(boards).toContain(`data-part="${s.point}"`);
  });

  it('is played through by doing what it asks', () => {
    let at = 0;
    for (let turns = 0; at < lesson.steps.length - 1 && turns < 50; turns++) {
      const wanted = lesson.steps[at]?.do;
      const to: number | 'let' | 'no' =
        wanted === undefined ? at + 1 : answer(lesson.steps, at, wanted);
      expect(to).toBe(at + 1);
      at = to as number;
    }
    expect(at).toBe(lesson.steps.length - 1);
  });

  it('refuses anything else', () => {
    for (const [i, s] of lesson.steps.entries())
      expect(answer(lesson.steps, i, { do: 'nonsense' }), s.id).toBe('no');
  });
});

describe('matching', () => {
  const place: Action = { do: 'place', at: [1, 3], card: 0 };
  const view: View = { seq: 0, game: 'x', phase: 'place' };
  const steps: LessonStep[] = [
    { id: 'place', do: place, lets: ['turn'], events: [], view },
    { id: 'both', do: { ...place, at: [2, 2] }, events: [], view },
    { id: 'draw', do: { do: 'draw' }, events: [], view },
    { id: 'end', events: [], view },
  ];
  it('takes keys in any order', () => {
    expect(answer(steps, 0, { do: 'place', card: 0, at: [1, 3] })).toBe(1);
    expect(answer(steps, 0, { do: 'place', card: 0, at: [3, 1] })).toBe('no');
  });
  it('takes for equal what the game takes for equal', () => {
    const plain = ({ card: _, ...rest }: Action): Action => rest as Action;
    expect(answer(steps, 0, { do: 'place', card: 4, at: [1, 3] }, plain)).toBe(1);
  });
  it('lets a learner do two tasks at once, and try out what a step lets', () => {
    expect(answer(steps, 0, { ...place, at: [2, 2] })).toBe(2);
    expect(answer(steps, 0, { do: 'turn' })).toBe('let');
    expect(answer(steps, 2, { do: 'turn' })).toBe('no');
  });
  it('A4 never jumps over a task by another verb', () => {
    expect(answer(steps, 0, { do: 'draw' })).toBe('no');
    expect(answer(steps, 1, { do: 'draw' })).toBe('no');
    expect(answer(steps, 2, { do: 'draw' })).toBe(3);
  });
  it('merges patches as RFC 7396 says', () => {
    expect(merge({ a: 1, b: { c: 2, d: 3 }, e: [1] }, { a: null, b: { c: 4 }, e: [2, 3] })).toEqual(
      { b: { c: 4, d: 3 }, e: [2, 3] },
    );
  });
});

describe('the ring', () => {
  const room = { left: 0, top: 160, width: 1366, height: 608 };
  it('lies around what is spoken of', () => {
    expect(clip({ left: 100, top: 200, width: 50, height: 60 }, room)).toEqual({
      left: 98,
      top: 198,
      width: 54,
      height: 64,
    });
  });
  it('stays in the room of the board', () => {
    expect(clip({ left: 0, top: 100, width: 2000, height: 2000 }, room)).toEqual({
      left: 3,
      top: 163,
      width: 1360,
      height: 602,
    });
  });
});
