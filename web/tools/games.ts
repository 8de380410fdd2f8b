// The games that the page is built with: those of games/list, and the folders of the same shape that FATHOM_EXTRA_GAMES names
// (tools/web --extra-games). Everything that the page has of a game it gets by the modules that are written here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export const languages = ['en', 'fr', 'nl'];

const root = fileURLToPath(new URL('../../games', import.meta.url));
/** Messages that are read outside of the game's own screens: they come with the start. */
const EARLY = ['tile', 'bot', 'option', 'refused'];

export interface GameFolder {
  id: string;
  folder: string;
}

function listed(): string[] {
  const lines = readFileSync(join(root, 'list'), 'utf8').split('\n');
  return lines.map((line) => line.replace(/#.*/, '').trim()).filter((name) => name !== '');
}

/** All games, by name. */
export function gameFolders(extra = process.env['FATHOM_EXTRA_GAMES'] ?? ''): GameFolder[] {
  const outside = extra.split(',').filter((folder) => folder !== '');
  const folders = [...listed().map((name) => join(root, name)), ...outside.map((f) => resolve(f))];
  return folders
    .map((folder) => ({ id: basename(folder), folder }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The game that a file belongs to. */
export const gameOf = (games: GameFolder[], file: string): GameFolder | undefined =>
  games.find((g) => file.startsWith(`${g.folder}/`));

/** The messages of a game: what comes with the start, or the rest of them. */
export function messagesOf({ id, folder }: GameFolder, language: string, early: boolean) {
  const text = readFileSync(join(folder, 'page', `${language}.json`), 'utf8');
  const isEarly = (key: string): boolean => EARLY.some((part) => key.startsWith(`${id}.${part}.`));
  const all = Object.entries(JSON.parse(text) as Record<string, string>);
  return Object.fromEntries(all.filter(([key]) => isEarly(key) === early));
}

/** The puzzles of a game, from easy to hard: their files. */
function puzzlesOf({ folder }: GameFolder): string[] {
  const at = join(folder, 'puzzles');
  const names = existsSync(at) ? readdirSync(at).filter((name) => name.endsWith('.json')) : [];
  return names.sort().map((name) => join(at, name));
}

const inLanguages = (path: (language: string) => string): string =>
  `{ ${languages.map((l) => `${l}: () => import(${JSON.stringify(path(l))})`).join(', ')} }`;

/** `virtual:games`: what the page has of each game. */
function gamesModule(games: GameFolder[]): string {
  const tiles = games.map((g, i) => `import tile${i} from '${g.folder}/page/tile/index.ts';`);
  const puzzles = (g: GameFolder): string => {
    const { length } = puzzlesOf(g);
    return length === 0
      ? 'null'
      : `{ count: ${length}, load: () => import('virtual:puzzles/${g.id}') }`;
  };
  const entries = games.map(
    ({ id, folder }, i) => `{
  id: '${id}', tile: tile${i},
  module: () => import('${folder}/page/index.ts'),
  lesson: ${existsSync(join(folder, 'lesson.json')) ? `() => import('${folder}/page/generated/lesson.json')` : 'null'},
  puzzles: ${puzzles({ id, folder })},
  positions: () => import('${folder}/text/rulings.md?positions'),
  rules: ${inLanguages((l) => `${folder}/text/rules.${l}.md?rules`)},
}`,
  );
  return `${tiles.join('\n')}\nexport const games = [${entries.join(', ')}];\n`;
}

/** `virtual:game-messages`: the early messages of all games by language, and the others by game and language. */
function messagesModule(games: GameFolder[]): string {
  const own = games.map(({ id }) => `${id}: ${inLanguages((l) => `virtual:messages/${l}/${id}`)}`);
  return `export const early = ${inLanguages((l) => `virtual:messages/${l}`)};\nexport const own = { ${own.join(', ')} };\n`;
}

/** `virtual:puzzles/GAME`: as text, which a browser reads faster than a script of this size. */
const puzzlesModule = (files: string[]): string =>
  `export default JSON.parse(${JSON.stringify(`[${files.map((f) => readFileSync(f, 'utf8').trim()).join(',')}]`)});`;

export function gamesPlugin(games: GameFolder[]): Plugin {
  return {
    name: 'fathom-games',
    enforce: 'pre',
    resolveId: (id) => (id.startsWith('virtual:') ? `\0${id}` : null),
    load(id) {
      if (id === '\0virtual:games') return gamesModule(games);
      if (id === '\0virtual:game-messages') return messagesModule(games);
      const [, puzzled] = /^\0virtual:puzzles\/(\w+)$/.exec(id) ?? [];
      if (puzzled !== undefined) {
        const files = games.filter((g) => g.id === puzzled).flatMap(puzzlesOf);
        for (const file of files) this.addWatchFile(file);
        return puzzlesModule(files);
      }
      const [, language, name] = /^\0virtual:messages\/(\w+)(?:\/(\w+))?$/.exec(id) ?? [];
      if (language === undefined) return null;
      const wanted = games.filter((g) => name === undefined || g.id === name);
      for (const g of wanted) this.addWatchFile(join(g.folder, 'page', `${language}.json`));
      const texts = wanted.map((g) => messagesOf(g, language, name === undefined));
      return `export default ${JSON.stringify(Object.assign({}, ...texts))};`;
    },
  };
}
