// Messages in three languages. A message is a text with {names}; a plural one has keys ending in .one, .many (French)
// and .other. Areas are files: core ones are loaded at the start, a game's with the game.
import { early, own } from 'virtual:game-messages';
import type common from './messages/en/common.json';
import type home from './messages/en/home.json';
import type lobby from './messages/en/lobby.json';
import type offline from './messages/en/offline.json';
import type analysis from './messages/en/analysis.json';
import type after from './messages/en/after.json';
import type device from './messages/en/device.json';
import type puzzles from './messages/en/puzzles.json';
import type rules from './messages/en/rules.json';
import type tutorial from './messages/en/tutorial.json';
import { read, write } from '../model/kept';
import { part } from '../net/busy.svelte';

export const languages = ['en', 'fr', 'nl'] as const;
export type Language = (typeof languages)[number];

type Common = typeof common & typeof home & typeof lobby;
type Others = typeof after &
  typeof analysis &
  typeof device &
  typeof offline &
  typeof puzzles &
  typeof rules &
  typeof tutorial;
/** Every message. Each game adds its own in page/messages.d.ts. */
export interface Messages extends Common, Others {}
export type Key = keyof Messages;
type PluralKey = Key extends infer K ? (K extends `${infer P}.other` ? P : never) : never;
type Values = Record<string, string | number>;

type Catalogue = Record<string, string>;
const files = import.meta.glob<Catalogue>('./messages/*/*.json', { import: 'default' });

/** A catalogue: of an area of the page, of a game, or what is there of all games from the start. */
function catalogue(language: Language, area: string): () => Promise<Catalogue> {
  const game = area === 'games' ? early : own[area];
  if (game !== undefined) return () => game[language]().then((m) => m.default);
  return files[`./messages/${language}/${area}.json`] ?? (() => Promise.resolve({}));
}

/** French sets a narrow space before : ; ? ! and inside quotation marks. It does not break, so no line begins with a mark. */
const spaced = (text: string): string =>
  text.replace(/ ([:;?!»])/g, '\u202f$1').replace(/« /g, '«\u202f');

const typeset = (language: Language, texts: Catalogue): Catalogue =>
  language === 'fr'
    ? Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, spaced(text)]))
    : texts;

/** "de {name}" is "d’Alice" before a vowel, "que {name}" is "qu’Alice"; y counts as one only before a consonant (d’Yves, de Yann). */
const elided = (text: string, values: Values): string =>
  text.replace(/\b(d|qu)e \{(\w+)\}/gi, (as, word: string, name: string) =>
    /^(?:[aeiouàâäéèêëîïôöùûü]|y[^aeiouy])/i.test(String(values[name])) ? `${word}’{${name}}` : as,
  );

const isLanguage = (v: unknown): v is Language => languages.includes(v as Language);

function preferred(): Language {
  for (const l of navigator.languages ?? []) {
    const short = l.slice(0, 2).toLowerCase();
    if (isLanguage(short)) return short;
  }
  return 'en';
}

class Tongue {
  language = $state<Language>('en');
  private texts = $state.raw<Record<string, string>>({});
  private areas = new Set(['common', 'home', 'lobby', 'games']);
  private wanted: Language = 'en';
  private calls = 0;
  private newest: Promise<void> = Promise.resolve();
  private plurals = $derived(new Intl.PluralRules(this.language));

  /** Loads further areas in the present language. */
  async load(...areas: string[]): Promise<void> {
    for (const a of areas) this.areas.add(a);
    await this.use(this.wanted);
  }

  /** The newest call counts, since it knows all areas: older ones wait for it. */
  use(language: Language): Promise<void> {
    this.wanted = language;
    return (this.newest = this.fetch(language, ++this.calls));
  }

  private async fetch(language: Language, call: number): Promise<void> {
    const parts = await Promise.all([...this.areas].map((a) => part(catalogue(language, a))));
    if (call !== this.calls) return this.newest;
    this.texts = typeset(language, Object.assign({}, ...parts) as Catalogue);
    this.language = language;
    document.documentElement.lang = language;
  }

  async choose(language: Language): Promise<void> {
    write('language', language);
    await this.use(language);
  }

  begin(): Promise<void> {
    return this.use(read<Language>('language', preferred(), isLanguage));
  }

  has(key: string): boolean {
    return key in this.texts;
  }

  text(key: string, values: Values = {}): string {
    const text = this.texts[key];
    if (text === undefined) return key;
    const filled = this.language === 'fr' ? elided(text, values) : text;
    return filled.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? `{${name}}`));
  }

  plural(key: string, n: number, values: Values = {}): string {
    const kind = `${key}.${this.plurals.select(n)}`;
    return this.text(kind in this.texts ? kind : `${key}.other`, { n, ...values });
  }
}

export const tongue = new Tongue();

/** The message of a key. */
export const t = (key: Key, values?: Values): string => tongue.text(key, values);

/** The message of a number: `{n}` in the text. */
export const tn = (key: PluralKey, n: number, values?: Values): string =>
  tongue.plural(key, n, values);

/** The message of a word of the wire, `tk('dive.companion.', 'orca')`. The prefix must be a literal: tests look for it. */
export const tk = (prefix: string, word: string, values?: Values): string =>
  tongue.text(prefix + word, values);

/** "Divers: 3", with the space that the language sets before the colon. */
export const pair = (label: string, value: string | number): string =>
  t('common.pair', { label, value });

/** "Ana, Bram and Chloé" in the present language. */
export const list = (items: string[]): string =>
  new Intl.ListFormat(tongue.language, { type: 'conjunction' }).format(items);

/** "52 %", as the language writes it. */
export const percent = (share: number): string =>
  new Intl.NumberFormat(tongue.language, { style: 'percent' }).format(share);

/** Whether there is such a message: the server may know words that we do not. */
export const known = (key: string): boolean => tongue.has(key);
