// The cone of some expressions: every node they are built of, in the arena's order, so that operands come first and a plain
// loop over the cone replaces recursion. Marks over the whole arena would cost its size for each small question, so the
// visited nodes are a set.

import { ARITY, type ExprArena, type TableRef } from "./arena.js";
import { type ExprRef, OPS } from "./ops.js";

/** Ascending indices of all nodes that the roots reach, the roots included. */
export function coneOf(arena: ExprArena, roots: ArrayLike<number>): Int32Array {
  const seen = new Set<number>();
  const pending: number[] = [];
  const visit = (node: number) => {
    if (seen.has(node)) return;
    seen.add(node);
    pending.push(node);
  };
  for (let i = 0; i < roots.length; i++) visit(roots[i]);
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visitOperands(arena, node as ExprRef, visit);
  }
  return Int32Array.from(seen).sort();
}

/** All that an expression is made of, the entries of its table among them. */
export function operandsOf(arena: ExprArena, e: ExprRef): ExprRef[] {
  const operands: ExprRef[] = [];
  visitOperands(arena, e, (operand) => operands.push(operand as ExprRef));
  return operands;
}

function visitOperands(arena: ExprArena, e: ExprRef, visit: (node: number) => void): void {
  const op = arena.op(e);
  const arity = ARITY[op];
  if (arity > 0) visit(arena.a(e));
  if (arity > 1) visit(arena.b(e));
  if (arity > 2) visit(arena.c(e));
  if (op === OPS.lookup.code) for (const entry of arena.tableEntries(arena.payload(e) as TableRef)) visit(entry);
}
