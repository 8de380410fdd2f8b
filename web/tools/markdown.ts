// Turns our own rules (games/*/text/rules.*.md) into data when the client is built. It knows just the Markdown that these texts use:
// anchors, headings, paragraphs, lists, tables, fences, bold, italic, code and links. Anything else would be shown as it is.

export interface RuleText {
  id: string;
  /** 2 to 4, as the heading; 4 is an entry of a list with drawings, which the contents leave out. */
  level: number;
  title: string;
  /** The table's option that the heading names, if any. */
  option: string | null;
  html: string;
}

export interface RuleBook {
  title: string;
  /** The first paragraph. */
  lead: string;
  /** Languages, names of rules, whose game it is: the rest before the first section. */
  about: string;
  sections: RuleText[];
}

const escape = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** The scenario that an address leads to, without its folder. */
export const scenarioOf = (to: string): string | null =>
  /^\.\.\/tests\/scenarios\/([\w-]+)\.json$/.exec(to)?.[1] ?? null;

/** Links lead to sections of the same text and to scenarios; what lies outside the client stays as words. */
function link(words: string, to: string): string {
  const scenario = scenarioOf(to);
  if (scenario !== null) return `<a class="settle" href="settle:${scenario}">${inline(words)}</a>`;
  if (!to.startsWith('#')) return inline(words);
  return `<a href="${escape(to)}" data-section="${escape(to.slice(1))}">${inline(words)}</a>`;
}

export function inline(text: string): string {
  const parts = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;
  let out = '';
  let from = 0;
  for (const m of text.matchAll(parts)) {
    out += escape(text.slice(from, m.index));
    from = m.index + m[0].length;
    if (m[1] !== undefined) out += `<code>${escape(m[1])}</code>`;
    else if (m[2] !== undefined) out += `<b>${inline(m[2])}</b>`;
    else if (m[3] !== undefined) out += `<em>${inline(m[3])}</em>`;
    else out += link(m[4] ?? '', m[5] ?? '');
  }
  return out + escape(text.slice(from));
}

/** A paragraph; the number of a rule at its start stands apart. */
function paragraph(text: string): string {
  const named = /^\*\*([A-Z][\d.]+)\.\*\* ?/.exec(text);
  if (named === null) return `<p>${inline(text)}</p>`;
  return `<p class="rule"><b class="no">${named[1]}</b> ${inline(text.slice(named[0].length))}</p>`;
}

function table(rows: string[]): string {
  const cells = rows.map((r) =>
    r
      .replace(/^\||\|$/g, '')
      .split('|')
      .map((c) => c.trim()),
  );
  const [head = [], , ...body] = cells;
  const th = head
    .map((c) => (c === '' ? '<td></td>' : `<th scope="col">${inline(c)}</th>`))
    .join('');
  const tr = body.map((r) => `<tr>${r.map((c) => `<td>${inline(c)}</td>`).join('')}</tr>`).join('');
  return `<div class="wide" tabindex="0" role="group"><table><thead><tr>${th}</tr></thead><tbody>${tr}</tbody></table></div>`;
}

/** Blocks of text as HTML. A fence marked "picture" is left out: the client has drawings for it. */
export function blocks(lines: string[]): string {
  let out = '';
  for (let i = 0; i < lines.length;) {
    const line = lines[i] ?? '';
    const take = (more: (l: string) => boolean): string[] => {
      const got: string[] = [];
      while (i < lines.length && more(lines[i] ?? '')) got.push(lines[i++] ?? '');
      return got;
    };
    if (line.trim() === '') {
      i++;
    } else if (line.startsWith('```')) {
      i++;
      const text = take((l) => !l.startsWith('```'));
      i++;
      if (line !== '```picture')
        out += `<pre class="wide" tabindex="0">${escape(text.join('\n'))}</pre>`;
    } else if (line.startsWith('|')) {
      out += table(take((l) => l.startsWith('|')));
    } else if (/^(- |\d+\. )/.test(line)) {
      const tag = line.startsWith('- ') ? 'ul' : 'ol';
      const items: string[] = [];
      for (const l of take((l) => l.trim() !== ''))
        if (/^(- |\d+\. )/.test(l)) items.push(l.replace(/^(- |\d+\. )/, ''));
        else items[items.length - 1] += ` ${l.trim()}`;
      out += `<${tag}>${items.map((t) => `<li>${inline(t)}</li>`).join('')}</${tag}>`;
    } else {
      out += paragraph(take((l) => l.trim() !== '' && !/^(\||```|- )/.test(l)).join(' '));
    }
  }
  return out;
}

/** One file of rules. */
export function ruleBook(markdown: string): RuleBook {
  const [top = '', ...rest] = markdown.split(/^<a id="/m);
  const [heading = '', ...intro] = top.split('\n');
  const [lead = '', ...about] = intro.join('\n').trim().split('\n\n');
  const sections = rest.map((part) => {
    const m = /^([a-z0-9-]+)"><\/a>\n(#{2,4}) (.+)\n([\s\S]*)$/.exec(part);
    if (m === null)
      throw new Error(
        `a section of the rules does not begin with an anchor and a heading: ${part.slice(0, 60)}`,
      );
    const [, id = '', marks = '', title = '', body = ''] = m;
    const option = /^(.*?) \((`.+)\)$/.exec(title);
    return {
      id,
      level: marks.length,
      title: option?.[1] ?? title,
      option: option?.[2]?.replace(/`/g, '') ?? null,
      html: blocks(body.split('\n')),
    };
  });
  return {
    title: heading.replace(/^# /, ''),
    lead: inline(lead.replace(/\n/g, ' ')),
    about: blocks(about.join('\n\n').split('\n')),
    sections,
  };
}

/** A row of rulings.md: rules, what we decided, why; and the scenario that shows it, if there is one. */
export interface Ruling {
  rules: string;
  scenario: string | null;
  ruling: string;
  reason: string;
}

/** The rulings of rulings.md: the rows of its tables "id | ruling | reason". */
export function rulings(markdown: string): Ruling[] {
  const tables = markdown.split(/^\| id \| ruling \| reason \|\n\|---\|---\|---\|\n/m).slice(1);
  const rows = tables.flatMap((t) => t.split(/\n(?!\|)/)[0]?.split('\n') ?? []);
  return rows
    .filter((row) => row.startsWith('|'))
    .map((row) => {
      const [id = '', ruling = '', reason = ''] = row.slice(1, -1).split('|');
      const [, words = id, to = ''] = /^ *\[([^\]]+)\]\(([^)]+)\) *$/.exec(id) ?? [];
      return {
        rules: words.trim(),
        scenario: scenarioOf(to),
        ruling: inline(ruling.trim()),
        reason: inline(reason.trim()),
      };
    });
}
