// Memories of machines that nobody needs any more, for machines of other programs. A new one is reckoned by V8 as more than half a
// gigabyte outside of its heap, although hardly any of it is used, and it answers with a collection of everything: a campaign over a
// hundred programs made hundreds of them, and collecting took a quarter of its time (measured).
//
// Invariant: every byte of a memory in here is zero, as in a new one.

/** They hold on to the pages that their programs have touched. */
const MOST_KEPT = 4;

const spare: WebAssembly.Memory[] = [];

/** One of at least that size; null if there is none. */
export function takeSpareMemory(bytes: number): WebAssembly.Memory | null {
  const at = spare.findIndex(({ buffer }) => buffer.byteLength >= bytes);
  return at < 0 ? null : spare.splice(at, 1)[0];
}

/** It must be all zeros, and nothing may run in it any more. */
export function keepSpareMemory(memory: WebAssembly.Memory): void {
  if (spare.length < MOST_KEPT) spare.push(memory);
}

export function hasRoomForSpareMemory(): boolean {
  return spare.length < MOST_KEPT;
}
