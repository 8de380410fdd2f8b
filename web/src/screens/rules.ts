// The rules as data: one file for each game and language, loaded when it is opened; and the search in them.
import type { RuleBook, RuleText } from '../../tools/markdown';
import type { Language } from '../i18n/index.svelte';
import { gameOf } from '../model/game';
import type { GameId } from '../net/types';

export type { RuleBook, RuleText };

export async function loadRules(game: GameId, language: Language): Promise<RuleBook> {
  const { default: book } = await gameOf(game).rules[language]();
  const sections = book.sections.map((s) => ({ ...s, html: linked(s.html, game) }));
  return { ...book, sections };
}

/** Links between sections, and to scenarios, as addresses of the client. */
const linked = (html: string, game: GameId): string =>
  html
    .replaceAll('href="#', `href="#/rules/${game}/`)
    .replaceAll('href="settle:', `href="#/settle/${game}/`);

/** The paragraph or the row of the rules that leads to a scenario, without its links. */
export function about(book: RuleBook, game: GameId, scenario: string): string | null {
  const link = `href="#/settle/${game}/${scenario}"`;
  const blocks = book.sections.flatMap((s) => s.html.match(/<(p|tr)\b.*?<\/\1>/gs) ?? []);
  const found = blocks.find((html) => html.includes(link));
  return (
    found
      ?.replace(/<a class="settle".*?<\/a>/gs, '')
      .replace(/<\/t[dh]>/g, ' ')
      .replace(/<[^>]+>/g, '') ?? null
  );
}

/** Text as it is searched: without accents, in small letters, as long as before. */
export function fold(text: string): string {
  return Array.from(text, (c) => {
    const plain = c
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
    return plain.length === c.length ? plain : c;
  }).join('');
}

/** HTML with the hits of a search in <mark>, and how many there are. Tags and entities are never touched. */
export function markHits(html: string, query: string): { html: string; hits: number } {
  const needle = fold(query.trim());
  if (needle === '') return { html, hits: 0 };
  let hits = 0;
  const marked = html.replace(
    /(<[^>]+>|&[a-z#0-9]+;)|[^<&]+/g,
    (text: string, skip: string | undefined) => {
      if (skip !== undefined) return text;
      const folded = fold(text);
      let out = '';
      let from = 0;
      for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, from)) {
        out += `${text.slice(from, at)}<mark>${text.slice(at, at + needle.length)}</mark>`;
        from = at + needle.length;
        hits++;
      }
      return out + text.slice(from);
    },
  );
  return { html: marked, hits };
}

export interface Found {
  section: RuleText;
  title: string;
  html: string;
  hits: number;
}

/** The sections in which a text occurs, all of them for an empty one. */
export function searchRules(sections: RuleText[], query: string): Found[] {
  const all = sections.map((section) => {
    const title = markHits(section.title.replace(/&/g, '&amp;').replace(/</g, '&lt;'), query);
    const body = markHits(section.html, query);
    return { section, title: title.html, html: body.html, hits: title.hits + body.hits };
  });
  return query.trim() === '' ? all : all.filter((f) => f.hits > 0);
}
