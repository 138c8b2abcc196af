// The common operations of 33 to 64 bits on columns (columns.ts), as two int32 columns each. Addresses have 64 bits, so these
// are met in every check of an access; the rest goes value by value.
// Invariant: operands have all bits from their width upwards zero, and so have results.

import { OPS } from "../../expr/ops.js";

/** Of a byte. */
export const VALUES = 256;

/** A value's low and high half, for each of the 256 values of the byte. */
export interface WideColumn {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

function clearAbove(out: WideColumn, width: number): void {
  if (width === 64) return;
  const mask = (1 << (width - 32)) - 1;
  for (let v = 0; v < VALUES; v++) out.high[v] &= mask;
}

/** Two operands of `width` (33 to 64) bits; comparisons write `out.low` only. False if the operation is not among these. */
export function wideBinary(op: number, out: WideColumn, x: WideColumn, y: WideColumn, width: number): boolean {
  const { low, high } = out;
  const { low: xl, high: xh } = x;
  const { low: yl, high: yh } = y;
  switch (op) {
    case OPS.add.code:
      for (let v = 0; v < VALUES; v++) {
        const sum = (xl[v] + yl[v]) | 0;
        low[v] = sum;
        high[v] = xh[v] + yh[v] + (sum >>> 0 < xl[v] >>> 0 ? 1 : 0);
      }
      clearAbove(out, width);
      return true;
    case OPS.sub.code:
      for (let v = 0; v < VALUES; v++) {
        high[v] = xh[v] - yh[v] - (xl[v] >>> 0 < yl[v] >>> 0 ? 1 : 0);
        low[v] = xl[v] - yl[v];
      }
      clearAbove(out, width);
      return true;
    case OPS.and.code:
      for (let v = 0; v < VALUES; v++) {
        low[v] = xl[v] & yl[v];
        high[v] = xh[v] & yh[v];
      }
      return true;
    case OPS.or.code:
      for (let v = 0; v < VALUES; v++) {
        low[v] = xl[v] | yl[v];
        high[v] = xh[v] | yh[v];
      }
      return true;
    case OPS.eq.code:
      for (let v = 0; v < VALUES; v++) low[v] = xl[v] === yl[v] && xh[v] === yh[v] ? 1 : 0;
      return true;
    case OPS.ult.code:
    case OPS.ule.code: {
      const equal = op === OPS.ule.code ? 1 : 0;
      for (let v = 0; v < VALUES; v++) {
        if (xh[v] !== yh[v]) low[v] = xh[v] >>> 0 < yh[v] >>> 0 ? 1 : 0;
        else low[v] = xl[v] === yl[v] ? equal : xl[v] >>> 0 < yl[v] >>> 0 ? 1 : 0;
      }
      return true;
    }
    case OPS.slt.code:
    case OPS.sle.code: {
      const equal = op === OPS.sle.code ? 1 : 0;
      const unused = 64 - width;
      for (let v = 0; v < VALUES; v++) {
        if (xh[v] !== yh[v]) low[v] = xh[v] << unused < yh[v] << unused ? 1 : 0;
        else low[v] = xl[v] === yl[v] ? equal : xl[v] >>> 0 < yl[v] >>> 0 ? 1 : 0;
      }
      return true;
    }
    default:
      return false;
  }
}

/** From `from` bits to `width`, one of which is above 32; `high` of a narrow operand means nothing. */
export function wideUnary(
  op: number,
  out: WideColumn,
  x: WideColumn,
  from: number,
  width: number,
  lowBit: number,
): boolean {
  const { low, high } = out;
  const { low: xl, high: xh } = x;
  switch (op) {
    case OPS.zext.code:
      low.set(xl);
      if (from > 32) high.set(xh);
      else high.fill(0);
      return true;
    case OPS.sext.code: {
      if (from > 32) return false;
      const unused = 32 - from;
      for (let v = 0; v < VALUES; v++) {
        const value = (xl[v] << unused) >> unused;
        low[v] = value;
        high[v] = value >> 31;
      }
      clearAbove(out, width);
      return true;
    }
    case OPS.extract.code: {
      if (width > 32) return false;
      if (lowBit >= 32) for (let v = 0; v < VALUES; v++) low[v] = xh[v] >>> (lowBit - 32);
      else if (lowBit === 0) low.set(xl);
      else for (let v = 0; v < VALUES; v++) low[v] = (xl[v] >>> lowBit) | (xh[v] << (32 - lowBit));
      if (width < 32) {
        const mask = (1 << width) - 1;
        for (let v = 0; v < VALUES; v++) low[v] &= mask;
      }
      return true;
    }
    default:
      return false;
  }
}
