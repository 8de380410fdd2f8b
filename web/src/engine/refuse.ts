// Refusals of this device, as a server writes them.
import type { JsonObject } from '../net/types';
import { Refused } from './instance';

export function refuse(code: string, message: string, values: JsonObject = {}): never {
  throw new Refused({ code, ...values, message });
}
