// Expressions that leave their arena: a list of nodes in which operands come before their users, and leaves that are named input bytes
// instead of numbered variables. They can be written to a file, and made again in another arena, with anything in the place of the leaves:
// what one function needs of its input becomes a question about its caller's.
//
// A node is [operation, width, operands..., payload]: operands are indices of earlier nodes. Constants have their value in hexadecimal,
// variables the index of their leaf, `extract` its lowest bit, `fround` its mode, `lookup` the nodes of its table.

import type { ExprArena } from "./arena.js";
import { operandsOf } from "./cone.js";
import { type ExprRef, type FloatRounding, OPS, type OpName } from "./ops.js";
import type { TableRef } from "./tables.js";

/** A byte of an input object, by the names of inputs/input-value.ts. */
export interface PortableLeaf {
  readonly object: string;
  readonly occurrence: number;
  readonly offset: number;
}

/** Plain JSON. */
export interface PortableExprs {
  readonly leaves: readonly PortableLeaf[];
  readonly nodes: readonly PortableNode[];
  readonly roots: readonly number[];
}
export type PortableNode = readonly [op: OpName, width: number, ...rest: (number | string)[]];

/** A file was damaged, or somebody wrote it. */
export class DamagedExpressions extends Error {}

const NAMES = new Map<number, OpName>(Object.entries(OPS).map(([name, { code }]) => [code, name as OpName]));

export function exportExpressions(
  arena: ExprArena,
  roots: readonly ExprRef[],
  leafOf: (variable: number) => PortableLeaf,
): PortableExprs {
  const leaves: PortableLeaf[] = [];
  const nodes: PortableNode[] = [];
  const places = new Map<ExprRef, number>();
  const leafPlaces = new Map<number, number>();
  const placed = (e: ExprRef): number => places.get(e) as number;
  const nodeOf = (e: ExprRef): PortableNode => {
    const op = NAMES.get(arena.op(e)) as OpName;
    const width = arena.width(e);
    switch (op) {
      case "constant":
        return [op, width, arena.constantBigValue(e).toString(16)];
      case "variable": {
        const variable = arena.payload(e);
        let leaf = leafPlaces.get(variable);
        if (leaf === undefined) {
          leaf = leaves.push(leafOf(variable)) - 1;
          leafPlaces.set(variable, leaf);
        }
        return [op, width, leaf];
      }
      case "extract":
      case "fround":
        return [op, width, placed(arena.a(e)), arena.payload(e)];
      case "lookup":
        return [
          op,
          width,
          placed(arena.a(e)),
          ...[...arena.tableEntries(arena.payload(e) as TableRef)].map((n) => placed(n as ExprRef)),
        ];
      default:
        return [op, width, ...operandsOf(arena, e).map(placed)];
    }
  };
  // Operands first; no recursion, since paths nest as deep as programs loop.
  const work = [...roots];
  for (let e = work.at(-1); e !== undefined; e = work.at(-1)) {
    if (places.has(e)) {
      work.pop();
      continue;
    }
    const missing = operandsOf(arena, e).filter((operand) => !places.has(operand));
    if (missing.length > 0) {
      for (const operand of missing) work.push(operand);
      continue;
    }
    places.set(e, nodes.push(nodeOf(e)) - 1);
    work.pop();
  }
  return { leaves, nodes, roots: roots.map(placed) };
}

/** By root; null where a leaf that it needs has no expression (of 8 bits). Throws DamagedExpressions if it makes no sense. */
export function importExpressions(
  arena: ExprArena,
  { leaves, nodes, roots }: PortableExprs,
  expressionOf: (leaf: PortableLeaf) => ExprRef | null,
): readonly (ExprRef | null)[] {
  const made: (ExprRef | null)[] = [];
  const bound = new Map<number, ExprRef | null>();
  const leafAt = (index: number): ExprRef | null => {
    const known = bound.get(index);
    if (known !== undefined) return known;
    const leaf = leaves[index];
    if (leaf === undefined) throw new DamagedExpressions(`there is no leaf ${index}`);
    const expression = expressionOf(leaf);
    bound.set(index, expression);
    return expression;
  };
  try {
    for (const [op, width, ...rest] of nodes) {
      const at = (n: number): ExprRef | null => {
        const place = rest[n];
        if (typeof place !== "number" || !(place in made)) throw new DamagedExpressions(`node ${made.length} of ${op}`);
        return made[place];
      };
      made.push(nodeFrom(arena, op, width, rest, at, leafAt));
    }
  } catch (error) {
    if (error instanceof DamagedExpressions) throw error;
    throw new DamagedExpressions((error as Error).message);
  }
  return roots.map((root) => {
    if (!(root in made)) throw new DamagedExpressions(`there is no node ${root}`);
    return made[root];
  });
}

function nodeFrom(
  arena: ExprArena,
  op: OpName,
  width: number,
  rest: readonly (number | string)[],
  at: (n: number) => ExprRef | null,
  leafAt: (index: number) => ExprRef | null,
): ExprRef | null {
  const info = OPS[op];
  if (info === undefined) throw new DamagedExpressions(`there is no operation ${op}`);
  if (op === "constant") return arena.constantBig(width, BigInt(`0x${rest[0]}`));
  if (op === "variable") return leafAt(Number(rest[0]));
  const operands: ExprRef[] = [];
  for (let n = 0; n < info.arity; n++) {
    const operand = at(n);
    if (operand === null) return null;
    operands.push(operand);
  }
  const [a, b, c] = operands;
  switch (op) {
    case "extract":
      return arena.extract(a, Number(rest[1]), width);
    case "concat":
      return arena.concat(a, b);
    case "zext":
      return arena.zext(a, width);
    case "sext":
      return arena.sext(a, width);
    case "ite":
      return arena.ite(a, b, c);
    case "not":
    case "neg":
    case "fsqrt":
      return arena.unary(op, a);
    case "fround":
      return arena.fround(Number(rest[1]) as FloatRounding, a);
    case "fcvt":
    case "ftosi":
    case "ftoui":
    case "sitof":
    case "uitof":
      return arena.convert(op, width, a);
    case "ffma":
      return arena.ffma(a, b, c);
    case "lookup": {
      const entries: ExprRef[] = [];
      for (let n = 1; n < rest.length; n++) {
        const entry = at(n);
        if (entry === null) return null;
        entries.push(entry);
      }
      return arena.lookup(arena.table(entries), a);
    }
    default:
      return arena.binary(op, a, b);
  }
}
