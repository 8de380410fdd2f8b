// The server over HTTP, one function a request.
import type { Analysis } from '../engine/analysis';
import { drawnHere, isDrawnHere } from './pictures';
import { request, type Answer, type Request } from './transport';
import type {
  Action,
  Circle,
  Compared,
  GameEvent,
  GameId,
  GameInfo,
  JsonObject,
  OptionsAnswer,
  RefereeAnswer,
  RefusalKeys,
  Replay,
  Scenario,
  TableInfo,
  TakingUp,
  Verdict,
  View,
  WhyAnswer,
} from './types';

/** A refusal with the server's code; `code` is "offline" when it could not be reached. */
export class Refusal extends Error {
  readonly code: string;
  readonly status: number;
  readonly values: Record<string, number>;

  constructor(code: string, message: string, status = 0, values: Record<string, number> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.values = values;
  }
}

/** The values of a refusal: those of its keys that are numbers. */
export function valuesOf(said: object | null | undefined): Record<string, number> {
  const numbers = Object.entries(said ?? {}).filter(([, v]) => typeof v === 'number');
  return Object.fromEntries(numbers) as Record<string, number>;
}

async function send<T>(what: Request): Promise<T> {
  let answer: Answer;
  try {
    answer = await request(what);
  } catch {
    throw new Refusal('offline', 'the server cannot be reached');
  }
  const { status, json } = answer;
  if (status >= 200 && status < 300) return json as T;
  const error = (json as { error?: RefusalKeys } | null)?.error;
  throw new Refusal(error?.code ?? 'http', error?.message ?? '', status, valuesOf(error));
}

const ask = <T>(method: string, path: string, body?: JsonObject, token?: string): Promise<T> =>
  send({ method, path, body, token });

/** Nobody is there who plays: there is no network, or whoever serves the page knows no games. */
export const isAlone = (e: unknown): boolean =>
  e instanceof Refusal && ['offline', 'http'].includes(e.code);

/** Asks this device where there is no server. */
async function anywhere<T>(what: Request): Promise<T> {
  try {
    return await send<T>(what);
  } catch (e) {
    if (!isAlone(e)) throw e;
    return send<T>({ ...what, here: true });
  }
}

/** Random bytes as hex: chance for the deal (32), the id of a request (16). */
export function randomHex(n: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(n));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}

