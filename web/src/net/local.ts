/** Ids of tables on this device begin like this: no server has one. */
export const LOCAL = '0'.repeat(16);

export const isLocal = (table: string): boolean => table.startsWith(LOCAL);
