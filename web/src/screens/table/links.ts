// Addresses that people pass on. Secrets stay behind '#', which browsers send to nobody.
import type { Room } from '../../model/room.svelte';

const page = (path: string): string => `${location.origin}${location.pathname}#${path}`;

/** By code where this device knows it, else by the table's id. */
export const inviteLink = (room: Room): string =>
  page(room.code ? `/t/${room.code}` : `/table/${room.id}`);

/** For phones at a table that has a screen of its own. */
export const phoneLink = (room: Room): string =>
  page(room.code ? `/t/${room.code}/phone` : `/table/${room.id}`);

/** Takes a seat along to another device: whoever has it, has the seat. */
export const seatLink = (table: string, seat: number, token: string): string =>
  page(`/s/${table}/${seat}/${token}`);

export const momentLink = (table: string, who: string | number, step: number): string =>
  page(`/replay/${table}/${who}/${step}`);

/** The page's own address as one types it, without what browsers add. */
export const address = (): string =>
  `${location.protocol === 'http:' ? '' : 'https://'}${location.host}${location.pathname.replace(/\/$/, '')}`;

/** Whether other devices can open this address. */
export const reachable = (): boolean => !/^(localhost|127\.|\[::1\])/.test(location.hostname);
