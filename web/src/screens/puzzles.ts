// The screen of puzzles, as one chunk.
export { default as Puzzles } from './puzzles/Puzzles.svelte';
