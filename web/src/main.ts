// The start of the page.
import './ui/fonts.css';
import './ui/fathom.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { tongue } from './i18n/index.svelte';

// No await at the top: with one, Rollup puts all that screens share into chunks of their own.
void tongue.begin().then(() => mount(App, { target: document.body }));

addEventListener('dragenter', () => void import('./screens/drop'), { once: true });
