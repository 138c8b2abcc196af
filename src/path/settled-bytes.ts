// The input bytes that a path leaves no choice of. Behind `if (c == 'x')` whatever depends on `c` alone is decided: a parser that looks at
// the same letter ten times more makes ten decisions whose other sides are infeasible. Nobody need ask, and nothing need
// wait to be asked.
//
// What a pin settles is left out: without the pin there may be another side, and that question is asked (unpinned-questions.ts).
//
// Invariant: every byte of the stack is settled by the conditions of decisions before the place it was put there at.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { grownBytes, grownInts } from "./growth.js";

export class SettledBytes {
  /** In the order in which they were settled, with the decision that did it. */
  private stack = new Int32Array(64);
  private decisions = new Int32Array(64);
  private count = 0;
  private isSettled = new Uint8Array(256);

  constructor(private readonly arena: ExprArena) {}

  /** A decision of the path, and what holds from there on. */
  learn(condition: ExprRef, decision: number): void {
    const { arena } = this;
    const op = arena.op(condition);
    if (op === OPS.eq.code) {
      const [a, b] = [arena.a(condition), arena.b(condition)];
      if (arena.isConstant(a)) this.settle(b, decision);
      else if (arena.isConstant(b)) this.settle(a, decision);
    } else if (op === OPS.and.code) {
      // Of width 1: both hold.
      this.learn(arena.a(condition), decision);
      this.learn(arena.b(condition), decision);
    }
  }

  /** The path is cut back to the decisions before this one. */
  rewind(decision: number): void {
    while (this.count > 0 && this.decisions[this.count - 1] >= decision) this.isSettled[this.stack[--this.count]] = 0;
  }

  /** Whether the expression has one value on this path. */
  decide(e: ExprRef): boolean {
    if (this.count === 0) return false;
    const { isSettled } = this;
    const support = this.arena.support(e);
    for (let i = 0; i < support.length; i++) {
      const byte = support[i];
      if (byte >= isSettled.length || isSettled[byte] === 0) return false;
    }
    return true;
  }

  /** The expression has one value: so have its operands, where the operation never makes the same of two different ones. */
  private settle(e: ExprRef, decision: number): void {
    const { arena } = this;
    switch (arena.op(e)) {
      case OPS.variable.code:
        this.push(arena.payload(e), decision);
        break;
      case OPS.zext.code:
      case OPS.sext.code:
      case OPS.not.code:
      case OPS.neg.code:
        this.settle(arena.a(e), decision);
        break;
      case OPS.concat.code:
        this.settle(arena.a(e), decision);
        this.settle(arena.b(e), decision);
        break;
      case OPS.add.code:
      case OPS.sub.code:
      case OPS.xor.code:
        if (arena.isConstant(arena.a(e))) this.settle(arena.b(e), decision);
        else if (arena.isConstant(arena.b(e))) this.settle(arena.a(e), decision);
        break;
      default:
    }
  }

  private push(byte: number, decision: number): void {
    if (byte >= this.isSettled.length) {
      this.isSettled = grownBytes(this.isSettled, byte + 1);
    }
    if (this.isSettled[byte] !== 0) return;
    if (this.count >= this.stack.length) {
      this.stack = grownInts(this.stack, 0);
      this.decisions = grownInts(this.decisions, 0);
    }
    this.isSettled[byte] = 1;
    this.stack[this.count] = byte;
    this.decisions[this.count++] = decision;
  }
}
