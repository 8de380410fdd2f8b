// The tables that this device keeps, for home: where each stands, and what can be done with it. Nothing here needs the engine.
import { list, t, tn, tongue } from '../i18n/index.svelte';
import { device } from '../engine/device';
import type { KeptTable } from '../engine/kept';
import { isStatic } from '../net/static';
import { api } from '../net/api';
import type { SeatInfo } from '../net/types';
import { seatName } from '../ui/names';
import { waitsFor } from './begin';
import { gameModule, gameName } from './game';
import { mine } from './mine.svelte';

/** Seats of people: all of them sit at this device. */
const own = (table: KeptTable): number[] =>
  table.seats.flatMap((s, seat) => (s.name === null ? [] : [seat]));

const seatsOf = (table: KeptTable): SeatInfo[] =>
  table.seats.map(({ name, bot }, seat) => ({ seat, name, bot, here: false }));

const nameIn = (table: KeptTable, seat: number): string => seatName(seatsOf(table), seat);

/** "Soum Soum with Cod": who else plays. */
export function titleOf(table: KeptTable): string {
  const [me] = own(table);
  const others = table.seats
    .flatMap((s, seat) => (seat === me || (s.name === null && s.bot === null) ? [] : [seat]))
    .map((seat) => nameIn(table, seat));
  const game = gameName(table.game);
  return others.length > 0 ? t('home.withPeople', { game, people: list(others) }) : game;
}

/** "round 3 · 11 against 9 · your turn", as far as the game has rounds and points. */
export function whereIs(table: KeptTable): string {
  if (table.view === null) return t('device.lobby');
  const { round, scores } = table.view as { round?: unknown; scores?: unknown };
  const people = own(table);
  const said = [t('device.chip')];
  if (typeof round === 'number') said.push(t('device.round', { n: round }));
  if (Array.isArray(scores)) said.push(points(scores as number[], people[0] ?? 0));
  const waits = waitsFor(table.view);
  if (people.some((seat) => waits.includes(seat)))
    said.push(
      people.length > 1
        ? t('home.state.theirs', { people: list(waits.map((s) => nameIn(table, s))) })
        : t('device.yours'),
    );
  return said.join(' · ');
}

function points(scores: number[], me: number): string {
  const others = scores.filter((_, seat) => seat !== me).map(String);
  return t('device.against', { mine: scores[me] ?? 0, theirs: list(others) });
}

/** When it was played last, and how long it was. */
export function whenWas(table: KeptTable): string {
  const when = new Date(table.at).toLocaleString(tongue.language, {
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
  });
  return `${when} · ${tn('device.moves', table.moves)}`;
}

/** The end as a sentence of the game. */
export async function resultOf(table: KeptTable): Promise<string> {
  const module = await gameModule(table.game);
  const people = own(table);
  const name = (seat: number): string => nameIn(table, seat);
  if (table.view === null) return '';
  const ending =
    people.length === 1 ? module.ending?.(table.view, people[0] as number, name) : undefined;
  return ending?.title ?? module.verdict(table.view, name);
}

/** Makes this browser know its seats again, should it have forgotten them. */
export function remember({ id, game, host, seats, state }: KeptTable): void {
  if (mine.get(id) !== undefined) return;
  const named = seats.flatMap(({ name, token }, seat) =>
    name === null || token === null ? [] : [{ seat, token, name }],
  );
  mine.put({ table: id, game, host, seats: named, ...(state === 'over' ? { over: true } : {}) });
}

/** What this device keeps. Games that were taken up in the middle of another leave no record once they are over. */
async function whole(): Promise<KeptTable[]> {
  const all = await device.list();
  const ended = all.filter((k) => k.from !== undefined && k.state === 'over');
  for (const { id } of ended) {
    await device.remove(id);
    mine.forget(id);
  }
  return all.filter((k) => !ended.includes(k));
}

class OnDevice {
  all = $state.raw<KeptTable[]>([]);
  failed = $state(false);
  readonly inPlay = $derived(this.all.filter((k) => k.state === 'playing' || isLobby(k)));
  readonly over = $derived(this.all.filter((k) => k.state === 'over'));
  readonly waiting = $derived(isStatic ? [] : this.over.filter((k) => k.handed === null));

  async read(): Promise<void> {
    try {
      this.all = await whole();
      this.failed = false;
    } catch {
      this.failed = true;
    }
  }

  async remove(id: string): Promise<void> {
    await device.remove(id);
    mine.forget(id);
    await this.read();
  }

  /** Resolves once the server has it. What was handed in before is known there, and counts once. */
  async handIn(id: string): Promise<void> {
    const table = await api.handIn(await device.record(id));
    await device.handedIn(id, table);
    await this.read();
  }

  /** How many were taken, and why the first of the others was not. */
  async handInAll(): Promise<{ taken: number; why: unknown }> {
    let taken = 0;
    let why: unknown = null;
    for (const { id } of this.waiting) {
      try {
        await this.handIn(id);
        taken++;
      } catch (e) {
        why ??= e;
      }
    }
    return { taken, why };
  }

  async save(table: KeptTable): Promise<void> {
    const text = await device.record(table.id);
    const url = URL.createObjectURL(new Blob([text], { type: 'application/jsonl' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${table.game}-${table.id.slice(-8)}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
}

/** A table at which somebody has sat down; what was left before is nothing to go on with. */
const isLobby = (table: KeptTable): boolean => table.state === 'waiting' && own(table).length > 0;

export const onDevice = new OnDevice();
