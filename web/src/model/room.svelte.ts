// A table with everything this device has to do with it: its seats here (several: pass and play), its stream for each of
// them, and the game's module.
import { gameModule, type GameModule } from './game';
import { tongue } from '../i18n/index.svelte';
import { api } from '../net/api';
import { isLocal } from '../net/local';
import type { GameInfo, TableInfo } from '../net/types';
import { addChance, game, sit, tableInfo } from './begin';
import { fairBot } from './bots';
import { dropChance } from './deals';
import { mine } from './mine.svelte';
import { StreamTable } from './table.svelte';

export class Room {
  readonly id: string;
  readonly screen: boolean;
  info = $state.raw<TableInfo>() as TableInfo;
  game = $state.raw<GameInfo>() as GameInfo;
  /** Not there while a lobby is opened: sitting down comes first. */
  module = $state.raw<GameModule>() as GameModule;
  /** One stream for each seat of this device; one without a seat if it has none. */
  streams = $state.raw<StreamTable[]>([]);
  /** Which of the streams is shown. */
  at = $state(0);

  readonly mine = $derived.by(() => mine.get(this.id));
  readonly host = $derived(this.mine?.host);
  readonly code = $derived(this.mine?.code ?? null);
  readonly table = $derived(
    this.streams[Math.min(this.at, this.streams.length - 1)] as StreamTable,
  );
  readonly seats = $derived(this.table.seats);
  /** It is played on this device, without a server. */
  readonly here: boolean;
  /** Another tab of this device plays it. */
  readonly elsewhere = $derived(this.streams.some((s) => s.state === 'elsewhere'));
  /** This device shows its private board: the table has a screen of its own, unless the player said otherwise. */
  readonly phone = $derived(this.mine?.phone ?? this.table.screened);

  private constructor(id: string, screen: boolean) {
    this.id = id;
    this.screen = screen;
    this.here = isLocal(id);
  }

  static async open(id: string, screen: boolean): Promise<Room> {
    const room = new Room(id, screen);
    if (room.here) await tongue.load('device');
    room.info = await tableInfo(id);
    const first = screen || room.info.state !== 'waiting' ? room.bring() : undefined;
    room.game = await game(room.info.game);
    await first;
    room.sync();
    if (!screen) void addChance(room.info);
    return room;
  }

  /** Loads the game, once. */
  bring(): Promise<void> {
    this.brought ??= gameModule(this.info.game).then((module) => void (this.module = module));
    return this.brought;
  }
  private brought: Promise<void> | undefined;

  /** Makes the streams fit the seats of this device. */
  sync(): void {
    const seats = this.screen ? [] : (mine.get(this.id)?.seats ?? []);
    const wanted: ({ seat: number; token: string } | null)[] =
      seats.length > 0 ? [...seats].sort((a, b) => a.seat - b.seat) : [null];
    const old = this.streams;
    const shown = old[this.at]?.me;
    // A new stream knows the seats that the one before was told of, until it is told itself.
    const info = { ...this.info, seats: old[this.at]?.seats ?? this.info.seats };
    const next = wanted.map(
      (w) =>
        old.find((s) => s.token === (w?.token ?? null)) ??
        new StreamTable(info, w, this.screen, mine.get(this.id)?.host),
    );
    for (const s of old) if (!next.includes(s)) s.close();
    this.streams = next;
    this.at = Math.max(
      0,
      next.findIndex((s) => s.me === shown),
    );
  }

  /** A bot of middle strength for a seat. */
  fairBot(seat: number): string {
    return fairBot(this.game, seat, this.seats.length, this.info.options);
  }

  /** Puts such a bot on every free seat, by the host's right. Our own may not have been told yet. */
  async fill(): Promise<void> {
    const own = this.mine?.seats.map((s) => s.seat) ?? [];
    for (const { seat, name, bot } of this.seats)
      if (!name && !bot && !own.includes(seat))
        await api.bot(this.id, seat, this.fairBot(seat), this.host as string);
  }

  /** This tab plays it from now on. */
  async takeOver(): Promise<void> {
    (await import('../engine/link')).tabs.take(this.id);
    for (const s of this.streams) s.retry();
  }

  start(): Promise<unknown> {
    return api.start(this.id, this.host as string);
  }

  async sit(name: string, seat?: number): Promise<void> {
    await sit(this.info, name, seat);
    this.sync();
  }

  /** A seat of this device, or with the host's right any seat, is free again. */
  async free(seat: number): Promise<void> {
    const own = this.mine?.seats.find((s) => s.seat === seat);
    const stream = own && this.streams.find((s) => s.token === own.token);
    if (stream) stream.leaving = true;
    try {
      await api.leave(this.id, seat, (own?.token ?? this.host) as string);
      if (own) {
        mine.dropSeat(this.id, seat);
        dropChance(this.id, seat);
      }
      this.sync();
    } finally {
      if (stream) stream.leaving = false;
    }
  }

  /** A seat that is not ours any more. */
  lost(seat: number): void {
    mine.dropSeat(this.id, seat);
    this.sync();
  }

  close(): void {
    for (const s of this.streams) s.close();
  }
}
