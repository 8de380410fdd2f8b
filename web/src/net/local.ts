/** Ids of tables and practices on this device begin like this: no server has one. */
export const LOCAL = '0'.repeat(16);

export const isLocal = (table: string): boolean => table.startsWith(LOCAL);

/** Does an address name a table or a practice of this device? */
export const namesLocal = (path: string): boolean =>
  isLocal(/^\/api\/(?:tables|practice)\/(\w+)/.exec(path)?.[1] ?? '');
