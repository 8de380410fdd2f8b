// bundle.mjs: the page's side of the engine for Node.js, and the engine that tools/wasm built.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(join(root, 'web/package.json'));
const { build } = createRequire(require.resolve('vite'))('esbuild'); // as Vite does it

/** What a file of web/src/engine exports. */
export async function bundle(name) {
  const dir = mkdtempSync(join(tmpdir(), 'fathom-engine-'));
  const outfile = join(dir, `${name}.mjs`);
  try {
    await build({ entryPoints: [join(root, `web/src/engine/${name}.ts`)], bundle: true, format: 'esm', mainFields: ['module', 'main'], outfile, logLevel: 'warning' });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

export const module = () =>
  new WebAssembly.Module(readFileSync(process.env.FATHOM_ENGINE ?? join(root, 'build-wasm/src/wasm/engine.wasm')));

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
  process.exitCode = failed > 0 ? 1 : 0;
}
