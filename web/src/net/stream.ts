// A table's stream: says hello, comes back by itself after a cut, and sends what was not acknowledged again with
// the same id, so that an action counts once.
import { Refusal, valuesOf } from './api';
import { busy, pause, TRIES } from './busy.svelte';
import { isLocal } from './local';
import { connect, type Socket } from './transport';
import type { Action, GameEvent, SeatInfo, View } from './types';

/** `elsewhere`: another tab of this device plays this table. */
export type StreamState = 'connecting' | 'open' | 'lost' | 'closed' | 'elsewhere';

export interface Look {
  seat: number;
  tilt: [number, number];
  lamp: string | null;
}

export interface Reaction {
  seat: number;
  react: string;
}

export interface StreamHandlers {
  state(state: StreamState): void;
  /** `earlier`: what was told before this page was opened; with the first change only. `seqs`: of each of `earlier`, then of `events`, the
      change that it belongs to, where they are of several. */
  change(
    seq: number,
    view: View | null,
    events: GameEvent[],
    earlier: GameEvent[],
    seqs?: number[],
  ): void;
  /** `screen`: the table has a screen of its own. */
  seats(seats: SeatInfo[], screen: boolean): void;
  look?(look: Look): void;
  /** The token for pictures of this table: whoever watches has no other. */
  visit?(token: string): void;
  /** So many ms until the table's clock speaks; null: it does not tick. */
  clock?(ms: number | null): void;
  /** A seat shows a reaction to everybody. */
  react?(reaction: Reaction): void;
  /** Reactions are open for so many ms; 0: closed; null: open. */
  reactions?(ms: number | null): void;
  /** Somebody wanted another game: its table. */
  rematch?(table: string): void;
  /** Whether this device keeps what happens; not if it has no room. */
  kept?(kept: boolean): void;
  /** The token is not, or no longer, this table's: the stream has ended for good. */
  denied?(refusal: Refusal): void;
}

interface Waiting {
  text: string;
  /** How often the server was too busy for it. */
  refused?: number;
  done(): void;
  fail(refusal: Refusal): void;
}

interface Asked extends Omit<Waiting, 'done'> {
  done(view: View): void;
}

type Said = {
  seq?: number;
  view?: View | null;
  events?: GameEvent[];
  earlier?: GameEvent[];
  seqs?: number[];
  seats?: SeatInfo[];
  screen?: boolean;
  ack?: string;
  refused?: string | null;
  code?: string;
  message?: string;
  look?: Look;
  visit?: string;
  what?: string;
  retry?: number;
  clock?: number | null;
  react?: Reaction;
  reactions?: number | null;
  rematch?: string;
  kept?: boolean;
};

export class Stream {
  private socket: Socket | null = null;
  private waiting = new Map<string, Waiting>();
  private asked = new Map<string, Asked>();
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private over = false;
  /** The view has come once: what was told before is known here. */
  private heard = false;
  private readonly mine = token8();
  private count = 0;

  constructor(
    private readonly table: string,
    private readonly token: string | null,
    private readonly on: StreamHandlers,
    /** The last change that this page, or the one before a reload, was told. */
    private seq?: number,
    /** What this page shows of itself: that it is the table's screen, that it has the host's rights. */
    private readonly shown: { screen?: true; host?: string } = {},
  ) {
    this.open();
    addEventListener('online', this.again);
    addEventListener('offline', this.gone);
  }

  /** Resolves once the action is durable; rejects with a Refusal. Waits through cuts. */
  act(action: Action): Promise<void> {
    const id = `${this.mine}-${++this.count}`;
    return new Promise((done, fail) => {
      const text = JSON.stringify({ id, action });
      this.waiting.set(id, { text, done, fail });
      this.send(text);
    });
  }

  /** The view after these actions, everything unknown dealt at random: nothing but one's own view goes into it. */
  what(actions: Action[]): Promise<View> {
    const id = `w${++this.count}`;
    return new Promise((done, fail) => {
      if (!this.ready()) return fail(new Refusal('offline', 'not connected'));
      const text = JSON.stringify({ what: id, if: actions });
      this.asked.set(id, { text, done, fail });
      this.send(text);
    });
  }

  look(tilt: [number, number], lamp: string | null): void {
    this.send(JSON.stringify({ look: { tilt, lamp } }));
  }

  hold(hold: boolean): void {
    this.send(JSON.stringify({ hold }));
  }

  /** Shown to everybody at the table, or refused; nobody waits for it. */
  react(name: string): void {
    this.send(JSON.stringify({ react: name }));
  }

  /** Tries now, without waiting for its turn. */
  retry(): void {
    this.again();
  }

  close(): void {
    this.over = true;
    removeEventListener('online', this.again);
    removeEventListener('offline', this.gone);
    clearTimeout(this.timer);
    this.socket?.close();
    this.on.state('closed');
  }

