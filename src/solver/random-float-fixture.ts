// Random conditions on floating-point numbers for tests: every operation, on words of input bytes and on constants that are
// at the ends of something. Products, quotients and roots of 64 bits are rare, since any solver takes long over them.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef, FloatBinaryName, FloatRounding } from "../expr/ops.js";
import { randomFloat } from "../expr/reference-shapes-float.js";
import type { Random } from "../support/random.js";

const COMPARISONS: readonly FloatBinaryName[] = ["feq", "flt", "flt", "fle"];

export class RandomFloats {
  constructor(
    private readonly arena: ExprArena,
    private readonly random: Random,
    /** Words of 8 input bytes; a number of 32 bits is the low half of one. */
    private readonly words: number,
  ) {}

  below(limit: number): number {
    return this.random.next() % limit;
  }

  constant(width: number): ExprRef {
    return this.arena.constantBig(width, BigInt.asUintN(width, randomFloat(this.random, width)));
  }

  word(width: number): ExprRef {
    const { arena } = this;
    const first = 8 * this.below(this.words);
    let word = arena.variable(first);
    for (let i = 1; i < width / 8; i++) word = arena.concat(arena.variable(first + i), word);
    return word;
  }

  private integer(size: number): ExprRef {
    const { arena } = this;
    const width = [8, 16, 32, 64][this.below(4)];
    if (size <= 0 || this.below(3) === 0) return this.word(width);
    return arena.convert(this.below(3) === 0 ? "ftoui" : "ftosi", width, this.float(this.width(), size - 1));
  }

  /** Mostly 32 bits. */
  width(): number {
    return this.below(3) === 0 ? 64 : 32;
  }

  /** With about `size` operations. */
  float(width: number, size: number): ExprRef {
    const { arena } = this;
    if (size <= 0) {
      const kind = this.below(8);
      if (kind < 2) return this.constant(width);
      return kind === 2 ? arena.convert("sitof", width, this.integer(0)) : this.word(width);
    }
    const half = (size - 1) >> 1;
    const other = (): ExprRef => this.float(width, half);
    const rare = width === 64 && this.below(4) > 0;
    switch (this.below(14)) {
      case 0:
      case 1:
      case 2:
        return arena.binary("fadd", other(), other());
      case 3:
        return arena.binary("fsub", other(), other());
      case 4:
      case 5:
        return arena.binary(rare ? "fadd" : "fmul", other(), other());
      case 6:
        return arena.binary(rare ? "fsub" : "fdiv", other(), other());
      case 7:
        return rare ? other() : arena.unary("fsqrt", this.float(width, size - 1));
      case 8:
        return rare || this.below(2) === 0 ? other() : arena.ffma(other(), other(), other());
      case 9:
        return arena.fround(this.below(5) as FloatRounding, this.float(width, size - 1));
      case 10:
        return arena.convert("fcvt", width, this.float(96 - width, size - 1));
      case 11:
        return arena.convert(this.below(2) === 0 ? "sitof" : "uitof", width, this.integer(size - 1));
      case 12: {
        // The sign, flipped or cleared, is a matter of bits.
        const sign = arena.constantBig(width, 1n << BigInt(width - 1));
        const x = this.float(width, size - 1);
        return this.below(2) === 0 ? arena.binary("xor", x, sign) : arena.binary("and", x, arena.not(sign));
      }
      default:
        return arena.ite(this.condition(half), other(), other());
    }
  }

  condition(size: number): ExprRef {
    const { arena } = this;
    const width = this.width();
    const half = size >> 1;
    let result: ExprRef;
    switch (this.below(10)) {
      case 0:
        result = arena.binary(
          "eq",
          this.float(width, size),
          this.below(2) === 0 ? this.constant(width) : this.word(width),
        );
        break;
      case 1: {
        const x = this.integer(size);
        result = arena.binary(this.below(2) === 0 ? "slt" : "ult", x, this.constant(arena.width(x)));
        break;
      }
      case 2: {
        const x = this.float(width, size);
        result = arena.binary("feq", x, x);
        break;
      }
      case 3:
      case 4:
      case 5:
        result = arena.binary(COMPARISONS[this.below(4)], this.float(width, size), this.constant(width));
        break;
      default:
        result = arena.binary(COMPARISONS[this.below(4)], this.float(width, half), this.float(width, half));
    }
    return this.below(3) === 0 ? arena.not(result) : result;
  }
}
