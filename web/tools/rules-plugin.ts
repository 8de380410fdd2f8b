// Vite: `docs/rules/dive.fr.md?rules` is a module with the rules as data, one chunk for each game and language.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { ruleBook } from './markdown';

export function rulesPlugin(): Plugin {
  return {
    name: 'fathom-rules',
    enforce: 'pre',
    load(id) {
      const file = /^(.*\/docs\/rules\/[a-z.]+\.md)\?.*\brules\b/.exec(id)?.[1];
      if (file === undefined) return null;
      this.addWatchFile(file);
      return `export default ${JSON.stringify(ruleBook(readFileSync(file, 'utf8')))};`;
    },
  };
}
