// No rule is written twice: the pages of the games hold no numbers of the rules. `npm run lint` looks through them for some; here is
// what it takes for one.
import { ESLint } from 'eslint';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const RULE = 'fathom/rule-numbers';
const root = join(fileURLToPath(new URL('.', import.meta.url)), '../..');
const eslint = new ESLint({ cwd: root, overrideConfigFile: 'web/eslint.config.mjs' });

const script = (code: string) => `<script lang="ts">${code}</script>`;

/** What the rule finds in a page with this code; null: the code cannot be read. */
async function found(name: string, code: string) {
  const [result] = await eslint.lintText(code, { filePath: join(root, 'games/dive/page', name) });
  return result?.messages.map((m) => m.ruleId).filter((id) => id === RULE || id === null);
}

it.each([
  ['a.ts', 'export const LEVELS = 5;'],
  ['a.ts', 'const deep = (space: number) => space > 15;'],
  ['a.ts', "return_(orca ? 10000 : Number(options['clock']) * 1000);"],
  ['a.ts', 'meter(view.hotels.length, 6);'],
  ['a.svelte', script('const strikes = $derived(Math.min(3, looked.length));')],
  ['a.svelte', '{#each { length: 5 } as _, i (i)}<i></i>{/each}'],
  ['a.svelte', '{#if space > 15}<b>deep</b>{/if}'],
])('%s: %s is a number of the rules', async (name, code) => {
  expect(await found(name, code)).toEqual([RULE]);
});

it.each([
  ['a.ts', 'const BEAT_MS = [700, 900, 900];'],
  ['a.ts', 'setTimeout(next, 650); const first = list[0]; const half = 0.5 * (a + 2);'],
  ['a.svelte', '<Mark seat={seat} size={28} /><i style:left="{100 * x}%" width="96"></i>'],
])('%s: %s is about the screen', async (name, code) => {
  expect(await found(name, code)).toEqual([]);
});

const pages = ['games', 'examples/games']
  .flatMap((folder) => readdirSync(join(root, folder)).map((game) => join(folder, game, 'page')))
  .filter((page) => existsSync(join(root, page)));

it.each(pages)('%s is looked through, and no comment in it prevents that', async (page) => {
  const files = readdirSync(join(root, page), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|svelte)$/.test(file) && !/^(generated|tile)/.test(file))
    .map((file) => join(root, page, file));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const config: { rules?: Record<string, unknown[]> } = await eslint.calculateConfigForFile(file);
    expect(config.rules?.[RULE]?.[0], file).toBe(2);
    for (const [, what] of readFileSync(file, 'utf8').matchAll(/eslint-disable\S*([^\n]*)/g))
      expect(what, file).toMatch(/^ (no-restricted-syntax|@typescript-eslint\/)/);
  }
});
