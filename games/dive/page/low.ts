// A window so low that what is announced has no room above the plan: it stands in the top bar.
import { MediaQuery } from 'svelte/reactivity';

export const low = new MediaQuery('(max-height: 480px)');
