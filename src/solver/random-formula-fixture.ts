// Random expressions for tests: any width, every operation, few input bytes, so that brute force or evaluation can judge.

import type { ExprArena } from "../expr/arena.js";
import { type BinaryName, type ExprRef, FIRST_FLOAT_OP, OPS } from "../expr/ops.js";
import type { Random } from "../support/random.js";

const ARITHMETIC: readonly BinaryName[] = [
  "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "and", "or", "xor", "shl", "lshr", "ashr",
]; // biome-ignore format: a list
const CHEAP: readonly BinaryName[] = ["add", "sub", "and", "or", "xor", "shl", "lshr", "ashr"];
const COMPARISONS: readonly BinaryName[] = ["eq", "ult", "ule", "slt", "sle"];

export interface FormulaShape {
  readonly bytes: number;
  /** Multiplication and division make hard formulas at large widths. */
  readonly hard: boolean;
}

export class RandomFormulas {
  constructor(
    private readonly arena: ExprArena,
    private readonly random: Random,
    private readonly shape: FormulaShape,
  ) {}

  below(limit: number): number {
    return this.random.next() % limit;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }

  constant(width: number): ExprRef {
    let value = 0n;
    for (let bits = 0; bits < width; bits += 32) value = (value << 32n) | BigInt(this.random.next());
    // Small constants and ones near the ends meet the edge cases.
    const kind = this.below(4);
    if (kind === 0) value = BigInt(this.below(4));
    if (kind === 1) value = (1n << BigInt(width)) - 1n - BigInt(this.below(4));
    return this.arena.constantBig(width, BigInt.asUintN(width, value));
  }

  /** A word of `width` bits of input bytes, extended or cut. */
  leaf(width: number): ExprRef {
    const { arena } = this;
    let word = arena.variable(this.below(this.shape.bytes));
    while (arena.width(word) < width && this.below(3) > 0) {
      word = arena.concat(arena.variable(this.below(this.shape.bytes)), word);
    }
    return this.fit(word, width);
  }

  fit(e: ExprRef, width: number): ExprRef {
    const { arena } = this;
    const from = arena.width(e);
    if (from === width) return e;
    if (from > width) return arena.extract(e, this.below(from - width + 1), width);
    return this.below(2) === 0 ? arena.zext(e, width) : arena.sext(e, width);
  }

  /** An expression of `width` bits with about `size` operations. */
  word(width: number, size: number): ExprRef {
    const { arena } = this;
    if (size <= 0) return this.below(4) === 0 ? this.constant(width) : this.leaf(width);
    const half = size >> 1;
    switch (this.below(10)) {
      case 0:
        return arena.unary(this.below(2) === 0 ? "not" : "neg", this.word(width, size - 1));
      case 1:
        return this.fit(this.word(1 + this.below(width + 8), size - 1), width);
      case 2: {
        if (width < 2) return this.condition(size - 1);
        const low = 1 + this.below(width - 1);
        return arena.concat(this.word(width - low, half), this.word(low, half));
      }
      case 3:
        return arena.ite(this.condition(half), this.word(width, half), this.word(width, half));
      case 4: {
        const entries: ExprRef[] = [];
        const count = 1 + this.below(9);
        for (let i = 0; i < count; i++) entries.push(this.below(3) > 0 ? this.constant(width) : this.leaf(width));
        return arena.lookup(arena.table(entries), this.word(1 + this.below(6), half));
      }
      default: {
        const op = this.pick(this.shape.hard || width <= 6 ? ARITHMETIC : CHEAP);
        return arena.binary(op, this.word(width, half), this.word(width, half));
      }
    }
  }

  /** A condition with about `size` operations, on words of up to `maxWidth` bits. */
  condition(size: number, maxWidth = 16): ExprRef {
    const { arena } = this;
    if (size > 2 && this.below(5) === 0) {
      const op = this.pick<"and" | "or" | "xor">(["and", "or", "xor"]);
      return arena.binary(op, this.condition(size >> 1, maxWidth), this.condition(size >> 1, maxWidth));
    }
    const width = 1 + this.below(maxWidth);
    const result = arena.binary(this.pick(COMPARISONS), this.word(width, size - 1), this.word(width, size >> 1));
    return this.below(3) === 0 ? arena.not(result) : result;
  }
}

/** Whether every operation of the table occurs below the given roots: what a random test must have met. */
export function operationsBelow(arena: ExprArena): Set<number> {
  const met = new Set<number>();
  for (let e = 1; e < arena.size; e++) met.add(arena.op(e as ExprRef));
  return met;
}

/** All but those on floating-point numbers (random-float-fixture.ts). */
export const ALL_OPERATIONS: readonly number[] = Object.values(OPS)
  .map(({ code }) => code as number)
  .filter((code) => code < FIRST_FLOAT_OP);
