// The drawings by name: art('species-crab') is an address for <img>. They come with the script, as text: ninety files of
// a kilobyte would be as many requests.
const files = import.meta.glob<string>('../art/*.svg', { eager: true, query: '?raw', import: 'default' });
const made = new Map<string, string>();

/** The address of a drawing, which ends with its name; a name that does not exist is a mistake of ours. */
export function art(name: string): string {
  const known = made.get(name);
  if (known !== undefined) return known;
  const text = files[`../art/${name}.svg`];
  if (text === undefined) throw new Error(`there is no drawing ${name}`);
  const url = `data:image/svg+xml,${encodeURIComponent(text)}#${name}`;
  made.set(name, url);
  return url;
}
