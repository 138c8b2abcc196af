// What the operations mean on constants: on pairs of int32 halves for widths up to 64, on BigInt beyond. The arena folds
// constants with it and the evaluator uses it for what is not on its fast path, so there is one meaning; tests compare it
// with an independent reference and with z3.
// Invariant: operands come and results go with all bits from the width upwards zero.

import { OPS } from "./ops.js";
import { below64, less64, type Word64 } from "./word64.js";

/** Result in `out`. `width` is that of the operands; comparisons give 0 or 1. */
export function foldBinary(
  out: Word64,
  op: number,
  width: number,
  alo: number,
  ahi: number,
  blo: number,
  bhi: number,
): void {
  switch (op) {
    case 3 satisfies typeof OPS.add.code:
      out.add(alo, ahi, blo, bhi);
      break;
    case 4 satisfies typeof OPS.sub.code:
      out.sub(alo, ahi, blo, bhi);
      break;
    case 5 satisfies typeof OPS.mul.code:
      out.mul(alo, ahi, blo, bhi);
      break;
    case 6 satisfies typeof OPS.udiv.code:
      out.udiv(alo, ahi, blo, bhi);
      break;
    case 8 satisfies typeof OPS.urem.code:
      out.urem(alo, ahi, blo, bhi);
      break;
    case 7 satisfies typeof OPS.sdiv.code:
    case 9 satisfies typeof OPS.srem.code:
      foldSignedDivision(out, op === OPS.srem.code, width, alo, ahi, blo, bhi);
      break;
    case 10 satisfies typeof OPS.and.code:
      out.set(alo & blo, ahi & bhi);
      return;
    case 11 satisfies typeof OPS.or.code:
      out.set(alo | blo, ahi | bhi);
      return;
    case 12 satisfies typeof OPS.xor.code:
      out.set(alo ^ blo, ahi ^ bhi);
      return;
    case 13 satisfies typeof OPS.shl.code:
      if (shiftsAll(blo, bhi, width)) out.set(0, 0);
      else out.shl(alo, ahi, blo);
      break;
    case 14 satisfies typeof OPS.lshr.code:
      if (shiftsAll(blo, bhi, width)) out.set(0, 0);
      else out.lshr(alo, ahi, blo);
      return;
    case 15 satisfies typeof OPS.ashr.code:
      out.signExtend(alo, ahi, width);
      out.ashr(out.lo, out.hi, shiftsAll(blo, bhi, width) ? 63 : blo);
      break;
    case 18 satisfies typeof OPS.eq.code:
      out.set(alo === blo && ahi === bhi ? 1 : 0, 0);
      return;
    case 19 satisfies typeof OPS.ult.code:
      out.set(below64(alo, ahi, blo, bhi) ? 1 : 0, 0);
      return;
    case 20 satisfies typeof OPS.ule.code:
      out.set(below64(blo, bhi, alo, ahi) ? 0 : 1, 0);
      return;
    case 21 satisfies typeof OPS.slt.code:
      out.set(lessSigned(out, width, alo, ahi, blo, bhi) ? 1 : 0, 0);
      return;
    case 22 satisfies typeof OPS.sle.code:
      out.set(lessSigned(out, width, blo, bhi, alo, ahi) ? 0 : 1, 0);
      return;
    default:
      throw new Error(`fold: operation ${op} has not two operands`);
  }
  out.truncate(width);
}

function shiftsAll(lo: number, hi: number, width: number): boolean {
  return hi !== 0 || lo < 0 || lo >= width;
}

function lessSigned(out: Word64, width: number, alo: number, ahi: number, blo: number, bhi: number): boolean {
  out.signExtend(alo, ahi, width);
  const xlo = out.lo;
  const xhi = out.hi;
  out.signExtend(blo, bhi, width);
  return less64(xlo, xhi, out.lo, out.hi);
}

/** Sign and magnitude, as SMT-LIB defines it; so a division by zero gives 1 or -1, and the remainder is a. */
function foldSignedDivision(
  out: Word64,
  remainder: boolean,
  width: number,
  alo: number,
  ahi: number,
  blo: number,
  bhi: number,
): void {
  out.signExtend(alo, ahi, width);
  const aNegative = out.hi < 0;
  if (aNegative) out.neg(out.lo, out.hi);
  const xlo = out.lo;
  const xhi = out.hi;
  out.signExtend(blo, bhi, width);
  const bNegative = out.hi < 0;
  if (bNegative) out.neg(out.lo, out.hi);
  if (remainder) out.urem(xlo, xhi, out.lo, out.hi);
  else out.udiv(xlo, xhi, out.lo, out.hi);
  if (remainder ? aNegative : aNegative !== bNegative) out.neg(out.lo, out.hi);
}

export function maskBig(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}

export function foldBinaryBig(op: number, width: number, a: bigint, b: bigint): bigint {
  const mask = maskBig(width);
  switch (op) {
    case 3 satisfies typeof OPS.add.code:
      return (a + b) & mask;
    case 4 satisfies typeof OPS.sub.code:
      return (a - b) & mask;
    case 5 satisfies typeof OPS.mul.code:
      return (a * b) & mask;
    case 6 satisfies typeof OPS.udiv.code:
      return b === 0n ? mask : a / b;
    case 8 satisfies typeof OPS.urem.code:
      return b === 0n ? a : a % b;
    case 7 satisfies typeof OPS.sdiv.code: {
      const x = BigInt.asIntN(width, a);
      const y = BigInt.asIntN(width, b);
      return y === 0n ? (x < 0n ? 1n : mask) : (x / y) & mask;
    }
    case 9 satisfies typeof OPS.srem.code: {
      const y = BigInt.asIntN(width, b);
      return y === 0n ? a : (BigInt.asIntN(width, a) % y) & mask;
    }
    case 10 satisfies typeof OPS.and.code:
      return a & b;
    case 11 satisfies typeof OPS.or.code:
      return a | b;
    case 12 satisfies typeof OPS.xor.code:
      return a ^ b;
    case 13 satisfies typeof OPS.shl.code:
      return b >= BigInt(width) ? 0n : (a << b) & mask;
    case 14 satisfies typeof OPS.lshr.code:
      return b >= BigInt(width) ? 0n : a >> b;
    case 15 satisfies typeof OPS.ashr.code: {
      const by = b >= BigInt(width) ? BigInt(width) : b;
      return (BigInt.asIntN(width, a) >> by) & mask;
    }
    case 18 satisfies typeof OPS.eq.code:
      return a === b ? 1n : 0n;
    case 19 satisfies typeof OPS.ult.code:
      return a < b ? 1n : 0n;
    case 20 satisfies typeof OPS.ule.code:
      return a <= b ? 1n : 0n;
    case 21 satisfies typeof OPS.slt.code:
      return BigInt.asIntN(width, a) < BigInt.asIntN(width, b) ? 1n : 0n;
    case 22 satisfies typeof OPS.sle.code:
      return BigInt.asIntN(width, a) <= BigInt.asIntN(width, b) ? 1n : 0n;
    default:
      throw new Error(`fold: operation ${op} has not two operands`);
  }
}
