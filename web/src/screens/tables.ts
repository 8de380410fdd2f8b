// The screens around a table, as one chunk: who opens one soon needs the next.
export { default as Create } from './Create.svelte';
export { default as Join } from './Join.svelte';
export { default as TableScreen } from './TableScreen.svelte';
export { default as Replay } from './Replay.svelte';
export { default as Verify } from './Verify.svelte';
export { default as Settings } from './Settings.svelte';
