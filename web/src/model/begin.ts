// Ways into a game that several screens use.
import { api, isAlone, randomHex } from '../net/api';
import { busy, pause } from '../net/busy.svelte';
import { isLocal } from '../net/local';
import { isStatic } from '../net/static';
import { connect } from '../net/transport';
import type { GameId, GameInfo, JsonObject, OptionsAnswer, TableInfo, View } from '../net/types';
import { fairBot } from './bots';
import { keepConstants } from './constants';
import { keepChance, keepSeal, keptDeal } from './deals';
import { read, write } from './kept';
import { mine } from './mine.svelte';

let asked: Promise<GameInfo[]> | undefined;

/** Of the server, or of this device where there is none. */
const askGames = (): Promise<GameInfo[]> =>
  api.games().catch((e: unknown) => {
    if (!isAlone(e)) throw e;
    return api.gamesHere().catch(() => {
      throw e;
    });
  });

/** What can be played here, asked for once; a failure is asked again. */
export function games(): Promise<GameInfo[]> {
  asked ??= askGames().then(
    (all) => {
      for (const g of all) keepConstants(g.id, g.constants);
      return all;
    },
    (e: unknown) => {
      asked = undefined;
      throw e;
    },
  );
  return asked;
}

export async function game(id: GameId): Promise<GameInfo> {
  const info = (await games()).find((g) => g.id === id);
  if (info === undefined) throw new Error(`this server does not play ${id}`);
  return info;
}

/** Which options go together, as the server or, where there is none, this device says (`here`). */
export async function check(
  id: GameId,
  options: JsonObject[],
): Promise<{ answers: OptionsAnswer[]; here: boolean }> {
  try {
    return { answers: await api.check(id, options), here: isStatic };
  } catch (e) {
    if (!isAlone(e)) throw e;
    const answers = await api.checkHere(id, options).catch(() => {
      throw e;
    });
    return { answers, here: true };
  }
}

function keep(game: GameId, made: { table: string; code: string; host: string }): string {
  const code = made.code === '' ? {} : { code: made.code }; // nobody is invited to a table on this device
  mine.put({ table: made.table, game, ...code, host: made.host, seats: [] });
  if (isLocal(made.table)) write('device', true);
  return made.table;
}

/** A table of one's own: of the server, or of this device where there is none. */
export async function create(
  id: GameId,
  options: JsonObject,
  listed: boolean,
  water?: string,
): Promise<string> {
  try {
    return keep(id, await api.create(id, options, listed, water));
  } catch (e) {
    if (!isAlone(e)) throw e;
    return api.createHere(id, options, water).then(
      (made) => keep(id, made),
      () => {
        throw e;
      },
    );
  }
}

/** A request for a seat whose answer has not come: it is sent again, so that nobody sits twice. */
interface Sitting {
  table: string;
  id: string;
  chance: string;
}
const isSitting = (v: unknown): v is Sitting => {
  const s = v as Partial<Sitting> | null;
  return typeof s?.table === 'string' && typeof s.id === 'string' && typeof s.chance === 'string';
};

/** The same request up to three times, where no answer came. */
async function askForSeat(
  sitting: Sitting,
  name: string,
  seat?: number,
): Promise<{ seat: number; token: string }> {
  for (let tries = 1; ; tries++) {
    try {
      return await api.sit(sitting.table, name, sitting.chance, sitting.id, seat);
    } catch (e) {
      const lost = isAlone(e);
      if (!lost) write('sitting', null);
      if (!lost || tries === 3) throw e;
      await busy.wait(pause(tries));
    }
  }
}

/** Sits down, and keeps what the deal is to be checked with: the seal as it is shown now, and the chance that is added. */
export async function sit(info: TableInfo, name: string, seat?: number): Promise<void> {
  keepSeal(info);
  const old = read<Sitting | null>('sitting', null, isSitting);
  const sitting =
    old?.table === info.table
      ? old
      : { table: info.table, id: randomHex(16), chance: randomHex(32) };
  write('sitting', sitting);
  const got = await askForSeat(sitting, name, seat);
  write('sitting', null);
  keepChance(info.table, got.seat, sitting.chance);
  mine.addSeat(info.table, info.game, { ...got, name });
}

/** The seats of this device that came along to a rematch add to its deal, before it starts. Who comes too late adds nothing. */
export async function addChance(info: TableInfo): Promise<void> {
  const seats = info.state === 'waiting' ? (mine.get(info.table)?.seats ?? []) : [];
  if (seats.length > 0) keepSeal(info);
  for (const { seat, token } of seats) {
    if (keptDeal(info.table)?.chance[seat] !== undefined) continue;
    const chance = randomHex(32);
    await api.addChance(info.table, chance, token).then(
      () => keepChance(info.table, seat, chance),
      () => undefined,
    );
  }
}

/** One person, bots on all other seats, started. Bots are of middle strength unless `bot` says which. */
export async function playWithBots(
  id: GameId,
  options: JsonObject,
  name: string,
  seat: number,
  bot?: (seat: number) => string,
  water?: string,
): Promise<string> {
  const played = await game(id);
  const table = await create(id, options, false, water);
  const info = await api.table(table);
  await sit(info, name, seat);
  const host = mine.get(table)?.host as string;
  const fair = (s: number): string => fairBot(played, s, info.seats.length, info.options);
  for (const { seat: s } of info.seats)
    if (s !== seat) await api.bot(table, s, (bot ?? fair)(s), host);
  await api.start(table, host);
  return table;
}

/** The same with default options. */
export const playNow = (id: GameId, name: string): Promise<string> => playWithBots(id, {}, name, 0);

/** A table that was asked for a moment ago by who opens it now: it need not be asked for twice. */
let handed: TableInfo | undefined;
export async function ahead(id: string): Promise<TableInfo> {
  handed = await api.table(id);
  return handed;
}
export function tableInfo(id: string): Promise<TableInfo> {
  const info = handed;
  handed = undefined;
  return info?.table === id ? Promise.resolve(info) : api.table(id);
}

/** A look at a table as anybody may have it, without sitting down. */
export async function peek(table: string): Promise<View | null> {
  for (let failed = 1; failed <= 4; failed++) {
    const view = await peekOnce(table);
    if (view !== undefined) return view;
    await new Promise((r) => setTimeout(r, pause(failed + 1)));
  }
  return null;
}

/** Undefined: the server did not take the stream. */
function peekOnce(table: string): Promise<View | null | undefined> {
  return new Promise((done) => {
    const opened = connect(table, {
      open: () => opened.send(JSON.stringify({ hello: null })),
      hear: (text) => {
        const said = JSON.parse(text) as { view?: View | null };
        if (said.view !== undefined) end(said.view);
      },
      lost: () => end(),
      elsewhere: () => end(null),
    });
    const end = (view?: View | null): void => {
      clearTimeout(timer);
      opened.close();
      done(view);
    };
    const timer = setTimeout(() => end(null), 4000);
  });
}

/** The seats that a view waits for, as far as everybody may know. */
export function waitsFor(view: View): number[] {
  const v = view as View & { active?: number | null; ready?: boolean[] };
  if (typeof v.active === 'number') return [v.active];
  if (Array.isArray(v.ready)) return v.ready.flatMap((ready, seat) => (ready ? [] : [seat]));
  return [];
}
