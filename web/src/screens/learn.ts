// The screens for learning, as one chunk.
export { default as Tutorial } from './Tutorial.svelte';
export { default as Settle } from './Settle.svelte';
export { default as Rules } from './Rules.svelte';
