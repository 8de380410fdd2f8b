/// <reference types="vitest/config" />
// How the client is built: everything below assets/ carries a hash of its content; small files are not inlined, for
// the server's Content-Security-Policy and for its cache. A first visit shall make few requests (tests/browser/first-load.mjs):
// screens come in few chunks (src/screens/tables.ts), and messages in one for the start and one for each game.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { compressedFilesPlugin } from './tools/compressed-files';
import { gameFolders, gameOf, gamesPlugin } from './tools/games';
import { keptFilesPlugin } from './tools/kept-files';
import { rulesPlugin } from './tools/rules-plugin';

/** The icon in the page itself: browsers ask for it more than once. */
const iconPlugin: Plugin = {
  name: 'fathom-icon',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html.replace(
        '/src/art/logo.svg',
        `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL('src/art/logo.svg', import.meta.url), 'utf8'))}`,
      ),
  },
};

const games = gameFolders();

/** The chunk of a catalogue: what every visit needs in this language, a game's messages, those of the lessons, of tables on this
    device, of an analysis, of puzzles, or what is said without a connection. */
function words(id: string): string | undefined {
  const [, its, game] = /^\0virtual:messages\/(\w+)(?:\/(\w+))?$/.exec(id) ?? [];
  if (its !== undefined) return game === undefined ? `words-${its}` : `words-${its}-${game}`;
  const [, language, area] = /\/messages\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
  if (area === undefined) return undefined;
  if (['offline', 'device', 'analysis', 'puzzles'].includes(area))
    return `words-${language}-${area}`;
  return ['rules', 'tutorial'].includes(area) ? `words-${language}-learn` : `words-${language}`;
}

/** All scripts of a game are one chunk, but for its tile, which comes with the start. */
function scripts(id: string): string | undefined {
  const game = gameOf(games, id);
  if (
    game === undefined ||
    !/\.(ts|svelte)$/.test(id) ||
    id.startsWith(`${game.folder}/page/tile/`)
  )
    return undefined;
  return `game-${game.id}`;
}

/** What several screens share comes with the start, and what is drawn at a table only with the tables. */
function chunk(id: string): string | undefined {
  if (/\/src\/main\.ts$|\/src\/App\.svelte|\/node_modules\/svelte\//.test(id)) return 'index';
  if (/\/src\/ui\/(Dialog|Mark)\.svelte/.test(id)) return 'index';
  if (
    /\/src\/(screens\/tables|model\/(why|sound|analysis|review\.svelte))\.ts$|\/src\/ui\/(Qr|Why|Switch|Hints|Clock)\.svelte|\/node_modules\/uqr\//.test(
      id,
    )
  )
    return 'tables';
  if (/\/src\/engine\/(link|load)\.ts$/.test(id)) return 'link';
  const [, puzzled] = /^\0virtual:puzzles\/(\w+)$/.exec(id) ?? [];
  if (puzzled !== undefined) return `puzzles-${puzzled}`;
  return words(id) ?? scripts(id);
}

/** How the files of a game, which lie outside of this folder, name the page's own. */
const alias = Object.fromEntries(
  ['i18n', 'model', 'net', 'screens', 'ui'].map((name) => [
    `$${name}`,
    fileURLToPath(new URL(`src/${name}`, import.meta.url)),
  ]),
);

/** Where tools/wasm has put engine.wasm. */
const engine =
  process.env['FATHOM_ENGINE'] ?? fileURLToPath(new URL('../build-wasm/src/wasm', import.meta.url));

export default defineConfig({
  // Addresses are relative to the page, so that it can lie in any folder of a web server (tools/static).
  base: './',
  resolve: { alias: { ...alias, $engine: engine }, dedupe: ['svelte', 'vitest'] },
  plugins: [
    iconPlugin,
    gamesPlugin(games),
    rulesPlugin(),
    svelte(),
    keptFilesPlugin,
    compressedFilesPlugin,
  ],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 300,
    rollupOptions: {
      input: { index: 'index.html', sw: 'sw/sw.ts' },
      output: {
        manualChunks: chunk,
        // The service worker governs the folder that it lies in, by a name that stays.
        entryFileNames: (c) => (c.name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
  server: {
    fs: { allow: ['..', ...games.map((g) => g.folder)] },
    proxy: {
      '/api': {
        target: process.env['FATHOM'] ?? 'http://127.0.0.1:8080',
        ws: true,
        changeOrigin: true,
      },
    },
  },
  test: {
    include: ['tests/*.test.ts', ...games.map((g) => `${g.folder}/tests/*.test.ts`)],
    environment: 'node',
    testTimeout: 120_000, // only what is broken takes so long, on a busy machine too
    // One after the other, with what they load loaded once: half the time of the processor.
    pool: 'threads',
    poolOptions: { threads: { singleThread: true, isolate: false } },
    setupFiles: ['tests/setup.ts'],
    coverage: {
      include: ['**/web/src/**/*.{ts,svelte}', '**/games/*/page/**/*.{ts,svelte}'],
      allowExternal: true,
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
