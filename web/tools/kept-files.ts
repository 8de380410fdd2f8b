// Tells the service worker (sw/sw.ts) which files there are, and gives them a version: a hash of the list and of the files whose
// names carry none. The folder of the page is the path ''.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';

const WORKER = 'sw.js';
/** What a worker that has gone wrong is removed with must come from the server. */
const NEVER = /^reset\./;
const folder = fileURLToPath(new URL('../public', import.meta.url));

function publicFiles(): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return files
    .filter((f) => f.isFile())
    .map((f) => join(f.parentPath ?? f.path, f.name).slice(folder.length + 1))
    .filter((path) => !NEVER.test(path));
}

/** The page, and the script and styles that it names. */
const startFiles = (page: string): string[] => [
  '',
  ...(page.match(/assets\/[\w-]+\.(js|css)/g) ?? []),
];

export const keptFilesPlugin: Plugin = {
  name: 'fathom-kept-files',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      const worker = bundle[WORKER] as Rollup.OutputChunk;
      // Browsers run it as a plain script. What the page uses, too, would come in a file of its own.
      if (worker.imports.length > 0)
        throw new Error(`${WORKER} may import nothing: ${worker.imports.join(', ')}`);
      const page = String((bundle['index.html'] as Rollup.OutputAsset).source);
      const start = startFiles(page);
      const hashed = Object.keys(bundle).filter((n) => n !== WORKER && n !== 'index.html');
      const plain = publicFiles();
      const rest = [...hashed, ...plain].filter((n) => !start.includes(n)).sort();
      const hash = createHash('sha256').update(worker.code).update(page);
      for (const name of [...start, ...rest]) hash.update(`${name}\n`);
      for (const name of plain) hash.update(readFileSync(join(folder, name)));
      const version = hash.digest('hex').slice(0, 16);
      worker.code = worker.code.replace('KEPT_FILES', () =>
        JSON.stringify({ version, start, rest }),
      );
    },
  },
};
