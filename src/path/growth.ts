// Growing typed arrays, keeping what is there: by doubling, large ones by half, because while one is copied both are in memory
// and the user's limit holds then too. Arrays that grew for a burst are not shrunk here; only their owner knows when the
// burst is over.

const LARGE = 1 << 19;

function grownLength(length: number, atLeast: number): number {
  return Math.max(atLeast, length < LARGE ? length * 2 : length + (length >> 1));
}

export function grownInts(array: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(grownLength(array.length, atLeast));
  grown.set(array);
  return grown;
}

export function grownBytes(array: Uint8Array, atLeast: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(grownLength(array.length, atLeast));
  grown.set(array);
  return grown;
}

export function grownDoubles(array: Float64Array, atLeast: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(grownLength(array.length, atLeast));
  grown.set(array);
  return grown;
}
