// What the lesson shows of Soum Soum.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { canonical, merge, type Lesson } from '$model/lesson';
import type { Action, JsonObject } from '$net/types';

const file = new URL('../page/generated/lesson.json', import.meta.url);
const { steps } = JSON.parse(readFileSync(file, 'utf8')) as Lesson;

it('previews of Soum Soum are what the referee says, for every card and place', () => {
  const place = steps.find((s) => s.id === 'place');
  const seen = merge(
    (place?.view ?? {}) as JsonObject,
    place?.what?.[canonical([place.do as Action, { do: 'diver', at: [1, 3] }])] as JsonObject,
  ) as JsonObject;
  expect(seen['tokens']).toContainEqual({ at: [1, 3], seat: 0, worth: 2 });
  expect(seen['tokens']).toContainEqual({ at: [0, 3], seat: 0, worth: 2 });
  for (const s of steps.filter((s) => s.view.phase === 'place'))
    expect(Object.keys(s.what ?? {}).length).toBe(s.view.legal?.length);
});

it('shows no other hand', () => {
  for (const s of steps) expect(s.view).not.toHaveProperty('hands');
});
