// Who keeps a table: a server over HTTP and WebSocket, or this device, where the engine runs in a Worker. Both speak the same
// JSON; whoever asks need not know which it is. The engine is loaded when it is first needed.
import { patiently } from './busy.svelte';
import { isLocal, namesLocal } from './local';
import { isStatic } from './static';
import type { JsonObject } from './types';

export interface Answer {
  status: number;
  json: unknown;
}

/** What a stream is told of its connection. */
export interface SocketHandlers {
  open(): void;
  hear(text: string): void;
  /** It is closed, or could not be opened; not after close(). */
  lost(): void;
  /** Another tab of this device plays this table. */
  elsewhere?(): void;
}

export interface Socket {
  readonly ready: boolean;
  send(text: string): void;
  close(): void;
}

const local = (): Promise<typeof import('../engine/link')> => import('../engine/link');

export interface Request {
  method: string;
  path: string;
  body?: JsonObject | undefined;
  /** In place of a body: a record as it is. */
  record?: string;
  token?: string | undefined;
  /** To this device, although it names none of its tables. */
  here?: boolean;
  /** The answer is no JSON, unless it is a refusal. */
  text?: boolean;
  /** Stops it; then it rejects. */
  signal?: AbortSignal;
}

/** Rejects if nobody can be reached. */
export async function request({
  method,
  path,
  body,
  record,
  token,
  here,
  text,
  signal,
}: Request): Promise<Answer> {
  if (here === true || isStatic || namesLocal(path))
    return (await local()).link().request(method, path, body ?? null, token ?? null);
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
  // What is kept outlives the page that leaves.
  const init = {
    method,
    headers,
    keepalive: method === 'PUT',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(record === undefined ? {} : { body: record }),
    ...(signal === undefined ? {} : { signal }),
  };
  const answer = await patiently(() => fetch(path, init));
  const json = text === true && answer.ok ? answer.text() : answer.json().catch(() => null);
  return { status: answer.status, json: await json };
}

/** A connection to a table on this device. */
class LocalSocket implements Socket {
  ready = false;
  private closed = false;
  private end: { send(text: string): void; close(): void } | undefined;
  private release: (() => void) | undefined;

  constructor(
    private readonly table: string,
    private readonly on: SocketHandlers,
  ) {
    void this.open(table).catch(() => this.lost());
  }

  private async open(table: string): Promise<void> {
    const { link, tabs } = await local();
    if (await tabs.elsewhere(table)) return this.stop();
    this.release = tabs.hold(table, () => void this.stop());
    const end = await link().stream(
      table,
      (text) => this.on.hear(text),
      () => this.lost(),
    );
    if (this.closed) {
      this.release();
      return end.close();
    }
    this.end = end;
    this.ready = true;
    this.on.open();
  }

  private lost(): void {
    if (this.closed) return;
    this.close();
    this.on.lost();
  }

  /** Another tab plays the table: what is in memory here is soon not true any more. */
  private async stop(): Promise<void> {
    if (this.closed) return;
    this.close();
    (await local()).link().drop(this.table);
    this.on.elsewhere?.();
  }

  send(text: string): void {
    this.end?.send(text);
  }

  close(): void {
    this.closed = true;
    this.ready = false;
    this.release?.();
    this.end?.close();
  }
}

/** A connection to a table of the server. */
class ServerSocket implements Socket {
  private readonly socket: WebSocket;
  private closed = false;

  constructor(table: string, on: SocketHandlers) {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${table}/live`);
    this.socket.onopen = () => on.open();
    this.socket.onmessage = (m) => on.hear(String(m.data));
    this.socket.onclose = () => {
      if (!this.closed) on.lost();
    };
  }

  get ready(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  send(text: string): void {
    this.socket.send(text);
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }
}

export const connect = (table: string, on: SocketHandlers): Socket =>
  isStatic || isLocal(table) ? new LocalSocket(table, on) : new ServerSocket(table, on);
