// Growing typed arrays: doubling, keeping what is there. Below the doubling stands a choice: arrays that grew for a
// burst are not shrunk here, because only their owner knows when the burst is over.

export function grownInts(array: Int32Array, atLeast: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(Math.max(atLeast, array.length * 2));
  grown.set(array);
  return grown;
}

export function grownBytes(array: Uint8Array, atLeast: number): Uint8Array<ArrayBuffer> {
  const grown = new Uint8Array(Math.max(atLeast, array.length * 2));
  grown.set(array);
  return grown;
}

export function grownDoubles(array: Float64Array, atLeast: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.max(atLeast, array.length * 2));
  grown.set(array);
  return grown;
}
