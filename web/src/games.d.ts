// The modules that tools/games.ts writes from the list of games.
declare module 'virtual:games' {
  export const games: readonly import('./model/game').Game[];
}

declare module 'virtual:game-messages' {
  type Catalogue = () => Promise<{ default: Record<string, string> }>;
  type Languages = Record<import('./i18n/index.svelte').Language, Catalogue>;
  export const early: Languages;
  export const own: Record<string, Languages>;
}
