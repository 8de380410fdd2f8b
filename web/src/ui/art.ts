// The drawings by name: art('logo') is an address for <img>. They come with the script, as text: a hundred files of a
// kilobyte would be as many requests.

/** What a glob of `*.svg?raw` gives: the text of each file by its path. */
type Files = Record<string, string>;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.svg'.length);

/** The address of a drawing, which ends with its name. */
export const drawing = (name: string, svg: string): string =>
  `data:image/svg+xml,${encodeURIComponent(svg)}#${name}`;

/** A function from the names of these drawings to their addresses; what is not among them is asked for from `others`. */
export function drawings(files: Files, others: (name: string) => string): (name: string) => string {
  const texts = new Map(Object.entries(files).map(([path, text]) => [nameOf(path), text]));
  const made = new Map<string, string>();
  return (name) => {
    const text = texts.get(name);
    if (text === undefined) return others(name);
    const address = made.get(name) ?? drawing(name, text);
    made.set(name, address);
    return address;
  };
}

/** The drawings that the page and several games share. */
export const art = drawings(
  import.meta.glob<string>('../art/*.svg', { eager: true, query: '?raw', import: 'default' }),
  (name) => {
    throw new Error(`there is no drawing ${name}`);
  },
);
