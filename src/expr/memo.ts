// What requests for expressions came to: (operation and width, operand, operand or payload) → result. Direct-mapped: a
// request overwrites whatever was in its place, so it never grows beyond its size and a hit costs four loads. It only
// saves time; what it has forgotten is rewritten again.

import { CONCRETE, type ExprRef } from "./ops.js";

const FIRST_BITS = 12;
/** 16 MiB; it is that large only beside an arena of a million nodes, which takes a hundred. */
const LAST_BITS = 20;

export class Memo {
  /** Four words an entry. */
  private entries = new Int32Array(4 << FIRST_BITS);
  private shift = 32 - FIRST_BITS;

  get memory(): number {
    return this.entries.byteLength;
  }

  get(key: number, a: number, b: number): ExprRef {
    const { entries } = this;
    const at = place(key, a, b, this.shift);
    return (
      entries[at] === key && entries[at + 1] === a && entries[at + 2] === b ? entries[at + 3] : CONCRETE
    ) as ExprRef;
  }

  put(key: number, a: number, b: number, result: ExprRef): void {
    const { entries } = this;
    const at = place(key, a, b, this.shift);
    entries[at] = key;
    entries[at + 1] = a;
    entries[at + 2] = b;
    entries[at + 3] = result;
  }

  /** As many entries as there may be nodes, within limits. Forgets everything if that is a new size. */
  fit(nodes: number): void {
    const bits = Math.min(LAST_BITS, Math.max(FIRST_BITS, 31 - Math.clz32(nodes)));
    if (bits === 32 - this.shift) return;
    this.entries = new Int32Array(4 << bits);
    this.shift = 32 - bits;
  }

  clear(): void {
    this.entries.fill(0);
  }
}

/** The index of the first of an entry's four words. */
function place(key: number, a: number, b: number, shift: number): number {
  const hash = Math.imul(key, 0x9e37_79b1) ^ Math.imul(a, 0x85eb_ca6b) ^ Math.imul(b, 0xc2b2_ae35);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d) >>> shift) << 2;
}
