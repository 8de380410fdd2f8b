// JSON read by the browser, as strictly as jansson reads it for the server: a key stands once in an object, whole numbers
// are told from others and have 64 bits, texts hold no NUL and no half of a surrogate pair.

/** What jansson calls its reasons (enum json_error_code). */
export const reason = {
  utf8: 5,
  syntax: 8,
  nul: 11,
  nulInKey: 13,
  twice: 14,
  overflow: 15,
} as const;

export class Unreadable extends Error {
  constructor(readonly code: number) {
    super(`not read: ${code}`);
  }
}

/** A value in which whole numbers are bigints and objects are maps. */
export type Value = null | boolean | string | bigint | number | Value[] | Map<string, Value>;

/** Texts, perhaps keys, and numbers; in a text that is JSON there is nothing else that looks like them. */
const TOKEN = /"(?:[^"\\]|\\.)*"([ \t\r\n]*:)?|-?\d[\d.eE+-]*/g;

/** Marks what JSON.parse would make equal: keys by their number, texts and numbers by a letter. */
function marked(text: string): string {
  let keys = 0;
  return text.replace(TOKEN, (token, colon: string | undefined) =>
    !token.startsWith('"')
      ? `"n${token}"`
      : colon === undefined
        ? `"s${token.slice(1)}`
        : `"${keys++}k${token.slice(1)}`,
  );
}

function checked(text: string, nul: number): string {
  if (text.includes('\0')) throw new Unreadable(nul);
  if (/\p{Surrogate}/u.test(text)) throw new Unreadable(reason.syntax);
  return text;
}

function number(digits: string): bigint | number {
  if (/^-?\d+$/.test(digits)) {
    const whole = BigInt(digits);
    if (BigInt.asIntN(64, whole) !== whole) throw new Unreadable(reason.overflow);
    return whole;
  }
  const real = Number(digits);
  if (!Number.isFinite(real)) throw new Unreadable(reason.overflow);
  return real;
}

function unmarked(json: unknown): Value {
  if (typeof json === 'string')
    return json.startsWith('n') ? number(json.slice(1)) : checked(json.slice(1), reason.nul);
  if (Array.isArray(json)) return json.map(unmarked);
  if (typeof json !== 'object' || json === null) return json as null | boolean;
  const members = new Map<string, Value>();
  for (const [key, value] of Object.entries(json)) {
    const name = checked(key.slice(key.indexOf('k') + 1), reason.nulInKey);
    if (members.has(name)) throw new Unreadable(reason.twice);
    members.set(name, unmarked(value));
  }
  return members;
}

/** The list or object that these bytes are; throws Unreadable. */
export function read(bytes: Uint8Array): Value {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable(reason.utf8);
  }
  try {
    const plain: unknown = JSON.parse(text);
    if (typeof plain !== 'object' || plain === null) throw new SyntaxError('a plain value');
  } catch {
    throw new Unreadable(reason.syntax);
  }
  return unmarked(JSON.parse(marked(text)));
}
