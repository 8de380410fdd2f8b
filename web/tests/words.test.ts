// What is said to those who listen: one queue, in which nothing replaces anything.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { words } from '../src/model/words.svelte';

const said = (): string[] => words.lines.map((line) => line.text);

describe('B22 announcements', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
  });

  it('queue up: none replaces another, and each is an element of its own', () => {
    words.say('Bram’s turn', 'Dynamite hits: eel');
    words.say('Your turn');
    expect(said()).toEqual(['Bram’s turn', 'Dynamite hits: eel', 'Your turn']);
    expect(new Set(words.lines.map((line) => line.id)).size).toBe(3);
  });

  it('leave the page after a while, oldest first', () => {
    words.say('one');
    vi.advanceTimersByTime(15000);
    words.say('two');
    vi.advanceTimersByTime(10000);
    expect(said()).toEqual(['two']);
  });

  it('A19: an alarm leaves the page, too', () => {
    words.alert('ten seconds');
    expect(words.assertive).toBe('ten seconds');
    vi.advanceTimersByTime(15000);
    words.alert('refused');
    vi.advanceTimersByTime(10000);
    expect(words.assertive).toBe('refused');
    vi.advanceTimersByTime(15000);
    expect(words.assertive).toBe('');
  });

  it('are repeated as they were said last, all sentences of them', () => {
    words.say('one');
    words.say('two', 'three');
    vi.advanceTimersByTime(60000);
    expect(said()).toEqual([]);
    words.again();
    expect(said()).toEqual(['two', 'three']);
  });

  it('have no soft hyphens, and nothing is said of nothing', () => {
    words.say('nudi\u00adbranch');
    words.say('', ' ');
    words.say();
    expect(said()).toEqual(['nudibranch']);
    words.alert('porcu\u00adpinefish');
    expect(words.assertive).toBe('porcupinefish');
  });
});
