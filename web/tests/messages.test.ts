// Every message exists in all three languages, is used, and takes the same values everywhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gameFolders } from '../tools/games';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const common = join(root, 'web/src/i18n/messages');
const languages = ['en', 'fr', 'nl'];
const games = gameFolders();

/** The catalogues by name: the path of each in a language. */
const areas: Record<string, (language: string) => string> = {
  ...Object.fromEntries(
    readdirSync(join(common, 'en')).map((file) => [
      file,
      (language: string) => join(common, language, file),
    ]),
  ),
  ...Object.fromEntries(
    games.map(({ id, folder }) => [
      id,
      (language: string) => join(folder, 'page', `${language}.json`),
    ]),
  ),
};

function messages(language: string, area: string): Record<string, string> {
  return JSON.parse(readFileSync(areas[area]?.(language) ?? '', 'utf8')) as Record<string, string>;
}

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory()
      ? sources(join(dir, e.name))
      : /\.(svelte|ts)$/.test(e.name)
        ? [readFileSync(join(dir, e.name), 'utf8')]
        : [],
  );
}

const code = [join(root, 'web/src'), ...games.map(({ folder }) => join(folder, 'page'))]
  .flatMap(sources)
  .join('\n');
/** Messages that are asked for by a word of the wire, or that the page around the games asks each game for. */
const prefixes = [
  ...[...code.matchAll(/\btk\(\s*'([^']+)'/g)].map((m) => m[1] as string),
  ...['common.bot.', 'common.refused.'],
  ...games.flatMap(({ id }) =>
    ['bot', 'option', 'puzzle', 'refused', 'lesson', 'reactions'].map((part) => `${id}.${part}.`),
  ),
  ...games.flatMap(({ id }) =>
    ['title', 'seats', 'minutes', 'about', 'credit', 'note'].map((what) => `${id}.tile.${what}`),
  ),
];
const plain = (key: string) => key.replace(/\.(one|many|other)$/, '');
const values = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

describe.each(Object.keys(areas))('%s', (area) => {
  const en = messages('en', area);

  it.each(languages)('is complete in %s', (language) => {
    const keys = (m: Record<string, string>) => [...new Set(Object.keys(m).map(plain))].sort();
    const there = messages(language, area);
    expect(keys(there)).toEqual(keys(en));
    const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const key of Object.keys(there).filter((k) => k.endsWith('.other')))
      for (const p of plurals) expect(Object.keys(there)).toContain(`${plain(key)}.${p}`);
    for (const [key, text] of Object.entries(there)) {
      expect(text.trim(), key).not.toBe('');
      const twin = en[key] ?? en[`${plain(key)}.other`] ?? '';
      if (!key.endsWith('.one')) expect(values(text), `${language} ${key}`).toEqual(values(twin));
    }
  });

  it('is used', () => {
    const unused = Object.keys(en).filter(
      (k) =>
        !code.includes(`'${plain(k)}'`) &&
        !code.includes(`"${plain(k)}"`) &&
        !prefixes.some((p) => k.startsWith(p)),
    );
    expect(unused).toEqual([]);
  });
});

it('every key in the sources is a message', () => {
  const all = new Set(
    Object.keys(areas).flatMap((a) => Object.keys(messages('en', a)).flatMap((k) => [k, plain(k)])),
  );
  const used = [...code.matchAll(/\btn?\(\s*'([^']+)'/g)]
    .map((m) => m[1] as string)
    .filter((k) => k.includes('.'));
  expect([...new Set(used)].filter((k) => !all.has(k))).toEqual([]);
});
