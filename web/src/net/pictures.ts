// Pictures of a stack that this device draws: what is a file of a server elsewhere is pixels here. The ocean is loaded when it is first
// looked at.
import type { Drawing } from '../engine/ocean-link';
import { namesLocal } from './local';

export type { Drawing };

/** Does this device draw the pictures of an address? */
export const isDrawnHere = namesLocal;

/** The stack whose pictures lie below an address, such as /api/tables/ID/ocean/ROUND/. */
export const drawnHere = async (path: string): Promise<Drawing> =>
  (await import('../engine/ocean-link')).open(path);
