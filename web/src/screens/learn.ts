// The screens for learning, as one chunk.
export { default as Practise } from './Practise.svelte';
export { default as Tutorial } from './Tutorial.svelte';
export { default as Rules } from './Rules.svelte';
