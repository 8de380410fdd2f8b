// The rules: the same sections and the same numbered rules in all three languages, links that lead somewhere, a search that finds.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ruleArt, ruleSections } from '../src/screens/rules-sections';
import { fold, markHits, searchRules } from '../src/screens/rules';
import type { GameId } from '../src/net/types';
import { blocks, ruleBook } from '../tools/markdown';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const games = Object.keys(ruleSections) as GameId[];
const file = (game: GameId, language: string) => `docs/rules/${game}${language === 'en' ? '' : `.${language}`}.md`;
const text = (game: GameId, language: string) => readFileSync(join(root, file(game, language)), 'utf8');
/** The rules that a section states: numbers in bold, "C10.1" and table cells too. */
const stated = (html: string) => [...html.matchAll(/<b(?: class="no")?>([CDSXY]\d+(?:\.\d)?)\.?<\/b>/g)].map((m) => m[1] as string);
const numbers = (letter: string, n: number) => Array.from({ length: n }, (_, i) => `${letter}${i + 1}`);

describe.each(games)('%s', (game) => {
  const en = ruleBook(text(game, 'en'));

  it.each(['en', 'fr', 'nl'])('has every section in its place (%s)', (language) => {
    const book = ruleBook(text(game, language));
    expect(book.sections.map((s) => s.id)).toEqual([...ruleSections[game]]);
    expect(book.sections.map((s) => s.level)).toEqual(en.sections.map((s) => s.level));
    expect(book.sections.map((s) => s.option)).toEqual(en.sections.map((s) => s.option));
    for (const s of book.sections) expect(s.html, s.id).not.toBe('');
    expect(book.title).not.toBe('');
    expect(book.lead).not.toBe('');
  });

  it.each(['fr', 'nl'])('states the same rules, tables and lists section by section (%s)', (language) => {
    const shape = (html: string) => [stated(html), html.match(/<tr>/g)?.length, html.match(/<li>/g)?.length, html.match(/<p/g)?.length];
    for (const [i, s] of ruleBook(text(game, language)).sections.entries())
      expect(shape(s.html), s.id).toEqual(shape(en.sections[i]?.html ?? ''));
  });

  it('states every rule once', () => {
    const all = en.sections.flatMap((s) => stated(s.html));
    const wanted = {
      dive: [...numbers('D', 50), ...numbers('X', 6)],
      divercity: [...numbers('C', 46), 'C10.1', 'C10.2', 'C10.3', ...numbers('Y', 3)],
      soumsoum: numbers('S', 13),
    }[game];
    expect([...all].sort()).toEqual([...wanted].sort());
  });

  it.each(['en', 'fr', 'nl'])('links to what exists (%s)', (language) => {
    for (const [, to = ''] of text(game, language).matchAll(/\]\(([^)]+)\)/g)) {
      const [path = '', anchor] = to.split('#');
      if (path === '') expect(ruleSections[game]).toContain(anchor);
      else expect(existsSync(join(root, 'docs/rules', path)), to).toBe(true);
    }
  });

  it('has drawings that exist, for sections that exist', () => {
    for (const [section, names] of Object.entries(ruleArt[game])) {
      expect(ruleSections[game]).toContain(section);
      for (const name of names ?? []) expect(existsSync(join(root, 'web/src/art', `${name}.svg`)), name).toBe(true);
    }
  });
});

describe('our Markdown', () => {
  it('makes paragraphs, numbers of rules, lists and tables', () => {
    expect(blocks(['**D5.** One *Deep* `x`', 'more', '', '- a', '  b', '- c'])).toBe(
      '<p class="rule"><b class="no">D5</b> One <em>Deep</em> <code>x</code> more</p><ul><li>a b</li><li>c</li></ul>',
    );
    expect(blocks(['| a | |', '|---|---|', '| **1** | *A |'])).toContain('<td><b>1</b></td><td>*A</td>');
  });
  it('keeps the page safe: marks of HTML are text', () => {
    expect(blocks(['<script> & "'])).toBe('<p>&lt;script&gt; &amp; &quot;</p>');
  });
  it('leaves out pictures made of letters', () => {
    expect(blocks(['```picture', 'o # o', '```'])).toBe('');
  });
  it('refuses a section without a heading', () => {
    expect(() => ruleBook('# x\n\nlead\n\n<a id="y"></a>\nno heading\n')).toThrow(/heading/);
  });
});

describe('the search', () => {
  const sections = ruleBook(text('dive', 'fr')).sections;
  it('finds words without their accents and marks them as written', () => {
    expect(markHits('<p>Une épave</p>', 'EPAVE')).toEqual({ html: '<p>Une <mark>épave</mark></p>', hits: 1 });
  });
  it('never marks inside a tag or an entity', () => {
    expect(markHits('<p class="rule">a &amp; b</p>', 'amp').hits).toBe(0);
    expect(markHits('<p class="rule">rule</p>', 'rule').hits).toBe(1);
  });
  it('gives only sections with hits, and all for nothing', () => {
    expect(searchRules(sections, 'axolotl').map((f) => f.section.id)).toContain('companion-axolotl');
    expect(searchRules(sections, 'axolotl').length).toBeLessThan(10);
    expect(searchRules(sections, ' ').length).toBe(sections.length);
    expect(searchRules(sections, 'zzz')).toEqual([]);
  });
  it('keeps the length of what it folds', () => {
    for (const s of ['œuf', 'ﬁn', 'İ', 'é']) expect(fold(s).length).toBe(s.length);
  });
});
