// Arithmetic on 64-bit values held as two int32 halves. JavaScript has no 64-bit integer but BigInt, which allocates on
// every operation; a pair of halves does not. A method leaves its result in `lo` and `hi` instead of returning a pair,
// for the same reason, so an instance is a scratch register: read it before the next call.
// Invariant: halves are int32 (signed, as typed arrays and Math.imul give them).

const TWO_32 = 4294967296;
const TWO_53_HIGH = 0x0020_0000;

/** Whether unsigned x < y, for halves. */
function below32(x: number, y: number): boolean {
  return (x ^ 0x8000_0000) < (y ^ 0x8000_0000);
}

/** Whether unsigned a < b. */
export function below64(alo: number, ahi: number, blo: number, bhi: number): boolean {
  return ahi === bhi ? below32(alo, blo) : below32(ahi, bhi);
}

/** Whether signed a < b. */
export function less64(alo: number, ahi: number, blo: number, bhi: number): boolean {
  return ahi === bhi ? below32(alo, blo) : ahi < bhi;
}

export class Word64 {
  lo = 0;
  hi = 0;

  set(lo: number, hi: number): void {
    this.lo = lo;
    this.hi = hi;
  }

  add(alo: number, ahi: number, blo: number, bhi: number): void {
    const lo = (alo + blo) | 0;
    this.hi = (ahi + bhi + (below32(lo, alo) ? 1 : 0)) | 0;
    this.lo = lo;
  }

  sub(alo: number, ahi: number, blo: number, bhi: number): void {
    this.hi = (ahi - bhi - (below32(alo, blo) ? 1 : 0)) | 0;
    this.lo = (alo - blo) | 0;
  }

  mul(alo: number, ahi: number, blo: number, bhi: number): void {
    const a0 = alo & 0xffff;
    const a1 = alo >>> 16;
    const b0 = blo & 0xffff;
    const b1 = blo >>> 16;
    // Each partial product is below 2^32 and each sum below 2^33: exact in a double.
    const low = a0 * b0;
    const middle = a1 * b0 + (low >>> 16);
    const cross = a0 * b1 + (middle % 65536);
    const carry = a1 * b1 + Math.floor(middle / 65536) + Math.floor(cross / 65536);
    this.lo = Math.imul(alo, blo);
    this.hi = (carry + Math.imul(alo, bhi) + Math.imul(ahi, blo)) | 0;
  }

  neg(lo: number, hi: number): void {
    this.hi = (lo === 0 ? -hi : ~hi) | 0;
    this.lo = -lo | 0;
  }

  /** By 0 to 63. */
  shl(lo: number, hi: number, by: number): void {
    if (by === 0) {
      this.set(lo, hi);
    } else if (by < 32) {
      this.hi = (hi << by) | (lo >>> (32 - by));
      this.lo = lo << by;
    } else {
      this.hi = lo << (by - 32);
      this.lo = 0;
    }
  }

  /** By 0 to 63. */
  lshr(lo: number, hi: number, by: number): void {
    if (by === 0) {
      this.set(lo, hi);
    } else if (by < 32) {
      this.lo = (lo >>> by) | (hi << (32 - by));
      this.hi = (hi >>> by) | 0;
    } else {
      this.lo = (hi >>> (by - 32)) | 0;
      this.hi = 0;
    }
  }

  /** By 0 to 63. */
  ashr(lo: number, hi: number, by: number): void {
    if (by === 0) {
      this.set(lo, hi);
    } else if (by < 32) {
      this.lo = (lo >>> by) | (hi << (32 - by));
      this.hi = hi >> by;
    } else {
      this.lo = hi >> (by - 32);
      this.hi = hi >> 31;
    }
  }

  /** Clears the bits from `width` (1 to 64) upwards. */
  truncate(width: number): void {
    if (width < 32) {
      this.lo &= (1 << width) - 1;
      this.hi = 0;
    } else if (width === 32) {
      this.hi = 0;
    } else if (width < 64) {
      this.hi &= (1 << (width - 32)) - 1;
    }
  }

  /** Copies bit `width - 1` upwards. */
  signExtend(lo: number, hi: number, width: number): void {
    if (width <= 32) {
      this.lo = (lo << (32 - width)) >> (32 - width);
      this.hi = this.lo >> 31;
    } else {
      this.lo = lo;
      this.hi = (hi << (64 - width)) >> (64 - width);
    }
  }

  /** Unsigned quotient; all ones if b is 0. */
  udiv(alo: number, ahi: number, blo: number, bhi: number): void {
    if ((blo | bhi) === 0) {
      this.set(-1, -1);
    } else if ((ahi | bhi) === 0) {
      this.set(((alo >>> 0) / (blo >>> 0)) | 0, 0);
    } else if (ahi >>> 0 < TWO_53_HIGH && bhi >>> 0 < TWO_53_HIGH) {
      // Both are exact doubles below 2^53; then the rounded quotient never reaches the next integer.
      const a = (ahi >>> 0) * TWO_32 + (alo >>> 0);
      const b = (bhi >>> 0) * TWO_32 + (blo >>> 0);
      const quotient = Math.floor(a / b);
      this.set(quotient | 0, (quotient / TWO_32) | 0);
    } else {
      this.longDivision(alo, ahi, blo, bhi, false);
    }
  }

  /** Unsigned remainder; a if b is 0. */
  urem(alo: number, ahi: number, blo: number, bhi: number): void {
    if ((blo | bhi) === 0) {
      this.set(alo, ahi);
    } else if ((ahi | bhi) === 0) {
      this.set(((alo >>> 0) % (blo >>> 0)) | 0, 0);
    } else if (ahi >>> 0 < TWO_53_HIGH && bhi >>> 0 < TWO_53_HIGH) {
      const remainder = ((ahi >>> 0) * TWO_32 + (alo >>> 0)) % ((bhi >>> 0) * TWO_32 + (blo >>> 0));
      this.set(remainder | 0, (remainder / TWO_32) | 0);
    } else {
      this.longDivision(alo, ahi, blo, bhi, true);
    }
  }

  /** Bit by bit; only for values of 2^53 and more, which programs seldom divide. */
  private longDivision(alo: number, ahi: number, blo: number, bhi: number, wantRemainder: boolean): void {
    let rlo = 0;
    let rhi = 0;
    let qlo = 0;
    let qhi = 0;
    for (let bit = 63; bit >= 0; bit--) {
      const overflow = rhi < 0;
      rhi = (rhi << 1) | (rlo >>> 31);
      rlo = (rlo << 1) | ((bit >= 32 ? ahi >>> (bit - 32) : alo >>> bit) & 1);
      if (overflow || !below64(rlo, rhi, blo, bhi)) {
        this.sub(rlo, rhi, blo, bhi);
        rlo = this.lo;
        rhi = this.hi;
        if (bit >= 32) qhi |= 1 << (bit - 32);
        else qlo |= 1 << bit;
      }
    }
    if (wantRemainder) this.set(rlo, rhi);
    else this.set(qlo, qhi);
  }
}
