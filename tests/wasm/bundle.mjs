// bundle.mjs: the page's side of the engine for Node.js, and the engine that tools/wasm built.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(root, 'web/package.json'));
const { build } = createRequire(require.resolve('vite'))('esbuild'); // as Vite does it

/** What these files of web/src/engine export. */
export async function bundle(...names) {
  const dir = mkdtempSync(join(tmpdir(), 'fathom-engine-'));
  const outfile = join(dir, 'engine.mjs');
  const contents = names.map((name) => `export * from './${name}';`).join('\n');
  try {
    await build({ stdin: { contents, resolveDir: join(root, 'web/src/engine'), loader: 'ts' }, bundle: true, format: 'esm', mainFields: ['module', 'main'], outfile, logLevel: 'warning' });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

/** A file that tools/wasm built. */
export const built = (name) => join(process.env.FATHOM_ENGINE ?? join(root, 'build-wasm/src/wasm'), name);

export const module = (name = 'engine.wasm') => new WebAssembly.Module(readFileSync(built(name)));

/** Runs tests one after the other and prints TAP. */
export async function run(tests) {
  let n = 0;
  let failed = 0;
  console.log(`1..${Object.keys(tests).length}`);
  for (const [name, test] of Object.entries(tests)) {
    n++;
    try {
      const said = await test();
      console.log(`ok ${n} - ${name}${said ? `: ${said}` : ''}`);
    } catch (e) {
      failed++;
      console.log(`not ok ${n} - ${name}`);
      console.log(String(e?.stack ?? e).replace(/^/gm, '# '));
    }
  }
  process.exit(failed > 0 ? 1 : 0); // a clock may still be running
}
