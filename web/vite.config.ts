/// <reference types="vitest/config" />
// How the client is built: everything below assets/ carries a hash of its content; small files are not inlined, for
// the server's Content-Security-Policy and for its cache. A first visit shall make few requests (tests/browser/first-load.mjs):
// screens come in few chunks (src/screens/tables.ts), and messages in one for the start and one for each game.
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { rulesPlugin } from './tools/rules-plugin';

/** The icon in the page itself: browsers ask for it more than once. */
const iconPlugin: Plugin = {
  name: 'fathom-icon',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace('/src/art/logo.svg', `data:image/svg+xml,${encodeURIComponent(readFileSync(new URL('src/art/logo.svg', import.meta.url), 'utf8'))}`),
  },
};

/** The chunk of a catalogue: what every visit needs in this language, a game's words, or those of the lessons. */
function words(id: string): string | undefined {
  const [, language, area] = /\/messages\/(\w+)\/(\w+)\.json$/.exec(id) ?? [];
  if (area === undefined) return undefined;
  if (['dive', 'divercity', 'soumsoum'].includes(area)) return `words-${language}-${area}`;
  return ['practise', 'rules', 'tutorial'].includes(area) ? `words-${language}-learn` : `words-${language}`;
}

/** What several screens share comes with the start, and what is drawn at a table only with the tables. */
function chunk(id: string): string | undefined {
  if (/\/src\/main\.ts$|\/src\/App\.svelte|\/node_modules\/svelte\//.test(id)) return 'index';
  if (/\/src\/ui\/(Dialog|Switch|Hints|Clock)\.svelte/.test(id)) return 'index';
  if (/\/src\/screens\/tables\.ts$|\/src\/ui\/Qr\.svelte|\/node_modules\/uqr\//.test(id)) return 'tables';
  return words(id);
}

export default defineConfig({
  plugins: [iconPlugin, rulesPlugin(), svelte()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 300, rollupOptions: { output: { manualChunks: chunk } } },
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: process.env['FATHOM'] ?? 'http://127.0.0.1:8080', ws: true, changeOrigin: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
