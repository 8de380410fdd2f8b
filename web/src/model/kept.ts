// What this browser keeps: a few small values, each with a check on the way in. Nothing breaks where storage is closed.

export function read<T>(key: string, fallback: T, ok: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`fathom.${key}`) ?? 'null');
    return ok(value) ? value : fallback;
  } catch {
    return fallback;
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(`fathom.${key}`, JSON.stringify(value));
  } catch {
    /* a private window, or no room: the value lives as long as the page */
  }
}
