// Which expressions contain an operation whose circuit shrinks much when an operand becomes constant: products, quotients,
// shifts by a variable amount, lookups, everything about floating-point numbers. Two bits a node, made in the arena's order as the arena grows, so that asking costs
// nothing: operands come before results.

import { ARITY, type ExprArena } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";

const FIRST_EXPENSIVE = OPS.mul.code;
const LAST_EXPENSIVE = OPS.srem.code;
const FIRST_SHIFT = OPS.shl.code;
const LAST_SHIFT = OPS.ashr.code;

const EXPENSIVE = 1;
const FLOAT = 2;

export class ExpensiveNodes {
  private flags = new Uint8Array(1024);
  private known = 1;
  private generation: number;

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
  }

  has(e: ExprRef): boolean {
    return (this.flagsOf(e) & EXPENSIVE) !== 0;
  }

  /** Whether it contains an operation on floating-point numbers (outside of tables). */
  hasFloat(e: ExprRef): boolean {
    return (this.flagsOf(e) & FLOAT) !== 0;
  }

  private flagsOf(e: ExprRef): number {
    if (e >= this.known || this.generation !== this.arena.generation) this.adopt();
    return this.flags[e];
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
    const arity = ARITY[op];
    let flag = this.own(e, op);
    if (arity > 0) flag |= flags[arena.a(e)];
    if (arity > 1) flag |= flags[arena.b(e)];
    if (arity > 2) flag |= flags[arena.c(e)];
    return flag;
  }

  private own(e: ExprRef, op: number): number {
    if (op >= FIRST_FLOAT_OP) return EXPENSIVE | FLOAT;
    if (op === OPS.lookup.code || (op >= FIRST_EXPENSIVE && op <= LAST_EXPENSIVE)) return EXPENSIVE;
    return op >= FIRST_SHIFT && op <= LAST_SHIFT && !this.arena.isConstant(this.arena.b(e)) ? EXPENSIVE : 0;
  }
}
