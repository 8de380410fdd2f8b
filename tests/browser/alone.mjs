// alone.mjs: a page that is open when its server goes: the engine in the page keeps the tables. Whole games are in offline.mjs.
import { equal, ok, run } from './harness.mjs';
import { games } from './whole.mjs';

const tests = {};

for (const { id, shown } of games)
  tests[`Play now begins ${id} on this device where no server answers`] = async (world) => {
    const page = await world.device({ size: 'laptop', language: 'en', fresh: true });
    const asked = { requests: 0, sockets: 0 };
    await page.route('**/api/**', (route) => {
      asked.requests++;
      return route.abort();
    });
    page.on('websocket', () => asked.sockets++);
    await page.locator(`article[aria-labelledby="g-${id}"] .acts button`).click();
    await shown(page).first().waitFor();
    ok(/#\/table\/0{16}[0-9a-f]{16}$/.test(page.url()), page.url());
    equal(asked.sockets, 0, 'streams of a server');
    ok(asked.requests > 0, 'the server was asked first');
  };

await run(tests);
