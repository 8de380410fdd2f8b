// The rules: the same sections and the same numbered rules in all three languages, links that lead somewhere, a search that finds.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { about, fold, markHits, searchRules } from '../src/screens/rules';
import { gameFolders } from '../tools/games';
import { blocks, ruleBook, rulings } from '../tools/markdown';
import { positions } from '../tools/rules-plugin';

const text = (folder: string, language: string) =>
  readFileSync(join(folder, 'text', `rules.${language}.md`), 'utf8');
/** The rules that a section states: numbers in bold, "C10.1" and table cells too. */
const stated = (html: string) =>
  [...html.matchAll(/<b(?: class="no")?>([A-Z]\d+(?:\.\d)?)\.?<\/b>/g)].map((m) => m[1] as string);

describe.each(gameFolders())('$id', ({ id, folder }) => {
  const en = ruleBook(text(folder, 'en'));
  const ids = en.sections.map((s) => s.id);

  it.each(['en', 'fr', 'nl'])('has every section in its place (%s)', (language) => {
    const book = ruleBook(text(folder, language));
    expect(book.sections.map((s) => s.id)).toEqual(ids);
    expect(book.sections.map((s) => s.level)).toEqual(en.sections.map((s) => s.level));
    expect(book.sections.map((s) => s.option)).toEqual(en.sections.map((s) => s.option));
    for (const s of book.sections) expect(s.html, s.id).not.toBe('');
    expect(book.title).not.toBe('');
    expect(book.lead).not.toBe('');
  });

  it.each(['fr', 'nl'])(
    'states the same rules, tables and lists section by section (%s)',
    (language) => {
      const shape = (html: string) => [
        stated(html),
        html.match(/<tr>/g)?.length,
        html.match(/<li>/g)?.length,
        html.match(/<p/g)?.length,
      ];
      for (const [i, s] of ruleBook(text(folder, language)).sections.entries())
        expect(shape(s.html), s.id).toEqual(shape(en.sections[i]?.html ?? ''));
    },
  );

  it('states every rule once, up to the last number that the introduction names', () => {
    const all = en.sections.flatMap((s) => stated(s.html));
    expect(new Set(all).size).toBe(all.length);
    const whole = all.filter((rule) => !rule.includes('.'));
    const counts = new Map<string, number>();
    for (const [letter = ''] of whole) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    for (const [letter, n] of counts)
      for (let i = 1; i <= n; i++) expect(whole).toContain(`${letter}${i}`);
    const [, letter = '', last] = /<b>([A-Z])1<\/b>[^<]*<b>\1(\d+)<\/b>/.exec(en.about) ?? [];
    expect(counts.get(letter)).toBe(Number(last));
  });

  it.each(['en', 'fr', 'nl'])('links to what exists (%s)', (language) => {
    for (const [, to = ''] of text(folder, language).matchAll(/\]\(([^)]+)\)/g)) {
      const [path = '', anchor] = to.split('#');
      if (path === '') expect(ids).toContain(anchor);
      else expect(existsSync(join(folder, 'text', path)), to).toBe(true);
    }
  });

  it('leads from rules and rulings to scenarios of this game', () => {
    const made = JSON.parse(positions(join(folder, 'text/rulings.md'))) as {
      rulings: { ruling: string; scenario: string | null }[];
      scenarios: Record<string, { game: string; title: string }>;
    };
    expect(made.rulings.length).toBeGreaterThan(0);
    for (const r of made.rulings) {
      expect(r.ruling).not.toBe('');
      if (r.scenario !== null) expect(Object.keys(made.scenarios)).toContain(r.scenario);
    }
    for (const s of Object.values(made.scenarios)) expect(s.game).toBe(id);
  });

  it('has drawings for sections that exist', async () => {
    const { ruleArt } = (await import(join(folder, 'page/rules.ts'))) as {
      ruleArt: Record<string, string[]>;
    };
    for (const section of Object.keys(ruleArt)) expect(ids).toContain(section);
  });
});

describe('our Markdown', () => {
  it('makes paragraphs, numbers of rules, lists and tables', () => {
    expect(blocks(['**D5.** One *Deep* `x`', 'more', '', '- a', '  b', '- c'])).toBe(
      '<p class="rule"><b class="no">D5</b> One <em>Deep</em> <code>x</code> more</p><ul><li>a b</li><li>c</li></ul>',
    );
    expect(blocks(['| a | |', '|---|---|', '| **1** | *A |'])).toContain(
      '<td><b>1</b></td><td>*A</td>',
    );
  });
  it('keeps the page safe: marks of HTML are text', () => {
    expect(blocks(['<script> & "'])).toBe('<p>&lt;script&gt; &amp; &quot;</p>');
  });
  it('leaves out pictures made of letters', () => {
    expect(blocks(['```picture', 'o # o', '```'])).toBe('');
  });
  it('reads the rows of rulings, with the scenario that their rule leads to', () => {
    const text =
      '# x\n\n| id | ruling | reason |\n|---|---|---|\n| [C2](../tests/scenarios/C02_a.json) | *One*. | Why. |\n| — | Two. | So. |\n\n| a | b |\n';
    expect(rulings(text)).toEqual([
      { rules: 'C2', scenario: 'C02_a', ruling: '<em>One</em>.', reason: 'Why.' },
      { rules: '—', scenario: null, ruling: 'Two.', reason: 'So.' },
    ]);
  });
  it('finds what the rules say of a scenario', () => {
    const html =
      '<p>Other.</p><p>A <b>crab</b>. <a class="settle" href="#/settle/x/Y1">Play it</a></p>';
    const section = { id: 'a', level: 2, title: 'A', option: null, html };
    const book = { title: '', lead: '', about: '', sections: [section] };
    expect(about(book, 'x', 'Y1')?.trim()).toBe('A crab.');
    expect(about(book, 'x', 'Y2')).toBe(null);
  });
  it('refuses a section without a heading', () => {
    expect(() => ruleBook('# x\n\nlead\n\n<a id="y"></a>\nno heading\n')).toThrow(/heading/);
  });
});

describe('the search', () => {
  const sections = ruleBook(
    '# Jeu\n\nUn jeu.\n\n<a id="un"></a>\n## Un\n\nUn axolotl.\n\n<a id="deux"></a>\n## Deux\n\nUne raie.\n',
  ).sections;
  it('finds words without their accents and marks them as written', () => {
    expect(markHits('<p>Une épave</p>', 'EPAVE')).toEqual({
      html: '<p>Une <mark>épave</mark></p>',
      hits: 1,
    });
  });
  it('never marks inside a tag or an entity', () => {
    expect(markHits('<p class="rule">a &amp; b</p>', 'amp').hits).toBe(0);
    expect(markHits('<p class="rule">rule</p>', 'rule').hits).toBe(1);
  });
  it('gives only sections with hits, and all for nothing', () => {
    expect(searchRules(sections, 'axolotl').map((f) => f.section.id)).toEqual(['un']);
    expect(searchRules(sections, ' ').length).toBe(sections.length);
    expect(searchRules(sections, 'zzz')).toEqual([]);
  });
  it('keeps the length of what it folds', () => {
    for (const s of ['œuf', 'ﬁn', 'İ', 'é']) expect(fold(s).length).toBe(s.length);
  });
});
