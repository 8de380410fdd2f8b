// setup.ts: what every browser has, and Node.js 18 shows only to those who import it.
import { webcrypto } from 'node:crypto';

globalThis.crypto ??= webcrypto as Crypto;
