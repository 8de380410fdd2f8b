// What the page's sources are checked for besides types and layout. It is run from the root of the tree, since the games' pages
// lie outside of web/.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import ruleNumbers from './tools/rule-numbers.mjs';

// What was found is kept until its file, this configuration or the version of a plugin changes: ours is its content.
const own = {
    meta: {
        name: 'fathom',
        version: createHash('sha256')
            .update(readFileSync(new URL('tools/rule-numbers.mjs', import.meta.url)))
            .digest('hex'),
    },
    rules: { 'rule-numbers': ruleNumbers },
};

const byUnknown = {
    selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
    message: 'Give the value its own type instead of casting it by way of unknown.',
};
const globalStyle = {
    selector: 'SvelteStyleElement > SvelteText[value=/:global/]',
    message:
        'A component styles its own elements. Place a child by an element around it, or change it by a prop or a custom property that it reads.',
};
const interval = {
    selector: 'CallExpression[callee.name="setInterval"]',
    message:
        'The server tells the page what changes: nothing polls. A clock says that it is one where it switches this rule off.',
};

export default ts.config(
    { ignores: ['web/dist', 'web/node_modules', '{games,examples/games}/*/page/generated'] },
    js.configs.recommended,
    ...ts.configs.recommended,
    ...svelte.configs.recommended,
    {
        languageOptions: { globals: { ...globals.browser, ...globals.node } },
        rules: {
            eqeqeq: 'error',
            'no-restricted-syntax': ['error', byUnknown, globalStyle, interval],
            // Our states are replaced and never changed in place: a plain Map in one of them is a value.
            'svelte/prefer-svelte-reactivity': 'off',
            // Prettier breaks lines where {' '} keeps a space.
            'svelte/no-useless-mustaches': 'off',
            '@typescript-eslint/no-unused-expressions': ['error', { allowTernary: true }],
            // TypeScript finds these itself, and knows the types.
            'no-undef': 'off',
            '@typescript-eslint/no-unused-vars': 'off',
        },
    },
    {
        files: ['**/*.svelte', '**/*.svelte.ts'],
        languageOptions: { parserOptions: { parser: ts.parser } },
    },
    {
        // No rule is written twice. The pictures of home are drawings throughout.
        files: ['{games,examples/games}/*/page/**/*.{ts,svelte}'],
        ignores: ['**/page/tile/Scene.svelte'],
        plugins: { fathom: own },
        rules: { 'fathom/rule-numbers': 'error' },
    },
    {
        // Its HTML is made when the page is built, from our own rules.
        files: ['**/Rule{sText,Entry}.svelte', '**/Settle{List,Board}.svelte'],
        rules: { 'svelte/no-at-html-tags': 'off' },
    },
);
