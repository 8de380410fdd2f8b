// several.mjs: runs browser tests one file after the other in one process and one browser; a Firefox costs as much to start as some
// files cost to run. Each file has a server and devices of its own, as it has alone.
// usage: node tests/browser/several.mjs FILE[:TESTS]…    of a file all tests, or those whose names contain TESTS
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { end, running } from './harness.mjs';

running.several = true;
for (const word of process.argv.slice(2)) {
  const [, file, only] = /^([^:]*):?(.*)$/.exec(word);
  const begun = Date.now();
  Object.assign(running, { file, only });
  try {
    await import(pathToFileURL(resolve(file)));
  } catch (e) {
    running.failed = true;
    console.log(`not ok 1 - ${file}: it does not begin`);
    console.log(String(e.stack ?? e).replace(/^/gm, '# '));
  }
  console.log(`# took ${((Date.now() - begun) / 1000).toFixed(3)} ${process.env.BROWSER ?? 'browser'} ${file}`);
}
await end();
