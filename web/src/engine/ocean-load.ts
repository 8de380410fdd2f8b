// The ocean's module and its drawings, for the Workers that need them.
import drawingsUrl from '$engine/drawings.bin?url';
import plainUrl from '$engine/ocean-plain.wasm?url';
import vectorsUrl from '$engine/ocean.wasm?url';
import { Ocean } from './ocean';

/** The smallest module with a vector in it: a browser without them does not take it. */
const VECTORS = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15,
  253, 98, 11,
]);

async function get(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok || answer.body === null) throw new Error(`${url}: ${answer.status}`);
  return answer;
}

async function drawings(): Promise<Uint8Array> {
  const packed = (await get(drawingsUrl)).body as ReadableStream<Uint8Array<ArrayBuffer>>;
  const plain = packed.pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

export async function loadOcean(): Promise<Ocean> {
  const url = WebAssembly.validate(VECTORS) ? vectorsUrl : plainUrl;
  const [code, pack] = await Promise.all([get(url).then((a) => a.arrayBuffer()), drawings()]);
  return new Ocean(await WebAssembly.compile(code), pack);
}
