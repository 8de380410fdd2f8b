// The start of the page.
import './ui/fonts.css';
import './ui/fathom.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { tongue } from './i18n/index.svelte';

await tongue.begin();
mount(App, { target: document.body });
