// What home shows without a server. It is loaded only then; the words are there when `ready` is.
import { tongue } from '../../i18n/index.svelte';
export { default as Lead } from './AloneLead.svelte';
export { default as Lost } from './AloneLost.svelte';
export { default as Needs } from './AloneNeeds.svelte';

export const ready = tongue.load('offline');
