// Vite: `text/rules.fr.md?rules` is a module with the rules as data, one chunk for each game and language;
// `text/rulings.md?positions` one with the rulings, and with the scenarios that rules and rulings lead to.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { ruleBook, rulings, scenarioOf } from './markdown';

/** The scenarios that a text links to, by name. */
function scenarios(folder: string, markdown: string): Record<string, unknown> {
  const links = [...markdown.matchAll(/\]\(([^)]+)\)/g)].map((m) => m[1] ?? '');
  const named = links.filter((to) => scenarioOf(to) !== null);
  return Object.fromEntries(
    named.map((to) => [scenarioOf(to), JSON.parse(readFileSync(join(folder, to), 'utf8'))]),
  );
}

/** What `?positions` of a game's rulings.md holds. */
export function positions(file: string): string {
  const folder = dirname(file);
  const text = readFileSync(file, 'utf8');
  const rules = readFileSync(join(folder, 'rules.en.md'), 'utf8');
  return JSON.stringify({ rulings: rulings(text), scenarios: scenarios(folder, rules + text) });
}

export function rulesPlugin(): Plugin {
  return {
    name: 'fathom-rules',
    enforce: 'pre',
    load(id) {
      const [, file, query] =
        /^(.*\/text\/(?:rules\.[a-z]+|rulings)\.md)\?.*\b(rules|positions)\b/.exec(id) ?? [];
      if (file === undefined) return null;
      this.addWatchFile(file);
      if (query === 'positions') return `export default ${positions(file)};`;
      return `export default ${JSON.stringify(ruleBook(readFileSync(file, 'utf8')))};`;
    },
  };
}
