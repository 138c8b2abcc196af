// An expression's operation on other operands: what replacing parts of expressions is made of.

import { ARITY, type ExprArena } from "./arena.js";
import { type ExprRef, type FloatRounding, OPS } from "./ops.js";

/** `e` is not a lookup. Operands that the operation does not have are ignored. */
export function withOperands(arena: ExprArena, e: ExprRef, a: ExprRef, b: ExprRef, c: ExprRef): ExprRef {
  const op = arena.op(e);
  switch (op) {
    case OPS.extract.code:
      return arena.extract(a, arena.payload(e), arena.width(e));
    case OPS.zext.code:
      return arena.zext(a, arena.width(e));
    case OPS.sext.code:
      return arena.sext(a, arena.width(e));
    case OPS.concat.code:
      return arena.concat(a, b);
    case OPS.ite.code:
      return arena.ite(a, b, c);
    case OPS.ffma.code:
      return arena.ffma(a, b, c);
    case OPS.fround.code:
      return arena.fround(arena.payload(e) as FloatRounding, a);
    default:
      if (op >= OPS.fcvt.code) return arena.convert(op, arena.width(e), a);
      return ARITY[op] === 1 ? arena.unary(op, a) : arena.binary(op, a, b);
  }
}
