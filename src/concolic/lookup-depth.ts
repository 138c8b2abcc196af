// How deeply lookups are nested in an expression: a table indexed by what another lookup gave, and so on, as the state of a
// table-driven scanner is after so many symbolic characters. Each level multiplies what a solver must keep apart. One byte a
// node, made in the arena's order as the arena grows: operands come before results, and entries of tables before lookups.

import { ARITY, type ExprArena, type TableRef } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";

const DEEPEST = 255;

export class LookupDepth {
  private depths = new Uint8Array(1024);
  private known = 1;
  private generation: number;

  constructor(private readonly arena: ExprArena) {
    this.generation = arena.generation;
  }

  of(e: ExprRef): number {
    if (e >= this.known || this.generation !== this.arena.generation) this.adopt();
    return this.depths[e];
  }

  private adopt(): void {
    const { arena } = this;
    if (this.generation !== arena.generation) {
      this.generation = arena.generation;
      this.known = 1;
    }
    if (arena.size > this.depths.length) {
      const larger = new Uint8Array(arena.size * 2);
      larger.set(this.depths);
      this.depths = larger;
    }
    for (; this.known < arena.size; this.known++) this.depths[this.known] = this.derive(this.known as ExprRef);
  }

  private derive(e: ExprRef): number {
    const { arena, depths } = this;
    const op = arena.op(e);
    switch (op) {
      case OPS.constant.code:
      case OPS.variable.code:
        return 0;
      case OPS.lookup.code: {
        let depth = depths[arena.a(e)];
        for (const entry of arena.tableEntries(arena.payload(e) as TableRef)) {
          if (depths[entry] > depth) depth = depths[entry];
        }
        return Math.min(DEEPEST, depth + 1);
      }
      default: {
        let depth = depths[arena.a(e)];
        if (ARITY[op] > 1) depth = Math.max(depth, depths[arena.b(e)]);
        return ARITY[op] > 2 ? Math.max(depth, depths[arena.c(e)]) : depth;
      }
    }
  }
}
