// Operations on floating-point numbers in C's words: `sqrt(x) * 2.0`, `(int)price`, `a < b`. What is no number makes every
// comparison false, so the opposite of one is written as such: `!(a < b)` is not `a >= b`.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS } from "../../expr/ops.js";
import { floatText } from "../../expr/print.js";
import { atom, castName, compound, type Operand, plain } from "./byte-names.js";

const INFIX: (string | undefined)[] = [];
for (const [name, sign] of Object.entries({
  ...{ fadd: "+", fsub: "-", fmul: "*", fdiv: "/", feq: "==", flt: "<", fle: "<=" },
})) {
  INFIX[OPS[name as keyof typeof OPS].code] = sign;
}
/** By mode of an fround. */
const ROUNDING = ["nearbyint", "trunc", "floor", "ceil", "round"] as const;

/** An operation on floating-point numbers; `operand` writes other expressions. */
export function floatWords(arena: ExprArena, e: ExprRef, operand: (x: ExprRef) => Operand): Operand {
  const op = arena.op(e);
  const width = arena.width(e);
  const a = arena.a(e);
  const number = (x: ExprRef): Operand => (arena.isConstant(x) ? plain(floatText(arena, x)) : operand(x));
  const call = (name: string, ...operands: ExprRef[]): Operand =>
    plain(`${name}(${operands.map((x) => number(x).text).join(", ")})`);
  const cast = (type: string, from: Operand): Operand => plain(`(${type})${atom(from)}`);
  const real = width === 32 ? "float" : "double";
  switch (op) {
    case OPS.fsqrt.code:
      return call("sqrt", a);
    case OPS.ffma.code:
      return call("fma", a, arena.b(e), arena.c(e));
    case OPS.fround.code:
      return call(ROUNDING[arena.payload(e)], a);
    case OPS.fcvt.code:
      return cast(real, number(a));
    case OPS.ftosi.code:
      return { ...cast(castName(width, true), number(a)), signed: true };
    case OPS.ftoui.code:
      return cast(castName(width, false), number(a));
    case OPS.sitof.code:
    case OPS.uitof.code: {
      const integer = operand(a);
      const signed = op === OPS.sitof.code;
      // A sign that C would not see must be written.
      if (integer.signed === signed || arena.width(a) === 1) return cast(real, integer);
      return cast(real, cast(castName(arena.width(a), signed), integer));
    }
    default:
      return compound(`${atom(number(a))} ${INFIX[op]} ${atom(number(arena.b(e)))}`);
  }
}

/** A comparison, or that it fails; null if it is none. A constant goes to the right. */
export function floatCondition(
  arena: ExprArena,
  e: ExprRef,
  negated: boolean,
  operand: (x: ExprRef) => Operand,
): string | null {
  const op = arena.op(e);
  if (op !== OPS.feq.code && op !== OPS.flt.code && op !== OPS.fle.code) return null;
  const turned = arena.isConstant(arena.a(e));
  const [a, b] = [arena.a(e), arena.b(e)].map((x) => (arena.isConstant(x) ? plain(floatText(arena, x)) : operand(x)));
  const [left, right] = turned ? [b, a] : [a, b];
  if (op === OPS.feq.code) {
    if (left.text === right.text) return `${negated ? "" : "!"}isnan(${left.text})`;
    return `${atom(left)} ${negated ? "!=" : "=="} ${atom(right)}`;
  }
  const sign = op === OPS.flt.code ? (turned ? ">" : "<") : turned ? ">=" : "<=";
  const text = `${atom(left)} ${sign} ${atom(right)}`;
  return negated ? `!(${text})` : text;
}

const INTEGRAL: ReadonlySet<number> = new Set(
  [OPS.feq, OPS.flt, OPS.fle, OPS.ftosi, OPS.ftoui].map(({ code }) => code),
);

/** A constant that the bits of a computed number are compared with, as a number; null if `e` computes none. */
export function floatConstant(arena: ExprArena, e: ExprRef, constant: ExprRef): string | null {
  const op = arena.op(e);
  return op >= FIRST_FLOAT_OP && !INTEGRAL.has(op) ? floatText(arena, constant) : null;
}
