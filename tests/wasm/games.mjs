// games.mjs: the program, and the tables that it plays for tests.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const program = process.env.FATHOM ?? join(root, 'build/fathom');

export const fathom = (...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });

/** A file of this name in a folder of its own, which is removed at the end. */
export function scratch(name) {
  const dir = mkdtempSync(join(tmpdir(), 'fathom-wasm-'));
  process.on('exit', () => rmSync(dir, { recursive: true }));
  return join(dir, name);
}

/** The options of the tables that the conformance suite plays, as far as these rules have them. */
export function tables(engine, game, rules) {
  const path = join(root, `games/${game}/tests/tables.json`);
  const all = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [{}];
  return all.filter((t) => t.setup === undefined && engine.check(game, t.options ?? {}, rules).ok).map((t) => t.options ?? {});
}

/** null: flags cannot say it. */
export function flags(options) {
  const all = Object.entries(options).map(([name, value]) => {
    const flag = `--${name.replaceAll('_', '-')}`;
    return value === true ? [flag] : value === false ? null : [flag, Array.isArray(value) ? JSON.stringify(value) : String(value)];
  });
  return all.includes(null) ? null : all.flat();
}
