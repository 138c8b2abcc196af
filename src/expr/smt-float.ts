// Floating-point operations as SMT-LIB 2 text. An operation that gives a number defines it (`f7`), as a term of the theory of
// floating point; where its bits are wanted they are a constant (`n7`) of which it is said that it stands for the number, since
// the standard has no way back from numbers to bits. A number that is none has many bits there, and one pattern here.

import type { ExprArena } from "./arena.js";
import { operandsOf } from "./cone.js";
import { type ExprRef, givesFloat, OPS, type OpInfo, takesFloats } from "./ops.js";

const SMT_NAMES: (string | null)[] = [];
for (const info of Object.values(OPS) as OpInfo[]) SMT_NAMES[info.code] = info.smt;

/** By mode of an fround. */
const MODES = ["RNE", "RTZ", "RTN", "RTP", "RNA"] as const;

/** How the caller writes nodes that are not floating-point numbers. */
export type VectorText = (e: ExprRef) => string;

const shape = (width: number): string => (width === 32 ? "8 24" : "11 53");
/** The bits of 2^exponent. */
const power = (width: number, exponent: number): string =>
  width === 32
    ? `#x${((127 + exponent) * 2 ** 23).toString(16).padStart(8, "0")}`
    : `#x${(BigInt(1023 + exponent) << 52n).toString(16).padStart(16, "0")}`;

/** Nodes that give a number and whose bits somebody looks at. */
export function lookedInto(arena: ExprArena, cone: Iterable<number>): ReadonlySet<number> {
  const found = new Set<number>();
  for (const node of cone as Iterable<ExprRef>) {
    if (takesFloats(arena.op(node))) continue;
    for (const operand of operandsOf(arena, node)) if (givesFloat(arena.op(operand))) found.add(operand);
  }
  return found;
}

/** Lines that define a node of a floating-point operation. */
export function floatLines(arena: ExprArena, e: ExprRef, needsBits: boolean, vector: VectorText): string[] {
  const op = arena.op(e);
  const width = arena.width(e);
  if (!givesFloat(op)) {
    const sort = width === 1 ? "Bool" : `(_ BitVec ${width})`;
    return [`(define-fun n${e} () ${sort} ${fromNumbers(arena, e, vector)})`];
  }
  const lines = [`(define-fun f${e} () (_ FloatingPoint ${shape(width)}) ${toNumber(arena, e, vector)})`];
  if (!needsBits) return lines;
  const none = width === 32 ? "#x7fc00000" : "#x7ff8000000000000";
  lines.push(`(declare-const n${e} (_ BitVec ${width}))`);
  lines.push(`(assert (= ((_ to_fp ${shape(width)}) n${e}) f${e}))`);
  lines.push(`(assert (=> (fp.isNaN f${e}) (= n${e} ${none})))`);
  return lines;
}

function number(arena: ExprArena, e: ExprRef, vector: VectorText): string {
  return givesFloat(arena.op(e)) ? `f${e}` : `((_ to_fp ${shape(arena.width(e))}) ${vector(e)})`;
}

function toNumber(arena: ExprArena, e: ExprRef, vector: VectorText): string {
  const op = arena.op(e);
  const a = arena.a(e);
  const format = shape(arena.width(e));
  const operands = () => operandsOf(arena, e).map((operand) => number(arena, operand, vector));
  switch (op) {
    case OPS.sitof.code:
      return `((_ to_fp ${format}) RNE ${vector(a)})`;
    case OPS.uitof.code:
      return `((_ to_fp_unsigned ${format}) RNE ${vector(a)})`;
    case OPS.fcvt.code:
      return `((_ to_fp ${format}) RNE ${number(arena, a, vector)})`;
    case OPS.fround.code:
      return `(fp.roundToIntegral ${MODES[arena.payload(e)]} ${number(arena, a, vector)})`;
    default:
      return `(${SMT_NAMES[op]} RNE ${operands().join(" ")})`;
  }
}

/** Comparisons and integers. What an integer does not hold is left open by the standard, not by us. */
function fromNumbers(arena: ExprArena, e: ExprRef, vector: VectorText): string {
  const op = arena.op(e);
  const width = arena.width(e);
  const a = arena.a(e);
  const x = number(arena, a, vector);
  if (op !== OPS.ftosi.code && op !== OPS.ftoui.code) {
    return `(${SMT_NAMES[op]} ${x} ${number(arena, arena.b(e), vector)})`;
  }
  const from = arena.width(a);
  const bound = (exponent: number): string => `((_ to_fp ${shape(from)}) ${power(from, exponent)})`;
  const smallest = `#x8${"0".repeat(width / 4 - 1)}`;
  const large =
    op === OPS.ftosi.code
      ? smallest
      : `(ite (and (fp.leq ${bound(63)} ${x}) (fp.lt ${x} ${bound(64)})) ((_ fp.to_ubv 64) RTZ ${x}) ${smallest})`;
  return `(ite (fp.lt (fp.abs ${x}) ${bound(width - 1)}) ((_ fp.to_sbv ${width}) RTZ ${x}) ${large})`;
}
