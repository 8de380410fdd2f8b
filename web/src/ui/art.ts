// The drawings by name: art('species-crab') is an address for <img>.
const files = import.meta.glob<string>('../art/*.svg', { eager: true, query: '?url', import: 'default' });

/** The address of a drawing; a name that does not exist is a mistake of ours. */
export function art(name: string): string {
  const url = files[`../art/${name}.svg`];
  if (url === undefined) throw new Error(`there is no drawing ${name}`);
  return url;
}
