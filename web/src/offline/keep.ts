// Has the service worker (sw/sw.ts) keep the page on this device, and says so once a newer version is there.
import { mount } from 'svelte';
import { tongue } from '../i18n/index.svelte';
import { newer } from './newer.svelte';
import Newer from './Newer.svelte';

/** A window that stays open for days asks for a newer version when somebody comes back to it, at most this often. */
const ASK_MS = 3600000;

const workers = navigator.serviceWorker;
let kept = workers.controller !== null;
// Another worker takes over when it has kept all files of its version.
workers.addEventListener('controllerchange', () => {
  if (kept) void tongue.load('offline').then(() => (newer.ready = true));
  kept = true;
});

function askNowAndThen(registration: ServiceWorkerRegistration): void {
  let asked = Date.now();
  addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - asked < ASK_MS) return;
    asked = Date.now();
    void registration.update().catch(() => undefined);
  });
}

mount(Newer, { target: document.body });
// Where the browser refuses, as in some private windows, the page is as it was before.
workers.register('./sw.js', { updateViaCache: 'none' }).then(askNowAndThen, () => undefined);
