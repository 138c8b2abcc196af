// Floating point in words of the source: `x * 2.0 < 1.5`, `!(a <= b)`, `sqrt(x) == 2.0`. A comparison that fails is not its opposite,
// since a NaN fails both: it is written with a `!`.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, FLOAT_ROUNDING, OPS } from "../../expr/ops.js";
import { atom, castName, compound, type Operand, plain } from "./byte-names.js";
import { floatText } from "./scalar-words.js";

const INFIX = new Map<number, string>([
  [OPS.fadd.code, "+"],
  [OPS.fsub.code, "-"],
  [OPS.fmul.code, "*"],
  [OPS.fdiv.code, "/"],
  [OPS.feq.code, "=="],
  [OPS.flt.code, "<"],
  [OPS.fle.code, "<="],
]);
const ROUNDINGS = new Map<number, string>([
  [FLOAT_ROUNDING.nearestEven, "rint"],
  [FLOAT_ROUNDING.towardZero, "trunc"],
  [FLOAT_ROUNDING.down, "floor"],
  [FLOAT_ROUNDING.up, "ceil"],
  [FLOAT_ROUNDING.nearestAway, "round"],
]);

/** `operand` writes what is no floating-point operation itself. */
type Write = (e: ExprRef) => Operand;

/** A comparison, or that it fails; null if it is none. */
export function floatCondition(arena: ExprArena, e: ExprRef, negated: boolean, operand: Write): string | null {
  const op = arena.op(e);
  if (op !== OPS.feq.code && op !== OPS.flt.code && op !== OPS.fle.code) return null;
  const [a, b] = [floatOperand(arena, arena.a(e), operand), floatOperand(arena, arena.b(e), operand)];
  if (op === OPS.feq.code) {
    if (a.text === b.text) return negated ? `isnan(${a.text})` : `!isnan(${a.text})`;
    return `${atom(a)} ${negated ? "!=" : "=="} ${atom(b)}`;
  }
  // A constant goes to the right.
  const turned = arena.isConstant(arena.a(e));
  const sign = op === OPS.flt.code ? (turned ? ">" : "<") : turned ? ">=" : "<=";
  const text = turned ? `${atom(b)} ${sign} ${atom(a)}` : `${atom(a)} ${sign} ${atom(b)}`;
  return negated ? `!(${text})` : text;
}

/** A value that an operation on floats gives; null if it is none. */
export function floatWords(arena: ExprArena, e: ExprRef, operand: Write): Operand | null {
  const op = arena.op(e);
  const number = (x: ExprRef): Operand => floatOperand(arena, x, operand);
  const sign = INFIX.get(op);
  if (sign !== undefined)
    return { ...compound(`${atom(number(arena.a(e)))} ${sign} ${atom(number(arena.b(e)))}`), signed: true };
  switch (op) {
    case OPS.fsqrt.code:
      return plain(`sqrt(${number(arena.a(e)).text})`);
    case OPS.fround.code:
      return plain(`${ROUNDINGS.get(arena.payload(e))}(${number(arena.a(e)).text})`);
    case OPS.ffma.code:
      return plain(`fma(${[arena.a(e), arena.b(e), arena.c(e)].map((x) => number(x).text).join(", ")})`);
    case OPS.fcvt.code:
      return plain(`(${arena.width(e) === 32 ? "float" : "double"})${atom(number(arena.a(e)))}`);
    case OPS.ftosi.code:
    case OPS.ftoui.code: {
      const signed = op === OPS.ftosi.code;
      return { ...plain(`(${castName(arena.width(e), signed)})${atom(number(arena.a(e)))}`), signed };
    }
    case OPS.sitof.code:
    case OPS.uitof.code:
      return plain(`(${arena.width(e) === 32 ? "float" : "double"})${atom(operand(arena.a(e)))}`);
    default:
      return null;
  }
}

function floatOperand(arena: ExprArena, e: ExprRef, operand: Write): Operand {
  if (!arena.isConstant(e)) return operand(e);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, arena.constantBigValue(e));
  return plain(floatText(arena.width(e) === 32 ? view.getFloat32(4) : view.getFloat64(0)));
}
