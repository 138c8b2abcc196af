// Operations whose operands are all constants, carried out: the arena asks for it instead of making a node. What operations
// mean is in fold.ts and float-fold.ts; here it is brought to constants, which are halves up to 64 bits and BigInt beyond.

import type { ExprArena } from "./arena.js";
import { foldFloat } from "./float-fold.js";
import { foldBinary, foldBinaryBig } from "./fold.js";
import { CONCRETE, type ExprRef, FIRST_FLOAT_OP } from "./ops.js";
import { Word64 } from "./word64.js";

export class ConstantFolder {
  private readonly word = new Word64();

  constructor(private readonly arena: ExprArena) {}

  /** Two operands of equal width; `width` is that of the result. */
  binary(op: number, width: number, a: ExprRef, b: ExprRef): ExprRef {
    if (op >= FIRST_FLOAT_OP) return this.float(op, width, a, b, CONCRETE, 0);
    const { arena, word } = this;
    const from = arena.width(a);
    if (from > 64) {
      return arena.constantBig(width, foldBinaryBig(op, from, arena.constantBigValue(a), arena.constantBigValue(b)));
    }
    const { words } = arena;
    const at = a << 2;
    const bt = b << 2;
    foldBinary(word, op, from, words[at + 1], words[at + 2], words[bt + 1], words[bt + 2]);
    return arena.constant(width, word.lo, word.hi);
  }

  /** Operands that the operation does not have are CONCRETE. */
  float(op: number, width: number, a: ExprRef, b: ExprRef, c: ExprRef, mode: number): ExprRef {
    const { arena, word } = this;
    const { words } = arena;
    const at = a << 2;
    const bt = b << 2;
    const ct = c << 2;
    const from = arena.width(a);
    foldFloat(
      ...([word, op, width, from, mode] as const),
      ...([words[at + 1], words[at + 2], words[bt + 1], words[bt + 2], words[ct + 1], words[ct + 2]] as const),
    );
    return arena.constant(width, word.lo, word.hi);
  }

  extract(e: ExprRef, lowBit: number, width: number): ExprRef {
    const { arena, word } = this;
    if (arena.width(e) > 64) return arena.constantBig(width, arena.constantBigValue(e) >> BigInt(lowBit));
    word.lshr(arena.constantLow(e), arena.constantHigh(e), lowBit);
    return arena.constant(width, word.lo, word.hi);
  }

  concat(high: ExprRef, low: ExprRef): ExprRef {
    const { arena, word } = this;
    const lowWidth = arena.width(low);
    const width = arena.width(high) + lowWidth;
    if (width > 64) {
      return arena.constantBig(width, (arena.constantBigValue(high) << BigInt(lowWidth)) | arena.constantBigValue(low));
    }
    word.shl(arena.constantLow(high), arena.constantHigh(high), lowWidth);
    return arena.constant(width, word.lo | arena.constantLow(low), word.hi | arena.constantHigh(low));
  }

  signExtension(e: ExprRef, width: number): ExprRef {
    const { arena, word } = this;
    const from = arena.width(e);
    if (width > 64) return arena.constantBig(width, BigInt.asIntN(from, arena.constantBigValue(e)));
    word.signExtend(arena.constantLow(e), arena.constantHigh(e), from);
    return arena.constant(width, word.lo, word.hi);
  }
}
