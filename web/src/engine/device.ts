// The tables of this device in IndexedDB: one entry for each table, one for each line of its record. The key of a line, table
// and number, decides between two tabs as it does between two servers: of two lines with the same key one is refused.
import { Conflict, type Keeper, type KeptLine, type KeptTable } from './kept';

const NAME = 'fathom';
const VERSION = 1;

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error ?? new Error('nothing was kept'));
  });

let opened: Promise<IDBDatabase> | undefined;

function open(): Promise<IDBDatabase> {
  opened ??= openNow().catch((e: unknown) => {
    opened = undefined;
    throw e;
  });
  return opened;
}

async function openNow(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('tables', { keyPath: 'id' });
    request.result.createObjectStore('lines'); // keys are [table, number]
  };
  const db = await asked(request);
  const forget = (): void => void (opened = undefined);
  db.onclose = forget;
  db.onversionchange = () => {
    db.close();
    forget();
  };
  return db;
}

/** Does something in a transaction, and waits until it is on the disk. */
async function within<T>(
  mode: IDBTransactionMode,
  work: (tables: IDBObjectStore, lines: IDBObjectStore) => Promise<T>,
): Promise<T> {
  const db = await open();
  const transaction = db.transaction(['tables', 'lines'], mode, { durability: 'strict' });
  const ended = new Promise<void>((done, fail) => {
    transaction.oncomplete = () => done();
    transaction.onabort = () => fail(transaction.error ?? new Error('nothing was kept'));
  });
  ended.catch(() => undefined); // whoever waits for it is told below
  try {
    const made = await work(transaction.objectStore('tables'), transaction.objectStore('lines'));
    await ended;
    return made;
  } catch (e) {
    try {
      transaction.abort();
    } catch {
      /* it has ended */
    }
    throw e instanceof DOMException && e.name === 'ConstraintError' ? new Conflict() : e;
  }
}

const linesOf = (id: string): IDBKeyRange => IDBKeyRange.bound([id, 0], [id, Infinity]);

const find = (tables: IDBObjectStore, id: string): Promise<KeptTable | undefined> =>
  asked(tables.get(id) as IDBRequest<KeptTable | undefined>);

export const device: Keeper & {
  list(): Promise<KeptTable[]>;
  record(id: string): Promise<string>;
  handedIn(id: string, table: string): Promise<void>;
  remove(id: string): Promise<void>;
} = {
  load: (id) =>
    within('readonly', async (tables, lines) => {
      const table = await find(tables, id);
      if (table === undefined) return undefined;
      return { table, lines: await asked(lines.getAll(linesOf(id)) as IDBRequest<KeptLine[]>) };
    }),

  save: (table, n, more) =>
    within('readwrite', async (tables, lines) => {
      const old = await find(tables, table.id);
      if (old === undefined && n > 0) throw new Conflict();
      // Whether it was handed in is said by the page, not by the table.
      const requests = [
        tables.put({ ...table, handed: old?.handed ?? null }),
        ...more.map((line, i) => lines.add(line, [table.id, n + i])),
      ];
      await Promise.all(requests.map((r) => asked(r)));
    }),

  /** All tables, the newest first. */
  list: () =>
    within('readonly', async (tables) => {
      const all = await asked(tables.getAll() as IDBRequest<KeptTable[]>);
      return all.sort((a, b) => b.at - a.at);
    }),

  record: (id) =>
    within('readonly', async (_, lines) => {
      const all = await asked(lines.getAll(linesOf(id)) as IDBRequest<KeptLine[]>);
      return all.map((line) => line.text).join('');
    }),

  handedIn: (id, handed) =>
    within('readwrite', async (tables) => {
      const table = await find(tables, id);
      if (table !== undefined) await asked(tables.put({ ...table, handed }));
    }),

  remove: (id) =>
    within('readwrite', async (tables, lines) => {
      await Promise.all([asked(tables.delete(id)), asked(lines.delete(linesOf(id)))]);
    }),
};
