// What a program under test wants printed: klee_print_expr and klee_warning, as lines of text. A loop around them must not
// drown the rest, and a warning that every path says is said once.

import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { printExpr } from "../expr/print.js";
import type { Exploration } from "../techniques/explore.js";

const MOST_PRINTED = 1000;
/** klee_warning: there is no value (runtime/symbolic/klee-print.c). */
const TEXT_ONLY = -1;

export class DescribedValues {
  private printed = 0;
  private readonly warnings = new Set<string>();

  constructor(
    private readonly exploration: () => Exploration,
    private readonly print: (text: string) => void,
  ) {}

  describe(message: string, expression: ExprRef, low: number, high: number): void {
    if (expression === TEXT_ONLY) {
      if (!this.warnings.has(message)) this.print(`warning: ${message}\n`);
      this.warnings.add(message);
    } else if (this.printed++ < MOST_PRINTED) this.print(`${message}: ${this.valueOf(expression, low, high)}\n`);
  }

  private valueOf(expression: ExprRef, low: number, high: number): string {
    const value = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
    if (expression === CONCRETE) return `${value}`;
    const { arena, space } = this.exploration().executor;
    return `${printExpr(arena, expression, (index) => space.nameOf(index))}, ${value} on this path`;
  }
}
