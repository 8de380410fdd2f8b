// The see-through stack, drawn by the code that draws it at a server. The other side is src/wasm/ocean.c.

/** What lies in a stack, as the engine tells it (src/wasm/stack.c). Bytes are in hex. */
export interface Deal {
  secret: string;
  /** A byte a sheet, from the bottom: its kind, and how it lies. */
  sheets: string;
  /** The names of kinds. */
  kinds: string[];
  /** Which of the waters it is seen through. */
  water: number;
}

/** The stack of a round. */
export interface Stack extends Deal {
  /** So many sheets are left. */
  left: number;
  lamps: boolean;
  /** Where something covers it, in widths of the window. */
  cover: [number, number] | null;
}

export interface Creature {
  creature: string;
  x: number;
  y: number;
  r: number;
}

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  pack(n: number): number;
  open(): number;
  room(): number;
  deal(n: number, water: number): number;
  bake(left: number, lamps: number): number;
  cover(x: number, y: number): number;
  look(x: number, y: number, lamp: number): number;
  sheet(index: number): number;
  creatures(index: number): number;
  found(): number;
  scene(left: number, x: number, y: number, sharp: number): number;
  scene_bytes(): number;
  kernel(): number;
}

/** Pixels of a picture's side. */
export const SIZE = 640;
const KIND = 7;

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** What the device cannot do: it is said to the player, and the table stays as it is. */
export class NoPicture extends Error {}

export class Ocean {
  private readonly x: Exports;
  private dealt = '';
  private baked = '';
  private covered = '';

  /** `drawings`: the pack, not compressed (src/ocean/pack.h). */
  constructor(module: WebAssembly.Module, drawings: Uint8Array) {
    const never = (): never => {
      throw new Error('the ocean writes no files');
    };
    const instance = new WebAssembly.Instance(module, {
      page: {
        hash: never,
        panic: (_file: number, line: number): never => {
          throw new Error(`the ocean: line ${line}: this should never happen`);
        },
      },
      wasi_snapshot_preview1: { fd_close: never, fd_seek: never, fd_write: never },
    });
    this.x = instance.exports as object as Exports;
    this.x._initialize();
    const at = this.x.pack(drawings.length);
    if (at === 0) throw new NoPicture('no memory for the drawings');
    this.bytes(at, drawings.length).set(drawings);
    if (this.x.open() === 0) throw new NoPicture('these are no drawings');
  }

  /** How views are drawn: by vectors, or one pixel after the other. */
  get kernel(): string {
    const from = this.bytes(this.x.kernel(), 16);
    return new TextDecoder().decode(from.subarray(0, from.indexOf(0)));
  }

  /** All that this takes, in bytes. */
  get size(): number {
    return this.x.memory.buffer.byteLength;
  }

  private bytes(at: number, n: number): Uint8Array {
    return new Uint8Array(this.x.memory.buffer, at, n);
  }

  private deal({ secret, sheets, water }: Deal): void {
    const key = `${secret} ${sheets} ${water}`;
    if (key === this.dealt) return;
    [this.dealt, this.baked] = ['', ''];
    const bytes = bytesOf(secret + sheets);
    this.bytes(this.x.room(), bytes.length).set(bytes);
    if (this.x.deal(sheets.length / 2, water) === 0) throw new NoPicture('no such deal');
    this.dealt = key;
  }

  private show(stack: Stack): void {
    this.deal(stack);
    const baked = `${stack.left} ${stack.lamps}`;
    if (baked !== this.baked) {
      [this.baked, this.covered] = ['', ''];
      if (this.x.bake(stack.left, Number(stack.lamps)) === 0)
        throw new NoPicture('no memory for this stack');
      this.baked = baked;
    }
    const covered = stack.cover?.join() ?? '';
    if (covered !== this.covered) {
      const [x, y] = stack.cover ?? [-1, -1];
      if (this.x.cover(x, y) === 0) throw new NoPicture('no memory for what covers it');
      this.covered = covered;
    }
  }

  private picture(at: number, into?: ArrayBuffer): Uint8ClampedArray<ArrayBuffer> {
    if (at === 0) throw new NoPicture('no such picture');
    const pixels = new Uint8ClampedArray(into ?? new ArrayBuffer(4 * SIZE * SIZE));
    pixels.set(this.bytes(at, pixels.length));
    return pixels;
  }

  /** RGBA of a look: tilted by degrees, by daylight or a lamp such as above:0.25,0.5. `into`: memory of a picture that is seen no more. */
  look(
    stack: Stack,
    [x, y]: readonly [number, number],
    lamp: string | null,
    into?: ArrayBuffer,
  ): Uint8ClampedArray<ArrayBuffer> {
    this.show(stack);
    const text = new TextEncoder().encode(lamp ?? '');
    if (text.length > 48) throw new NoPicture('no such lamp');
    this.bytes(this.x.room(), text.length).set(text);
    return this.picture(this.x.look(x, y, text.length), into);
  }

  /** RGBA of one sheet alone, by its index from the bottom. */
  sheet(deal: Deal, index: number): Uint8ClampedArray<ArrayBuffer> {
    this.deal(deal);
    return this.picture(this.x.sheet(index));
  }

  /** What average eyes make of a stack, and sharp ones too if they are asked: bytes for the analysis. */
  scene(deal: Deal, left: number, cover: [number, number] | null, sharp: boolean): Uint8Array {
    this.deal(deal);
    const [x, y] = cover ?? [-1, -1];
    const at = this.x.scene(left, x, y, Number(sharp));
    if (at === 0) throw new NoPicture('no such stack, or no memory for it');
    return this.bytes(at, this.x.scene_bytes()).slice();
  }

  /** Where the creatures that count lie on a sheet. */
  creatures(deal: Deal, index: number): Creature[] {
    this.deal(deal);
    const n = this.x.creatures(index);
    const found = new Float32Array(this.x.memory.buffer, this.x.found(), 4 * n);
    const decimals = (v: number | undefined): number => Math.round((v ?? 0) * 1000) / 1000;
    return Array.from({ length: n }, (_, i) => ({
      creature: deal.kinds[(found[4 * i] ?? 0) & KIND] ?? '',
      x: decimals(found[4 * i + 1]),
      y: decimals(found[4 * i + 2]),
      r: decimals(found[4 * i + 3]),
    }));
  }
}
