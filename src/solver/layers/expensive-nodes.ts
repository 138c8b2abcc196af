// Which expressions contain an operation whose circuit shrinks much when an operand becomes constant: products, quotients,
// shifts by a variable amount, lookups, everything about floating-point numbers. One bit a node, made in the arena's order as the arena grows, so that asking costs
// nothing: operands come before results.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";

const FIRST_EXPENSIVE = OPS.mul.code;
const LAST_EXPENSIVE = OPS.srem.code;
const FIRST_SHIFT = OPS.shl.code;
const LAST_SHIFT = OPS.ashr.code;

export class ExpensiveNodes {
  private flags = new Uint8Array(1024);
  private known = 1;
  private generation: number;

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
  }

  has(e: ExprRef): boolean {
    if (e >= this.known || this.generation !== this.arena.generation) this.adopt();
    return this.flags[e] !== 0;
  }

  private adopt(): void {
    const { arena } = this;
    if (this.generation !== arena.generation) {
      this.generation = arena.generation;
      this.known = 1;
    }
    if (arena.size > this.flags.length) {
      const larger = new Uint8Array(arena.size * 2);
      larger.set(this.flags);
      this.flags = larger;
    }
    for (; this.known < arena.size; this.known++) this.flags[this.known] = this.derive(this.known as ExprRef);
  }

  private derive(e: ExprRef): number {
    const { arena, flags } = this;
    const op = arena.op(e);
    switch (op) {
      case OPS.constant.code:
      case OPS.variable.code:
        return 0;
      case OPS.lookup.code:
        return 1;
      case OPS.not.code:
      case OPS.neg.code:
      case OPS.extract.code:
      case OPS.zext.code:
      case OPS.sext.code:
        return flags[arena.a(e)];
      case OPS.ite.code:
        return flags[arena.a(e)] | flags[arena.b(e)] | flags[arena.c(e)];
      default:
        if (op >= FIRST_FLOAT_OP) return 1;
        if (op >= FIRST_EXPENSIVE && op <= LAST_EXPENSIVE) return 1;
        if (op >= FIRST_SHIFT && op <= LAST_SHIFT && !arena.isConstant(arena.b(e))) return 1;
        return flags[arena.a(e)] | flags[arena.b(e)];
    }
  }
}
