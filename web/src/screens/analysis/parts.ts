// What an analysed replay shows beside the board, as one chunk: it comes when an analysis is asked for.
export { default as Curve } from './Curve.svelte';
export { default as Panel } from './Panel.svelte';
