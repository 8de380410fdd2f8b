import { resolve, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const project = fileURLToPath(new URL('..', import.meta.url));

// Classes are named after a component's place in the project: the page has the same bytes wherever it is built.
const cssHash = ({ hash, filename }) => `svelte-${hash(relative(project, resolve(filename)))}`;

// vite has a way of its own while one develops.
const compilerOptions =
    process.env.NODE_ENV === 'production' ? { runes: true, cssHash } : { runes: true };

export default { preprocess: vitePreprocess(), compilerOptions };
