// A product with a power of two is its number above zeros. Compared with a constant, it is the number that the source speaks of: an index
// rather than the bytes before an element.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";

/** `d * 4 > 60` is `d > 15`. `isWhole`: the number is all of a named value. Null if neither side is such a product, or none a constant. */
export function unshifted(
  arena: ExprArena,
  isWhole: (number: ExprRef) => boolean,
  a: ExprRef,
  b: ExprRef,
  signed: boolean,
  orEqual: boolean,
): { readonly a: ExprRef; readonly b: ExprRef } | null {
  const isLeft = arena.isConstant(a);
  const [constant, whole] = isLeft ? [a, b] : [b, a];
  if (isLeft === arena.isConstant(b)) return null;
  const isWider = arena.op(whole) === OPS.sext.code || arena.op(whole) === OPS.zext.code;
  const product = isWider ? arena.a(whole) : whole;
  let low = product;
  while (arena.op(low) === OPS.concat.code) low = arena.b(low);
  if (low === product || !arena.isConstant(low) || arena.constantBigValue(low) !== 0n) return null;
  const zeros = arena.width(low);
  const high = arena.extract(product, zeros, arena.width(product) - zeros);
  // What a cut has left is another number.
  const isCut = arena.op(high) === OPS.extract.code || arena.op(high) === OPS.concat.code;
  if (isCut && !isWhole(high)) return null;
  const width = arena.width(whole) - zeros;
  const number = !isWider
    ? high
    : arena.op(whole) === OPS.sext.code
      ? arena.sext(high, width)
      : arena.zext(high, width);
  const given = arena.constantBigValue(constant);
  const value = signed ? BigInt.asIntN(arena.width(constant), given) : given;
  // The bound is rounded up where the number is to be at least that, or less.
  const isUp = isLeft === orEqual;
  const bound = (isUp ? value + (1n << BigInt(zeros)) - 1n : value) >> BigInt(zeros);
  if ((signed ? BigInt.asIntN(width, bound) : BigInt.asUintN(width, bound)) !== bound) return null;
  const made = arena.constantBig(width, BigInt.asUintN(width, bound));
  return isLeft ? { a: made, b: number } : { a: number, b: made };
}
