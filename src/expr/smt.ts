// Constraints as SMT-LIB 2 text (QF_BV, or QF_BVFP with floating-point operations, smt-float.ts): one constant a byte of input, one definition a node, in the arena's order, so
// the text is as long as the expression has nodes, however much they share. A node of width 1 is a Bool, which is what
// solvers like best; where a bit-vector is wanted it is converted. A table is a tree of choices by the bits of its index.
// Arrays, the alternative for tables, would leave QF_BV and with it the fast solvers.

import type { ExprArena, TableRef } from "./arena.js";
import { coneOf } from "./cone.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS, type OpInfo } from "./ops.js";
import { floatLines, lookedInto } from "./smt-float.js";

export interface SmtScript {
  /** Logic, declarations, definitions and assertions; the commands to check are the caller's. */
  readonly text: string;
  /** Indices of the input bytes declared, ascending; `smtByteName` gives their names. */
  readonly bytes: readonly number[];
}

const SMT_NAMES: (string | null)[] = [];
for (const info of Object.values(OPS) as OpInfo[]) SMT_NAMES[info.code] = info.smt;

/** The name of an input byte in the text. */
export function smtByteName(index: number): string {
  return `b${index}`;
}

export function printSmt(arena: ExprArena, constraints: readonly ExprRef[]): SmtScript {
  const bytes: number[] = [];
  const cone = coneOf(arena, constraints);
  const hasFloats = cone.some((node) => arena.op(node as ExprRef) >= FIRST_FLOAT_OP);
  const needBits = hasFloats ? lookedInto(arena, cone) : null;
  const lines = [hasFloats ? "(set-logic QF_BVFP)" : "(set-logic QF_BV)"];
  for (const node of cone) {
    const e = node as ExprRef;
    const op = arena.op(e);
    if (op === OPS.variable.code) {
      bytes.push(arena.payload(e));
      lines.push(`(declare-const ${smtByteName(arena.payload(e))} (_ BitVec 8))`);
    } else if (op >= FIRST_FLOAT_OP) {
      lines.push(...floatLines(arena, e, needBits?.has(node) === true, (x) => vector(arena, x)));
    } else if (op !== OPS.constant.code) {
      const sort = arena.width(e) === 1 ? "Bool" : `(_ BitVec ${arena.width(e)})`;
      lines.push(`(define-fun n${node} () ${sort} ${definition(arena, e, op)})`);
    }
  }
  for (const constraint of constraints) lines.push(`(assert ${truth(arena, constraint)})`);
  lines.push("");
  bytes.sort((x, y) => x - y);
  return { text: lines.join("\n"), bytes };
}

/** The node by name; a Bool if its width is 1. */
function name(arena: ExprArena, e: ExprRef): string {
  const op = arena.op(e);
  if (op === OPS.variable.code) return smtByteName(arena.payload(e));
  if (op !== OPS.constant.code) return `n${e}`;
  if (arena.width(e) === 1) return e === arena.TRUE ? "true" : "false";
  return constantText(arena.constantBigValue(e), arena.width(e));
}

function constantText(value: bigint, width: number): string {
  if (width % 4 === 0) return `#x${value.toString(16).padStart(width / 4, "0")}`;
  return `#b${value.toString(2).padStart(width, "0")}`;
}

function truth(arena: ExprArena, e: ExprRef): string {
  return name(arena, e);
}

/** The node as a bit-vector. */
function vector(arena: ExprArena, e: ExprRef): string {
  return arena.width(e) === 1 ? `(ite ${name(arena, e)} #b1 #b0)` : name(arena, e);
}

/** Text of a bit-vector of width 1 as a Bool. */
function toTruth(text: string, width: number): string {
  return width === 1 ? `(= ${text} #b1)` : text;
}

function definition(arena: ExprArena, e: ExprRef, op: number): string {
  const width = arena.width(e);
  const a = arena.a(e);
  const b = arena.b(e);
  switch (op) {
    case OPS.extract.code: {
      const low = arena.payload(e);
      return toTruth(`((_ extract ${low + width - 1} ${low}) ${vector(arena, a)})`, width);
    }
    case OPS.zext.code:
      return `((_ zero_extend ${width - arena.width(a)}) ${vector(arena, a)})`;
    case OPS.sext.code:
      return `((_ sign_extend ${width - arena.width(a)}) ${vector(arena, a)})`;
    case OPS.concat.code:
      return `(concat ${vector(arena, a)} ${vector(arena, b)})`;
    case OPS.ite.code:
      return `(ite ${truth(arena, a)} ${name(arena, b)} ${name(arena, arena.c(e))})`;
    case OPS.lookup.code:
      return lookupText(arena, arena.payload(e) as TableRef, a);
    case OPS.eq.code:
      return `(= ${name(arena, a)} ${name(arena, b)})`;
    case OPS.ult.code:
    case OPS.ule.code:
    case OPS.slt.code:
    case OPS.sle.code:
      return `(${SMT_NAMES[op]} ${vector(arena, a)} ${vector(arena, b)})`;
    case OPS.not.code:
      return width === 1 ? `(not ${truth(arena, a)})` : `(bvnot ${name(arena, a)})`;
    case OPS.neg.code:
      return toTruth(`(bvneg ${vector(arena, a)})`, width);
    default:
      if (width === 1 && op === OPS.and.code) return `(and ${truth(arena, a)} ${truth(arena, b)})`;
      if (width === 1 && op === OPS.or.code) return `(or ${truth(arena, a)} ${truth(arena, b)})`;
      return toTruth(`(${SMT_NAMES[op]} ${vector(arena, a)} ${vector(arena, b)})`, width);
  }
}

/** Choices by the bits of the index, the lowest first: neighbours are paired until one text is left. */
function lookupText(arena: ExprArena, table: TableRef, index: ExprRef): string {
  const entries = arena.tableEntries(table);
  const zero = name(arena, arena.zero(arena.width(entries[0] as ExprRef)));
  const indexText = vector(arena, index);
  const indexWidth = arena.width(index);
  let level = Array.from(entries, (entry) => name(arena, entry as ExprRef));
  let bits = 0;
  for (; level.length > 1 && bits < indexWidth; bits++) {
    const isSet = `(= ((_ extract ${bits} ${bits}) ${indexText}) #b1)`;
    const paired: string[] = [];
    for (let i = 0; i < level.length; i += 2) paired.push(choice(isSet, level[i + 1] ?? zero, level[i]));
    level = paired;
  }
  if (bits === indexWidth) return level[0];
  const rest = indexWidth - bits;
  const isInside = `(= ((_ extract ${indexWidth - 1} ${bits}) ${indexText}) ${constantText(0n, rest)})`;
  return choice(isInside, level[0], zero);
}

function choice(condition: string, then: string, otherwise: string): string {
  return then === otherwise ? then : `(ite ${condition} ${then} ${otherwise})`;
}
