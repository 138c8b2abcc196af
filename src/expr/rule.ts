// What a rewriting rule is: a name, the operation it rewrites, which operands it can match, and one function. The shape
// (operation of the first operand, whether the second is a constant) is data, not code, so that the dispatcher tries only
// rules that may match (rewrite.ts).
// A rule gives something smaller or more canonical, never the converse of another rule; else rewriting would not end.

import type { ExprArena } from "./arena.js";
import { CONCRETE, type ExprRef, type OpName } from "./ops.js";

/** A rule's answer when it does not match. */
export const NO_MATCH = CONCRETE;

/**
 * The operands as a node has them: (a, b) of binary operations; a and the lowest bit in c for an extract; (a, b, c) of an
 * ite; the index in a and the table in c for a lookup. `width` is that of the result.
 */
export type Apply = (e: ExprArena, a: ExprRef, b: ExprRef, c: ExprRef, width: number) => ExprRef;

export interface Rule {
  readonly name: string;
  readonly op: readonly OpName[];
  /** Operations of the first operand; any if left out. */
  readonly left?: readonly OpName[];
  /** Of the second operand; any if left out. */
  readonly right?: "constant" | "symbolic";
  /** The first operand has width 1; any width if left out. */
  readonly truth?: true;
  readonly apply: Apply;
}
