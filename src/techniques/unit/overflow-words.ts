// Sums of signed numbers that are compared with a constant, where only an overflow can make them so. `len - 9 >= 0` holds of numbers above
// 8, and of the least ones there are, from which nothing can be taken. To a reader it means the first; if the other conditions say that
// `len` is at most 8, it is the second that is meant, and this is said.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import { atom, type ByteNames } from "./byte-names.js";
import { numberText } from "./scalar-words.js";

interface Bounds {
  least: bigint;
  most: bigint;
}

export class OverflowWords {
  /** By the input bytes of a number. */
  private readonly bounds = new Map<string, Bounds>();

  constructor(
    private readonly arena: ExprArena,
    private readonly names: ByteNames,
  ) {}

  /** A condition that holds besides; those that compare a number with a constant say something. */
  learn(condition: ExprRef): void {
    const { arena } = this;
    const isNot = arena.op(condition) === OPS.not.code;
    const e = isNot ? arena.a(condition) : condition;
    const op = arena.op(e);
    const [a, b] = [arena.a(e), arena.b(e)];
    if (op === OPS.extract.code) {
      // The sign.
      if (arena.width(e) !== 1 || arena.payload(e) !== arena.width(a) - 1) return;
      if (isNot) this.bound(a, 0n, null);
      else this.bound(a, null, -1n);
    } else if (op === OPS.slt.code || op === OPS.sle.code) {
      const isLeft = arena.isConstant(a);
      if (!isLeft && !arena.isConstant(b)) return;
      const value = this.valueOf(isLeft ? a : b);
      const step = (op === OPS.slt.code) !== isNot ? 1n : 0n;
      if (isLeft !== isNot) this.bound(isLeft ? b : a, value + step, null);
      else this.bound(isLeft ? b : a, null, value - step);
    }
  }

  /** A sum that is at least, or at most, so much; null if it can be so without an overflow, or is no sum with a constant. */
  of(sum: ExprRef, direction: "at least" | "at most", value: bigint): string | null {
    const { arena } = this;
    const isLeast = direction === "at least";
    if (arena.op(sum) !== OPS.add.code || !arena.isConstant(arena.b(sum))) return null;
    const number = arena.a(sum);
    const added = this.valueOf(arena.b(sum));
    const run = this.names.runOf(number);
    const bounds = this.bounds.get(this.keyOf(number) ?? "");
    if (run === null || bounds === undefined || added < 0n !== isLeast) return null;
    const operand = this.names.named(run.first, run.count);
    if (operand.type === null || !operand.signed) return null;
    const end = value - added;
    if (isLeast ? bounds.most >= end : bounds.least <= end) return null;
    const text = atom(operand);
    const size = numberText(null, added < 0n ? -added : added, arena.width(sum));
    return isLeast ? `${text} < 0 (${text} - ${size} overflows)` : `${text} > 0 (${text} + ${size} overflows)`;
  }

  /** `constant < sum`, or `sum < constant`. */
  ofOrder(a: ExprRef, b: ExprRef, orEqual: boolean): string | null {
    const step = orEqual ? 0n : 1n;
    if (this.arena.isConstant(a)) return this.of(b, "at least", this.valueOf(a) + step);
    return this.arena.isConstant(b) ? this.of(a, "at most", this.valueOf(b) - step) : null;
  }

  private bound(whole: ExprRef, least: bigint | null, most: bigint | null): void {
    const { arena } = this;
    // The same number in a wider type.
    const number = arena.op(whole) === OPS.sext.code ? arena.a(whole) : whole;
    const key = this.keyOf(number);
    if (key === null) return;
    const half = 1n << BigInt(arena.width(number) - 1);
    const known = this.bounds.get(key) ?? { least: -half, most: half - 1n };
    if (least !== null && least > known.least) known.least = least;
    if (most !== null && most < known.most) known.most = most;
    this.bounds.set(key, known);
  }

  private keyOf(number: ExprRef): string | null {
    const run = this.names.runOf(number);
    return run === null ? null : `${run.first} ${run.count}`;
  }

  private valueOf(constant: ExprRef): bigint {
    return BigInt.asIntN(this.arena.width(constant), this.arena.constantBigValue(constant));
  }
}
