// Writes the compressed form of each file below assets/ beside it, NAME.gz: a server that starts need not compress what
// never changes. What is compressed already stays as it is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Smaller files, and those that lose less than a tenth, are sent as they are: see compress_file() of src/server/files.c. */
const LEAST = 512;
const SHARE = 0.9;
const PACKED = /\.(bin|png|jpg|webp|woff2|gz)$/;

export const compressedFilesPlugin: Plugin = {
  name: 'fathom-compressed-files',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const assets = join(dir, 'assets');
    for (const name of readdirSync(assets).filter((n) => !PACKED.test(n))) {
      const plain = readFileSync(join(assets, name));
      if (plain.length < LEAST) continue;
      const gzip = gzipSync(plain, { level: 9 });
      if (gzip.length < plain.length * SHARE) writeFileSync(join(assets, `${name}.gz`), gzip);
    }
  },
};
