// No rule is written twice: the pages of the games hold no numbers of the rules.
import { ESLint } from 'eslint';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import svelteParser from 'svelte-eslint-parser';
import ts from 'typescript-eslint';
import { expect, it } from 'vitest';
import rule from '../tools/rule-numbers.mjs';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const plugins = { fathom: { rules: { 'rule-numbers': rule } } };
const rules = { 'fathom/rule-numbers': 'error' as const };
const eslint = new ESLint({
  cwd: root,
  overrideConfigFile: true,
  errorOnUnmatchedPattern: true,
  allowInlineConfig: false,
  overrideConfig: [
    { ignores: ['**/page/tile/Scene.svelte'] }, // pictures of home: drawings throughout
    { files: ['**/*.ts'], languageOptions: { parser: ts.parser }, plugins, rules },
    {
      files: ['**/*.svelte'],
      languageOptions: { parser: svelteParser, parserOptions: { parser: ts.parser } },
      plugins,
      rules,
    },
  ],
});

const script = (code: string) => `<script lang="ts">${code}</script>`;

it.each([
  ['a.ts', 'export const LEVELS = 5;'],
  ['a.ts', 'const deep = (space: number) => space > 15;'],
  ['a.ts', "return_(orca ? 10000 : Number(options['clock']) * 1000);"],
  ['a.ts', 'meter(view.hotels.length, 6);'],
  ['a.svelte', script('const strikes = $derived(Math.min(3, looked.length));')],
  ['a.svelte', '{#each { length: 5 } as _, i (i)}<i></i>{/each}'],
  ['a.svelte', '{#if space > 15}<b>deep</b>{/if}'],
])('%s: %s is a number of the rules', async (name, code) => {
  const [result] = await eslint.lintText(code, { filePath: join(root, 'games/dive/page', name) });
  expect(result?.messages.map((m) => m.ruleId)).toEqual(['fathom/rule-numbers']);
});

it.each([
  ['a.ts', 'const BEAT_MS = [700, 900, 900];'],
  ['a.ts', 'setTimeout(next, 650); const first = list[0]; const half = 0.5 * (a + 2);'],
  ['a.svelte', '<Mark seat={seat} size={28} /><i style:left="{100 * x}%" width="96"></i>'],
])('%s: %s is about the screen', async (name, code) => {
  const [result] = await eslint.lintText(code, { filePath: join(root, 'games/dive/page', name) });
  expect(result?.messages).toEqual([]);
});

it('no page of a game holds one', async () => {
  const results = await eslint.lintFiles(['{games,examples/games}/*/page/**/*.{ts,svelte}']);
  expect(results.length).toBeGreaterThan(0);
  const found = results.flatMap((r) =>
    r.messages.map((m) => `${r.filePath.slice(root.length + 1)}:${m.line}: ${m.message}`),
  );
  expect(found).toEqual([]);
}, 300_000); // a busy machine takes a minute
