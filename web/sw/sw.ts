// The service worker: keeps the page on the device, so that it opens at once, and without a connection. Each version of the
// page has a cache of its own; older ones stay until no window is open, since an open table may still need their files.
// Nothing of /api is ever touched.
declare const self: ServiceWorkerGlobalScope;
export {}; // a module has a `self` of its own; and this file imports none, since browsers run it as a plain script

/** Written when the page is built (tools/kept-files.ts): paths from the folder of this file. `start` is what home needs. */
declare const KEPT_FILES: { version: string; start: string[]; rest: string[] };

const { version, start, rest } = KEPT_FILES;
const folder = new URL('./', self.location.href).href;
/** One server may serve several copies of the page. */
const own = `fathom ${folder} `;
const cacheName = own + version;
const named = new Set([...start, ...rest]);

/** A file whose name carries a hash never changes. */
const isHashed = (path: string): boolean => path.startsWith('assets/');

/** Answers from what is kept; what the server varies is only how it packs the bytes. */
const find = (path: string): Promise<Response | undefined> =>
  caches.match(folder + path, {
    ignoreVary: true,
    ...(isHashed(path) ? {} : { cacheName }),
  });

async function load(path: string): Promise<Response> {
  const answer = await fetch(folder + path, { cache: isHashed(path) ? 'default' : 'no-cache' });
  if (!answer.ok) return answer;
  const cache = await caches.open(cacheName);
  await cache.put(folder + path, answer.clone());
  return answer;
}

/** How often a file is tried while the server is busy or the connection breaks off: one file must not cost all the others. */
const TRIES = 5;
const PAUSE_MS = 1000;

async function fetched(path: string): Promise<void> {
  for (let failed = 1; ; failed++) {
    const status = await load(path).then((answer) => answer.status, String);
    if (status === 200) return;
    const waits = status === 429 || status === 503 || typeof status === 'string';
    if (!waits || failed >= TRIES) throw new Error(`${path}: ${status}`);
    await new Promise((done) => setTimeout(done, PAUSE_MS * 2 ** failed));
  }
}

/** Takes a file over from an older version, or fetches it. */
async function keep(path: string): Promise<void> {
  const cache = await caches.open(cacheName);
  if ((await cache.match(folder + path, { ignoreVary: true })) !== undefined) return;
  const old = isHashed(path) ? await find(path) : undefined;
  if (old !== undefined) return cache.put(folder + path, old);
  await fetched(path);
}

/** Whether the person asked the browser to be sparing: then the rest is kept as it is used. */
const isSparing = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** One file after the other: whatever the page itself loads goes first. */
async function keepAll(): Promise<void> {
  for (const path of isSparing() ? start : [...start, ...rest]) await keep(path);
  await self.skipWaiting();
}

/** Removes older versions once no window can need them. */
async function forgetOlder(): Promise<void> {
  const { installing, waiting } = self.registration;
  if (installing !== null || waiting !== null) return;
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.some((window) => window.url.startsWith(folder))) return;
  const older = (await caches.keys()).filter((n) => n.startsWith(own) && n !== cacheName);
  await Promise.all(older.map((name) => caches.delete(name)));
}

const answer = async (path: string): Promise<Response> => (await find(path)) ?? load(path);

/** The path of a file that is kept; undefined: the request goes its usual way. */
function keptPath({ method, mode, url }: Request): string | undefined {
  const [address = ''] = url.split(/[?#]/);
  if (method !== 'GET' || !address.startsWith(folder)) return undefined;
  const path = address.slice(folder.length);
  if (mode === 'navigate') return path === '' || path === 'index.html' ? '' : undefined;
  return isHashed(path) || named.has(path) ? path : undefined;
}

self.addEventListener('install', (e) => e.waitUntil(keepAll()));
self.addEventListener('activate', (e) => e.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (e) => {
  const path = keptPath(e.request);
  if (path === undefined) return;
  if (path === '') e.waitUntil(forgetOlder());
  e.respondWith(answer(path));
});
