// The negation of each condition, remembered by its index. The arena would find it again by rewriting and hashing; a
// branch that is not taken asks for it on every run, so it is worth four bytes a node.
//
// Invariant: of(of(e)) is e for every e that was asked for first.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { grownInts } from "./growth.js";

export class Negations {
  private known = new Int32Array(1024);

  constructor(private readonly arena: ExprArena) {}

  get bytes(): number {
    return this.known.byteLength;
  }

  of(e: ExprRef): ExprRef {
    if (e < this.known.length) {
      const negation = this.known[e];
      if (negation !== 0) return negation as ExprRef;
    }
    return this.make(e);
  }

  /** After the arena has moved its nodes. */
  clear(): void {
    this.known = new Int32Array(1024);
  }

  private make(e: ExprRef): ExprRef {
    const negation = this.arena.not(e);
    const size = this.arena.size;
    if (this.known.length < size) this.known = grownInts(this.known, size);
    this.known[e] = negation;
    if (this.known[negation] === 0) this.known[negation] = e;
    return negation;
  }
}
