// Whether a model satisfies constraints, by a meaning of the operations that shares nothing with the evaluator, the
// rewriting or the solver: the reference of the tests (src/expr/reference.ts), in BigInt, node by node. Slow, so only for
// models of queries that were picked to be checked.

import { ARITY, type ExprArena, type TableRef } from "../../src/expr/arena.js";
import { coneOf } from "../../src/expr/cone.js";
import { type ExprRef, OPS, type OpName } from "../../src/expr/ops.js";
import { referenceValues, type Step } from "../../src/expr/reference.js";

const NAMES: OpName[] = [];
for (const [name, { code }] of Object.entries(OPS)) NAMES[code] = name as OpName;

/** Positions of the constraints that do not hold under the model. */
export function violated(arena: ExprArena, constraints: readonly ExprRef[], model: Uint8Array): number[] {
  const positions = new Map<number, number>();
  const steps: Step[] = [];
  for (const node of coneOf(arena, constraints)) {
    positions.set(node, steps.length);
    steps.push(stepOf(arena, node as ExprRef, positions));
  }
  const values = referenceValues(steps, model);
  return constraints.flatMap((constraint, i) => (values[positions.get(constraint) ?? -1] === 1n ? [] : [i]));
}

function stepOf(arena: ExprArena, e: ExprRef, positions: ReadonlyMap<number, number>): Step {
  const op = arena.op(e);
  const operands: number[] = [];
  const add = (node: number): void => {
    operands.push(positions.get(node) ?? -1);
  };
  const arity = ARITY[op];
  if (arity > 0) add(arena.a(e));
  if (arity > 1) add(arena.b(e));
  if (arity > 2) add(arena.c(e));
  let payload = 0n;
  if (op === OPS.lookup.code) for (const entry of arena.tableEntries(arena.payload(e) as TableRef)) add(entry);
  else if (op === OPS.constant.code) payload = arena.constantBigValue(e);
  else if (op === OPS.variable.code || op === OPS.extract.code || op === OPS.fround.code)
    payload = BigInt(arena.payload(e));
  return { op: NAMES[op], width: arena.width(e), operands, payload };
}
