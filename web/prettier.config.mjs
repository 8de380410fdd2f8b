// How the page's sources are laid out; `npm run format` does it.
import * as svelte from 'prettier-plugin-svelte';

export default {
    printWidth: 100,
    singleQuote: true,
    plugins: [svelte],
    overrides: [{ files: '*.svelte', options: { parser: 'svelte' } }],
};
