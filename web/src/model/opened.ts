// Records that were opened on this device: from a file, or by whoever serves the page. They are shown without being sent anywhere,
// and again when this tab is loaded again.
import { api, Refusal } from '../net/api';
import { isLocal } from '../net/local';

/** No record is larger (include/fathom/record.h). */
const MAX = 16 * 2 ** 20;
const key = (id: string): string => `fathom.record.${id}`;

function kept(id: string): string | null {
  try {
    return sessionStorage.getItem(key(id));
  } catch {
    return null;
  }
}

const open = new Set<string>();

export const isOpened = (id: string): boolean => open.has(id) || kept(id) !== null;

/** Shows a record: its table. Rejects with a Refusal if it is none, or not to be trusted. */
export async function openRecord(record: string): Promise<string> {
  const id = await api.openRecord(record);
  open.add(id);
  try {
    sessionStorage.setItem(key(id), record);
  } catch {
    /* closed storage, or no room: it is shown until this tab is loaded again */
  }
  return id;
}

export async function openFile(file: File): Promise<string> {
  if (file.size > MAX) throw new Refusal('too-big', '');
  return openRecord(await file.text());
}

/** Before a table is asked for that may be a record from before this tab was loaded again. */
export async function reopen(id: string): Promise<void> {
  const record = isLocal(id) ? kept(id) : null;
  if (record !== null && !open.has(id)) await openRecord(record);
}
