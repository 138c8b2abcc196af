// Which input bytes a condition mentions, as 64 bits in two words: bit i for byte i. As long as a program has no more than 64
// input bytes this is exact, and slicing a path of some hundred conditions is a few loops over small integers, cheaper
// than keeping an index of positions up to date. Programs with more input have `isExact` false and use the index.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { grownInts } from "./growth.js";

const BYTES = 64;

export class ByteSignatures {
  isExact = true;
  /** By expression; both words 0: not asked yet, since a condition mentions something. */
  low = new Int32Array(1024);
  high = new Int32Array(1024);

  constructor(private readonly arena: ExprArena) {}

  get bytes(): number {
    return this.low.byteLength + this.high.byteLength;
  }

  /** Makes sure that both words are there. */
  learn(e: ExprRef): void {
    if (e < this.low.length && (this.low[e] | this.high[e]) !== 0) return;
    if (e >= this.low.length) {
      this.low = grownInts(this.low, this.arena.size);
      this.high = grownInts(this.high, this.arena.size);
    }
    const support = this.arena.support(e);
    let low = 0;
    let high = 0;
    for (let i = 0; i < support.length; i++) {
      const byte = support[i];
      if (byte >= BYTES) this.isExact = false;
      if ((byte & 32) === 0) low |= 1 << byte;
      else high |= 1 << byte;
    }
    this.low[e] = low;
    this.high[e] = high;
  }

  clear(): void {
    this.low = new Int32Array(1024);
    this.high = new Int32Array(1024);
  }
}