  private readonly again = (): void => {
    if (this.over || this.ready()) return;
    this.tries = Math.min(this.tries, 1);
    this.open();
  };

  /** The device says that it has no network: an open socket would notice much later. */
  private readonly gone = (): void => {
    if (isLocal(this.table)) return;
    const socket = this.socket;
    this.socket = null;
    socket?.close();
    this.lost(pause(2));
  };

  /** A table on this device needs no network. */
  private reachable(): boolean {
    return navigator.onLine || isLocal(this.table);
  }

  private ready(): boolean {
    return this.socket?.ready ?? false;
  }

  private send(text: string): void {
    if (this.ready()) this.socket?.send(text);
  }

  private open(): void {
    clearTimeout(this.timer);
    if (!this.reachable() && this.tries > 0) return this.on.state('lost'); // `online` comes
    this.socket?.close();
    this.on.state(this.tries === 0 ? 'connecting' : 'lost');
    const opened = connect(this.table, {
      open: () => this.greet(opened),
      hear: (text) => {
        if (opened === this.socket) this.hear(JSON.parse(text) as Said);
      },
      lost: () => {
        if (opened === this.socket && !this.over) this.lost(pause(this.tries));
      },
      elsewhere: () => {
        if (opened === this.socket && !this.over) this.on.state('elsewhere');
      },
    });
    this.socket = opened;
  }

  private greet(socket: Socket): void {
    socket.send(
      JSON.stringify({
        hello: this.token,
        visit: true,
        seqs: true,
        ...(this.heard ? {} : { earlier: true }),
        ...this.shown,
        ...(this.seq === undefined ? {} : { from: this.seq }),
      }),
    );
    for (const w of this.waiting.values()) socket.send(w.text);
  }

  private lost(wait: number): void {
    this.tries++;
    for (const a of this.asked.values()) a.fail(new Refusal('offline', 'the connection was cut'));
    this.asked.clear();
    this.on.state('lost');
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), wait);
  }

  /** The server was too busy for it, so it was not done: it is sent again with the same id. Answers whether it is. */
  private sendLater(id: string): boolean {
    const w = this.waiting.get(id) ?? this.asked.get(id);
    if (w === undefined || (w.refused ?? 0) >= TRIES) return false;
    w.refused = (w.refused ?? 0) + 1;
    const socket = this.socket;
    void busy.wait(pause(w.refused)).then(() => {
      // A new connection has sent all that waits by itself.
      if (socket === this.socket && (this.waiting.has(id) || this.asked.has(id))) this.send(w.text);
    });
    return true;
  }

  private deny(refusal: Refusal): void {
    if (refusal.code !== 'forbidden') return;
    this.close();
    this.on.denied?.(refusal);
  }

  private hear(said: Said): void {
    if (said.what !== undefined) {
      this.asked.get(said.what)?.done(said.view as View);
      this.asked.delete(said.what);
    } else if (said.ack !== undefined) {
      this.waiting.get(said.ack)?.done();
      this.waiting.delete(said.ack);
    } else if (said.refused === null) {
      this.deny(new Refusal(said.code ?? 'refused', said.message ?? ''));
    } else if (said.refused !== undefined) {
      if (said.code === 'busy' && this.sendLater(said.refused)) return;
      const refusal = new Refusal(said.code ?? 'refused', said.message ?? '', 0, valuesOf(said));
      this.waiting.get(said.refused)?.fail(refusal);
      this.waiting.delete(said.refused);
      this.asked.get(said.refused)?.fail(refusal);
      this.asked.delete(said.refused);
    } else if (said.seats !== undefined) {
      this.on.seats(said.seats, said.screen ?? false);
    } else if (said.look !== undefined) {
      this.on.look?.(said.look);
    } else if (said.clock !== undefined) {
      this.on.clock?.(said.clock);
    } else if (said.react !== undefined) {
      this.on.react?.(said.react);
    } else if (said.reactions !== undefined) {
      this.on.reactions?.(said.reactions);
    } else if (said.kept !== undefined) {
      this.on.kept?.(said.kept);
    } else if (said.rematch !== undefined) {
      this.on.rematch?.(said.rematch);
    } else if (said.retry !== undefined) {
      this.lost(pause(0, said.retry));
    } else if (said.view !== undefined) {
      this.tries = 0;
      if (said.seq !== undefined && said.view !== null) this.seq = said.seq;
      if (said.visit !== undefined) this.on.visit?.(said.visit);
      this.on.state('open');
      this.heard ||= said.view !== null;
      this.on.change(said.seq ?? 0, said.view, said.events ?? [], said.earlier ?? [], said.seqs);
    }
  }
}

/** Eight random hex digits; randomUUID is not there on plain http, as in a living room. */
function token8(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), (b) =>
    b.toString(16).padStart(2, '0'),
  ).join('');
}
