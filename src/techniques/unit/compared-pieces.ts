// An equality of numbers that rewriting has taken apart into its bytes or bits: the pieces, to be put together again in words.

import type { ExprArena } from "../../expr/arena.js";
import { type ExprRef, OPS } from "../../expr/ops.js";
import type { ComparedBits } from "./bit-field-words.js";
import type { ByteNames } from "./byte-names.js";

/** Of one comparison. */
const MOST_BYTES = 64;

/** Null if anything else is compared, or with something that is no constant. */
export function comparedBits(arena: ExprArena, names: ByteNames, e: ExprRef, negated: boolean): ComparedBits[] | null {
  const pieces: ComparedBits[] = [];
  const work = [{ at: e, not: negated }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { at, not } = next;
    const op = arena.op(at);
    const [a, b] = [arena.a(at), arena.b(at)];
    if (op === (not ? OPS.or.code : OPS.and.code)) work.push({ at: a, not }, { at: b, not });
    else if (op === OPS.not.code) work.push({ at: a, not: !not });
    else {
      // One bit is a truth of its own.
      const isBit = op === OPS.extract.code;
      const run = isBit ? names.bitRunOf(at) : op === OPS.eq.code && !not ? names.bitRunOf(a) : null;
      if (run === null || !(isBit || arena.isConstant(b)) || pieces.length >= MOST_BYTES) return null;
      const value = isBit ? BigInt(!not) : arena.constantBigValue(b);
      pieces.push({ from: run.from, width: run.count, value });
    }
  }
  return pieces;
}

/** By variable: the value it is equal to, or the variable (below 0: -1 is variable 0). Null if there is anything else. */
export function byteEqualities(
  arena: ExprArena,
  names: ByteNames,
  e: ExprRef,
  negated: boolean,
): ReadonlyMap<number, number> | null {
  const bytes = new Map<number, number>();
  const work = [{ at: e, not: negated }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { at, not } = next;
    const op = arena.op(at);
    if (op === (not ? OPS.or.code : OPS.and.code)) {
      work.push({ at: arena.a(at), not }, { at: arena.b(at), not });
      continue;
    }
    if (op === OPS.not.code) {
      work.push({ at: arena.a(at), not: !not });
      continue;
    }
    const run = op === OPS.eq.code && !not ? names.runOf(arena.a(at)) : null;
    if (run === null || bytes.size + run.count > MOST_BYTES) return null;
    const right = arena.b(at);
    const other = arena.isConstant(right) ? null : names.runOf(right);
    if (other === null && !arena.isConstant(right)) return null;
    let value = other === null ? arena.constantBigValue(right) : 0n;
    for (let n = 0; n < run.count; n++, value >>= 8n) {
      bytes.set(run.first + n, other === null ? Number(value & 0xffn) : -1 - (other.first + n));
    }
  }
  return bytes;
}
