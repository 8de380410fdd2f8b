/// <reference types="vitest/config" />
// How the client is built: everything below assets/ carries a hash of its content; small files are not inlined, for
// the server's Content-Security-Policy and for its cache.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { rulesPlugin } from './tools/rules-plugin';

export default defineConfig({
  plugins: [rulesPlugin(), svelte()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false }, chunkSizeWarningLimit: 200 },
  server: { fs: { allow: ['..'] }, proxy: { '/api': { target: process.env['FATHOM'] ?? 'http://127.0.0.1:8080', ws: true, changeOrigin: true } } },
  test: { include: ['tests/**/*.test.ts'], environment: 'node' },
});
