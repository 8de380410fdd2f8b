// A module of src/wasm that reads and writes texts: they go both ways as UTF-8. What it asks of the page is answered here.
import { blake2b } from '@noble/hashes/blake2.js';
import type { RefusalKeys } from '../net/types';
import { read, reason, Unreadable, type Value } from './json';

/** What the engine refuses, with the keys that a server would send. */
export class Refused extends Error {
  constructor(readonly keys: RefusalKeys) {
    super(keys.code);
  }
}

/** What every such module exports. */
export interface Exports {
  memory: WebAssembly.Memory;
  malloc(n: number): number;
  free(at: number): void;
  json_array(): number;
  json_array_append_new(array: number, value: number): number;
  json_false(): number;
  json_integer(value: bigint): number;
  json_null(): number;
  json_object(): number;
  json_object_setn_new_nocheck(object: number, key: number, n: number, value: number): number;
  json_real(value: number): number;
  json_stringn_nocheck(text: number, n: number): number;
  json_true(): number;
  _initialize(): void;
  room(which: number, n: number): number;
  answer(): number;
}

export class Instance<X extends Exports> {
  protected readonly x: X;
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();

  constructor(module: WebAssembly.Module) {
    const never = (): never => {
      throw new Error('the engine writes no files');
    };
    const instance = new WebAssembly.Instance(module, {
      page: {
        json: (text: number, n: number, code: number) => this.json(text, n, code),
        hash: (out: number, spans: number, n: number) => this.hash(out, spans, n),
        now: () => performance.now() * 1000,
        panic: (file: number, line: number, what: number): never => {
          throw new Error(
            `${this.word(file)}:${line}: this should never happen: ${this.word(what)}`,
          );
        },
      },
      // wasi-libc's printf could write to a terminal: it is never asked to.
      wasi_snapshot_preview1: { fd_close: never, fd_seek: never, fd_write: never },
    });
    this.x = instance.exports as object as X;
    this.x._initialize();
  }

  /* ---- what the engine asks for ---- */

  protected bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.x.memory.buffer, at, n);
  }

  /** A text of C. */
  private word(at: number): string {
    return this.decoder.decode(
      this.bytes(at, new Uint8Array(this.x.memory.buffer).indexOf(0, at) - at),
    );
  }

  private hash(out: number, spans: number, n: number): void {
    const state = blake2b.create({ dkLen: 32 });
    const view = new DataView(this.x.memory.buffer);
    const length = new DataView(new ArrayBuffer(8));
    for (let i = 0; i < n; i++) {
      const bytes = view.getUint32(spans + 8 * i + 4, true);
      length.setUint32(0, bytes, true);
      state.update(new Uint8Array(length.buffer));
      state.update(this.bytes(view.getUint32(spans + 8 * i, true), bytes));
    }
    this.bytes(out, 32).set(state.digest());
  }

  private json(text: number, n: number, code: number): number {
    try {
      return this.value(read(this.bytes(text, n)));
    } catch (e) {
      const why = e instanceof Unreadable ? e.code : reason.syntax;
      new DataView(this.x.memory.buffer).setInt32(code, why, true);
      return 0;
    }
  }

  /** Calls with a text in the engine's memory. */
  private lend(text: string, use: (at: number, n: number) => number): number {
    const bytes = this.encoder.encode(text);
    const at = this.x.malloc(bytes.length + 1);
    this.bytes(at, bytes.length).set(bytes);
    const made = use(at, bytes.length);
    this.x.free(at);
    return made;
  }

  private value(v: Value): number {
    const x = this.x;
    if (typeof v === 'string') return this.lend(v, (at, n) => x.json_stringn_nocheck(at, n));
    if (typeof v === 'bigint') return x.json_integer(v);
    if (typeof v === 'number') return x.json_real(v);
    if (v === null) return x.json_null();
    if (typeof v === 'boolean') return v ? x.json_true() : x.json_false();
    if (Array.isArray(v)) {
      const array = x.json_array();
      for (const one of v) x.json_array_append_new(array, this.value(one));
      return array;
    }
    const object = x.json_object();
    for (const [key, one] of v) {
      const made = this.value(one);
      this.lend(key, (at, n) => x.json_object_setn_new_nocheck(object, at, n, made));
    }
    return object;
  }

  /* ---- what it is asked ---- */

  /** Writes a text into one of the engine's rooms; its length in bytes. */
  protected write(text: string, room = 0): number {
    const bytes = this.encoder.encode(text);
    this.bytes(this.x.room(room, bytes.length), bytes.length).set(bytes);
    return bytes.length;
  }

  /** The answer to a call by what the call returned. */
  protected said(n: number): string {
    const text = this.decoder.decode(this.bytes(this.x.answer(), Math.abs(n)));
    if (n < 0) throw new Refused(JSON.parse(text) as RefusalKeys);
    return text;
  }
}