export const api = {
  games: () => ask<{ games: GameInfo[] }>('GET', '/api/games').then((a) => a.games),
  /** Of the newest rules if none are named. */
  check: (game: GameId, options: JsonObject[], rules?: number) =>
    ask<{ answers: OptionsAnswer[] }>('POST', `/api/games/${game}/check`, {
      options,
      ...(rules === undefined ? {} : { rules }),
    }).then((a) => a.answers),
  create: (game: GameId, options: JsonObject, listed = false, water?: string) =>
    ask<{ table: string; code: string; host: string }>('POST', '/api/tables', {
      game,
      options,
      listed,
      ...(water === undefined ? {} : { water }),
    }),
  /** What this device plays by itself, and a table on it. */
  gamesHere: () =>
    send<{ games: GameInfo[] }>({ method: 'GET', path: '/api/games', here: true }).then(
      (a) => a.games,
    ),
  createHere: (game: GameId, options: JsonObject, water?: string) =>
    send<{ table: string; code: string; host: string }>({
      method: 'POST',
      path: '/api/tables',
      body: { game, options, ...(water === undefined ? {} : { water }) },
      here: true,
    }),
  checkHere: (game: GameId, options: JsonObject[]) =>
    send<{ answers: OptionsAnswer[] }>({
      method: 'POST',
      path: `/api/games/${game}/check`,
      body: { options },
      here: true,
    }).then((a) => a.answers),
  /** Hands in a game that was played on this device: the table that it becomes. */
  handIn: (record: string) =>
    send<{ table: string }>({ method: 'POST', path: '/api/records', record }).then((a) => a.table),
  listed: () => ask<{ tables: TableInfo[] }>('GET', '/api/tables').then((a) => a.tables),
  table: (id: string) => ask<TableInfo>('GET', `/api/tables/${id}`),
  find: (code: string) =>
    ask<{ table: string }>('GET', `/api/codes/${encodeURIComponent(code)}`).then((a) => a.table),
  /** `request`: sent again with the same one it gets the same seat, and not another. */
  sit: (id: string, name: string, entropy: string, request: string, seat?: number) =>
    ask<{ seat: number; token: string }>('POST', `/api/tables/${id}/seats`, {
      name,
      entropy,
      id: request,
      ...(seat === undefined ? {} : { seat }),
    }),
  addChance: (id: string, entropy: string, token: string) =>
    ask('PUT', `/api/tables/${id}/entropy`, { entropy }, token),
  leave: (id: string, seat: number, token: string) =>
    ask('DELETE', `/api/tables/${id}/seats/${seat}`, undefined, token),
  bot: (id: string, seat: number, bot: string | null, token: string) =>
    ask<{ done: boolean }>('POST', `/api/tables/${id}/bots`, { seat, bot }, token).then(
      (a) => a.done,
    ),
  start: (id: string, token: string) => ask('POST', `/api/tables/${id}/start`, {}, token),
  rematch: (id: string, token: string) =>
    ask<{ table: string }>('POST', `/api/tables/${id}/rematch`, {}, token).then((a) => a.table),
  notes: (id: string, token: string) =>
    ask<{ notes: string }>('GET', `/api/tables/${id}/notes`, undefined, token).then((a) => a.notes),
  keepNotes: (id: string, notes: string, token: string) =>
    ask('PUT', `/api/tables/${id}/notes`, { notes }, token),
  replay: (id: string, who: Replay['who']) => ask<Replay>('GET', `/api/tables/${id}/replay/${who}`),
  /** Why the bot of a seat made its last choice up to a change. */
  why: (id: string, who: Replay['who'], seq: number, seat: number, token: string | null) =>
    ask<WhyAnswer>(
      'GET',
      `/api/tables/${id}/why/${who}/${seq}/${seat}`,
      undefined,
      token ?? undefined,
    ),
  /** What decisions of a game that is over were worth, worked out by the server; seat null: everybody's. */
  analysis: (id: string, seat: number | null, signal: AbortSignal) =>
    send<Analysis>({
      method: 'GET',
      path: `/api/tables/${id}/analysis${seat === null ? '' : `/${seat}`}`,
      signal,
    }),
  record: (id: string) => send<string>({ method: 'GET', path: recordPath(id), text: true }),
  verify: (id: string) => ask<Verdict>('GET', `/api/tables/${id}/verify`),
  /** What this device itself says of a record, whoever it is from, and of the seal that was shown. */
  judge: (record: string, commitment: string) =>
    send<Verdict>({
      method: 'POST',
      path: '/api/records/verify',
      body: { record, commitment },
      here: true,
    }),
  /** A file that lies beside the page. */
  file: (path: string) => send<string>({ method: 'GET', path, text: true }),
  /** A table on this device at which a recorded game goes on, after so many of its moves. */
  takeUp: (taking: TakingUp) =>
    send<{ table: string; host: string; token: string }>({
      method: 'POST',
      path: '/api/records/take-up',
      body: taking,
      here: true,
    }),
  /** Opens a record on this device: its table, which is over; `part`: the game goes on after its end. */
  openRecord: (record: string, part = false) =>
    send<{ table: string }>({
      method: 'POST',
      path: '/api/records',
      body: { record, part },
      here: true,
    }).then((a) => a.table),
  /** It is not looked at any more. */
  closeRecord: (id: string) => ask('DELETE', `/api/tables/${id}`),
  /** An action of a seat where an open record ends. Refused where it is against the rules. */
  choice: (id: string, seat: number, action: Action, others: Action[]) =>
    ask<Compared>('POST', `/api/tables/${id}/choice`, {
      seat,
      action: action as JsonObject,
      others: others as JsonObject[],
    }),
  /** Does it there; null: the seat notices nothing of it. */
  actThere: (id: string, seat: number, action: Action) =>
    ask<{ view: View; events: GameEvent[] } | null>('POST', `/api/tables/${id}/act`, {
      seat,
      action: action as JsonObject,
    }),
  /** What the seat would see there after its actions. */
  preview: (id: string, seat: number, actions: Action[]) =>
    ask<View>('POST', `/api/tables/${id}/preview`, { seat, if: actions as JsonObject[] }),
  /** Where the creatures of a sheet lie, once it was revealed. */
  creatures: async (id: string, round: number, level: number) => {
    const path = `/api/tables/${id}/ocean/${round}/`;
    if (isDrawnHere(path)) return (await drawnHere(path)).creatures(level);
    return (await ask<{ creatures: Circle[] }>('GET', `${path}sheet/${level}.json`)).creatures;
  },
  /** What a stack on this device is called, for whoever draws it. */
  stack: (path: string) => ask<{ stack: string }>('GET', path),
  /** What the referee says of a position's options and of the position, on this device where there is no server. */
  refereeCheck: (game: GameId, options: JsonObject, rules?: number) =>
    anywhere<{ answers: OptionsAnswer[] }>({
      method: 'POST',
      path: `/api/games/${game}/check`,
      body: { options: [options], ...(rules === undefined ? {} : { rules }) },
    }).then((a) => a.answers),
  referee: (scenario: Scenario, who: Replay['who']) =>
    anywhere<RefereeAnswer>({ method: 'POST', path: `/api/referee/${who}`, body: scenario }),
  practise: () => ask<{ practice: string; levels: number }>('POST', '/api/practice', {}),
  practiseHere: () =>
    send<{ practice: string; levels: number }>({
      method: 'POST',
      path: '/api/practice',
      body: {},
      here: true,
    }),
  guess: (id: string, guess: (string | null)[]) =>
    ask<{ truth: string[] }>('POST', `/api/practice/${id}/guess`, { guess }),
};

/** The address of a record's file. */
export const recordPath = (id: string): string => `/api/tables/${id}/record`;
