// JSON is read in the page as strictly as at the server.
import { describe, expect, test } from 'vitest';
import { read, reason, Unreadable, type Value } from '../src/engine/json';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const readText = (text: string): Value => read(encode(text));

function refusal(bytes: Uint8Array): number | undefined {
  try {
    read(bytes);
  } catch (e) {
    return e instanceof Unreadable ? e.code : undefined;
  }
  return undefined;
}

describe('what is read', () => {
  test('values of every kind', () => {
    expect(readText('[0, -7, 1.5, 1e2, true, false, null, "a\\"b\\u00e9", [], {}]')).toEqual([
      0n,
      -7n,
      1.5,
      100,
      true,
      false,
      null,
      'a"bé',
      [],
      new Map(),
    ]);
  });
  test('members in their order, also those with numbers for names', () => {
    const object = readText('{"b" : 1, "2":[{"x":"n5"}], "1":"3k", "__proto__":null}');
    expect([...(object as Map<string, Value>)]).toEqual([
      ['b', 1n],
      ['2', [new Map([['x', 'n5']])]],
      ['1', '3k'],
      ['__proto__', null],
    ]);
  });
  test('whole numbers of 64 bits', () => {
    expect(readText('[9223372036854775807, -9223372036854775808]')).toEqual([
      9223372036854775807n,
      -9223372036854775808n,
    ]);
  });
});

describe('what is refused', () => {
  test.each([
    ['a key twice', '{"a":1,"b":{"a":2},"a":3}', reason.twice],
    ['a key twice, once escaped', '{"a":1,"\\u0061":3}', reason.twice],
    ['too large a number', '[9223372036854775808]', reason.overflow],
    ['too large a real', '[1e999]', reason.overflow],
    ['NUL in a text', '["\\u0000"]', reason.nul],
    ['NUL in a key', '{"\\u0000":1}', reason.nulInKey],
    ['half of a pair', '["\\ud83d"]', reason.syntax],
    ['a plain value', '5', reason.syntax],
    ['a number with a zero in front', '[01]', reason.syntax],
    ['the end missing', '{"a":[1,2', reason.syntax],
    ['something after it', '{} {}', reason.syntax],
    ['nothing', '', reason.syntax],
  ])('%s', (_, text, code) => {
    expect(refusal(encode(text))).toBe(code);
  });
  test('what is not UTF-8', () => {
    expect(refusal(Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d))).toBe(reason.utf8);
  });
});
