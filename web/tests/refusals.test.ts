// Every code that the server refuses with is explained in every language, with no more values than come with it; and nobody
// reads the server's sentence to find out what it means.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const languages = ['en', 'fr', 'nl'];
/** The page's own: nobody answered, or not as this server does. */
const OWN = ['offline', 'http'];
/** Where sentences pass through, to be shown where the page does not know a code. */
const CARRIERS = ['web/src/net/api.ts', 'web/src/net/stream.ts', 'web/src/ui/refusal.ts'];

/** The codes of an error map in C, with the values that their sentences name. */
function codesOf(header: string): Map<string, string[]> {
  const text = readFileSync(header, 'utf8').replace(/\\\n/g, ' ');
  const found = [...text.matchAll(/X\(E_\w+,\s*"([a-z-]+)",\s*"([^"]+)"\)/g)];
  return new Map(found.map(([, code = '', sentence = '']) => [code, valuesIn(sentence)]));
}
const valuesIn = (text: string): string[] =>
  [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? '');

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
const maps = [
  {
    area: 'common',
    header: join(root, 'include/fathom/error.h'),
    texts: (language: string) => read(join(root, `web/src/i18n/messages/${language}/common.json`)),
    own: OWN,
  },
  ...['games', 'examples/games']
    .flatMap((dir) => readdirSync(join(root, dir)).map((name) => join(root, dir, name)))
    .filter((game) => existsSync(join(game, 'page')))
    .map((game) => ({
      page: join(game, 'page'),
      area: basename(game),
      header: join(game, 'rules', `${basename(game)}_errors.h`),
      texts: (language: string) => read(join(game, 'page', `${language}.json`)),
      own: [] as string[],
    }))
    .filter((m) => existsSync(m.header)),
];

describe.each(maps)('the codes of $area', ({ area, header, texts, own }) => {
  const codes = codesOf(header);

  it.each(languages)('are explained in %s', (language) => {
    const prefix = `${area}.refused.`;
    const said = Object.entries(texts(language)).filter(([key]) => key.startsWith(prefix));
    const explained = said.map(([key]) => key.slice(prefix.length));
    expect(codes.size).toBeGreaterThan(0);
    expect([...codes.keys(), ...own].filter((c) => !explained.includes(c))).toEqual([]);
    expect(explained.filter((c) => !codes.has(c) && !own.includes(c))).toEqual([]);
    for (const [key, text] of said) {
      const sent = codes.get(key.slice(prefix.length)) ?? [];
      expect(
        valuesIn(text).filter((v) => !sent.includes(v)),
        `${language} ${key}`,
      ).toEqual([]);
    }
  });
});

/* ---- sentences ---- */

/** A regular expression or a comparison that reads a sentence of the server. */
const READS =
  /\bmessage\b\)?\??\s*(\.(?!message)\w|===|!==|\[)|\.(test|exec|match|includes|startsWith|endsWith|indexOf|search)\([^)]*\bmessage\b/;

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory()
      ? sources(join(dir, e.name))
      : /\.(svelte|ts)$/.test(e.name)
        ? [join(dir, e.name)]
        : [],
  );
}

describe('a sentence is for people', () => {
  it.each([
    'reasons.find(([text]) => text.test(refused.message))',
    "if (e.message === 'the game is over') return;",
    'error.message.startsWith("one diver")',
    'const found = said.message?.match(/seat (\\d)/)',
  ])('%s reads one', (line) => expect(line).toMatch(READS));

  it('which only passes through, unread', () => {
    const pages = maps.flatMap((m) => ('page' in m ? [m.page] : []));
    const lines = [join(root, 'web/src'), ...pages].flatMap(sources).flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => /[.[]\s*['"]?message\b/.test(line))
        .map((line) => ({ file: relative(root, file), line: line.trim() })),
    );
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((l) => !CARRIERS.includes(l.file) || READS.test(l.line))).toEqual([]);
  });
});
