// Each game's texts in a language use the box's own words: games/NAME/text/glossary.LANGUAGE.json lists them, and the
// words that must not be used for the same thing. The catalogue (lessons included) and the rules are read.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gameFolders } from '../tools/games';

interface Word {
  en: string;
  word: string;
  not: string[];
}

const plain = (text: string) => text.replaceAll('\u00ad', '').replaceAll("'", '’').toLowerCase();

/** What a reader meets: the messages by their keys, the lines of the rules by their numbers. */
function texts(folder: string, language: string): [string, string][] {
  const messages = JSON.parse(
    readFileSync(join(folder, 'page', `${language}.json`), 'utf8'),
  ) as Record<string, string>;
  const rules = readFileSync(join(folder, 'text', `rules.${language}.md`), 'utf8')
    .replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, '')) // pictures and files
    .replaceAll(/`[^`\n]*`|\]\([^)\n]*\)|<[^>\n]*>/g, ' ') // words of the wire and addresses
    .split('\n')
    .map((line, i): [string, string] => [`rules.${language}.md:${i + 1}`, line]);
  return [...Object.entries(messages), ...rules].map(([where, text]) => [where, plain(text)]);
}

/** Where a text has one of these words, or a word that begins with it. */
const places = (found: [string, string][], word: string) => {
  const escaped = plain(word).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(`(?<![\\p{L}-])${escaped}`, 'u');
  return found.filter(([, text]) => pattern.test(text)).map(([where]) => where);
};

const glossaries = gameFolders().flatMap(({ id, folder }) =>
  ['fr', 'nl'].flatMap((language) => {
    const file = join(folder, 'text', `glossary.${language}.json`);
    return existsSync(file) ? [{ name: `${id} in ${language}`, folder, language, file }] : [];
  }),
);

it('the games of a box have a glossary', () => {
  expect(glossaries.length).toBeGreaterThanOrEqual(5);
});

describe.each(glossaries)('$name', ({ folder, language, file }) => {
  const { words } = JSON.parse(readFileSync(file, 'utf8')) as { words: Word[] };
  const found = texts(folder, language);

  it.each(words)('$en is $word', ({ word, not }) => {
    expect(places(found, word), `nobody says ${word}`).not.toEqual([]);
    for (const other of not)
      expect(places(found, other), `${other}, should be ${word}`).toEqual([]);
  });
});
