// Codes as people type, paste and read them.
import { expect, it } from 'vitest';
import { codeOf, codeText } from '../src/ui/names';

it.each([
  ['m7k4qx', 'M7K4QX'],
  [' M7K–4QX ', 'M7K4QX'],
  ['m7k-4qx-and-more', 'M7K4QX'],
  ['0O1I', ''],
  ['m 7', 'M7'],
])('%j is the code %j', (text, code) => expect(codeOf(text)).toBe(code));

it('is shown in two halves', () => expect(codeText('M7K4QX')).toBe('M7K–4QX'));
