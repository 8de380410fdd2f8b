// The start of the page.
import './ui/fonts.css';
import './ui/fathom.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { tongue } from './i18n/index.svelte';
import { part } from './net/busy.svelte';
import './offline/install.svelte';

/** Nobody waits for it, so nobody is told. */
const pass = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** What is needed first has been loaded by then. */
const SETTLED_MS = 3000;

// No await at the top: with one, Rollup puts all that screens share into chunks of their own.
void tongue.begin().then(() => mount(App, { target: document.body }));

addEventListener('dragenter', () => void import('./screens/drop'), { once: true });

// Plain http has no service workers, but for this machine's own address; a page that is being written has none either.
const workers = import.meta.env.PROD ? navigator.serviceWorker : undefined;
if (workers)
  addEventListener('load', () =>
    setTimeout(
      () => void part(() => import('./offline/keep'), pass).catch(() => undefined), // the next visit may do it
      workers.controller ? 0 : SETTLED_MS,
    ),
  );
