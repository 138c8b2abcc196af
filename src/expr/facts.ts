// What is known of every value of a node, whatever the input: an unsigned range and bits that are always 0 or always 1,
// for widths up to 64. Made once, when the node is made, from the facts of its operands; a node of which everything is
// known becomes a constant. Facts know no path: "x < 10" on the path is the solver's business.
// Ranges are doubles: exact below 2^53, beyond that "at least 2^53" and "no upper bound" (Infinity), which keeps them a
// single number and loses nothing that programs ask for. A wider node knows nothing.
// Invariant: minimum <= value <= maximum, value & zeros = 0, value & ones = ones; zeros has all bits from the width upwards.

import { OPS } from "./ops.js";
import type { TableRef } from "./tables.js";
import { Word64 } from "./word64.js";

const TWO_32 = 4294967296;
const TWO_53 = 9007199254740992;
/** Stands for the constant 0 where a node's place is asked for. */
const NO_NODE = -1;

/** 2^i for i up to 128; Math.pow would cost more than all the rest. */
const POWERS = Float64Array.from({ length: 129 }, (_, i) => 2 ** i);

/** The largest value of that width, or Infinity where it is not an exact double. */
function fullMaximum(width: number): number {
  return width <= 53 ? POWERS[width] - 1 : Number.POSITIVE_INFINITY;
}

/** At most the value of the halves. */
function floorNumber(lo: number, hi: number): number {
  const high = hi >>> 0;
  return high < 0x20_0000 ? high * TWO_32 + (lo >>> 0) : TWO_53;
}

/** At least the value of the halves. */
function ceilingNumber(lo: number, hi: number): number {
  const high = hi >>> 0;
  return high < 0x20_0000 ? high * TWO_32 + (lo >>> 0) : Number.POSITIVE_INFINITY;
}

/** Number of low bits that are set in a row. */
function trailingOnes(lo: number, hi: number): number {
  return lo !== -1 ? trailingOnes32(lo) : 32 + trailingOnes32(hi);
}

function trailingOnes32(x: number): number {
  const lowestZero = ~x & (x + 1);
  return lowestZero === 0 ? 32 : 31 - Math.clz32(lowestZero);
}

export class Facts {
  /** Two doubles a node: minimum, maximum. */
  private ranges = new Float64Array(0);
  /** Four words a node: zeros low and high half, ones low and high half. */
  private bits = new Int32Array(0);
  /** The same for tables: of all their entries. */
  private readonly tableRanges: number[] = [0, 0];
  private readonly tableBits: number[] = [0, 0, 0, 0];
  private readonly word = new Word64();
  // What the last `derive` found, until it is kept.
  private least = 0;
  private most = 0;
  private zlo = 0;
  private zhi = 0;
  private olo = 0;
  private ohi = 0;

  minimum(node: number): number {
    return this.ranges[node * 2];
  }

  maximum(node: number): number {
    return this.ranges[node * 2 + 1];
  }

  zerosLow(node: number): number {
    return this.bits[node << 2];
  }

  zerosHigh(node: number): number {
    return this.bits[(node << 2) + 1];
  }

  onesLow(node: number): number {
    return this.bits[(node << 2) + 2];
  }

  onesHigh(node: number): number {
    return this.bits[(node << 2) + 3];
  }

  get memory(): number {
    return this.ranges.byteLength + this.bits.byteLength;
  }

  reserve(capacity: number): void {
    if (this.ranges.length === capacity * 2) return;
    const ranges = new Float64Array(capacity * 2);
    ranges.set(this.ranges.length > capacity * 2 ? this.ranges.subarray(0, capacity * 2) : this.ranges);
    this.ranges = ranges;
    const bits = new Int32Array(capacity * 4);
    bits.set(this.bits.length > capacity * 4 ? this.bits.subarray(0, capacity * 4) : this.bits);
    this.bits = bits;
  }

  /** What was derived last becomes what is known of the node. */
  keep(node: number): void {
    this.ranges[node * 2] = this.least;
    this.ranges[node * 2 + 1] = this.most;
    const at = node << 2;
    this.bits[at] = this.zlo;
    this.bits[at + 1] = this.zhi;
    this.bits[at + 2] = this.olo;
    this.bits[at + 3] = this.ohi;
  }

  /** Moves a node's facts to its new place (collection). */
  move(from: number, to: number): void {
    const { ranges, bits } = this;
    ranges[to * 2] = ranges[from * 2];
    ranges[to * 2 + 1] = ranges[from * 2 + 1];
    for (let i = 0; i < 4; i++) bits[(to << 2) + i] = bits[(from << 2) + i];
  }

  /** Whether what was derived last leaves one value only; it is then in `derivedLow` and `derivedHigh`. */
  isDecided(): boolean {
    return (this.zlo | this.olo) === -1 && (this.zhi | this.ohi) === -1;
  }

  get derivedLow(): number {
    return this.olo;
  }

  get derivedHigh(): number {
    return this.ohi;
  }

  /** Facts of a constant of at most 64 bits. */
  deriveConstant(lo: number, hi: number): void {
    this.setBits(~lo, ~hi, lo, hi);
    this.least = floorNumber(lo, hi);
    this.most = ceilingNumber(lo, hi);
  }

  /** Nothing but the width. */
  deriveNothing(width: number): void {
    this.least = 0;
    this.most = fullMaximum(width);
    if (width > 64) this.setBits(0, 0, 0, 0);
    else if (width > 32) this.setBits(0, width === 64 ? 0 : -1 << (width - 32), 0, 0);
    else this.setBits(width === 32 ? 0 : -1 << width, -1, 0, 0);
  }

  /** Facts of a table, which the table keeps. All entries have facts. */
  keepTable(table: TableRef, entries: ArrayLike<number>): void {
    this.recall(entries[0]);
    for (let i = 1; i < entries.length; i++) this.join(entries[i]);
    this.tableRanges[table * 2] = this.least;
    this.tableRanges[table * 2 + 1] = this.most;
    this.tableBits[table * 4] = this.zlo;
    this.tableBits[table * 4 + 1] = this.zhi;
    this.tableBits[table * 4 + 2] = this.olo;
    this.tableBits[table * 4 + 3] = this.ohi;
  }

  /** For an operation with an operand or a result wider than 64 bits, `deriveNothing` instead. */
  deriveUnary(op: number, width: number, a: number, from: number, payload: number): void {
    this.deriveNothing(width);
    const { bits, ranges } = this;
    const at = a << 2;
    switch (op) {
      case 16 satisfies typeof OPS.not.code:
        this.learnBits(bits[at + 2], bits[at + 3], bits[at], bits[at + 1], width);
        break;
      case 17 satisfies typeof OPS.neg.code:
        this.sumBits(NO_NODE, bits[at + 2], bits[at + 3], bits[at], bits[at + 1], 1, width);
        break;
      case 23 satisfies typeof OPS.extract.code:
        this.extractBits(at, payload, width);
        if (payload + width === from || ranges[a * 2 + 1] < POWERS[payload + width]) {
          const scale = POWERS[payload];
          this.learnRange(Math.floor(ranges[a * 2] / scale), Math.floor(ranges[a * 2 + 1] / scale));
        }
        break;
      case 25 satisfies typeof OPS.zext.code:
        this.recall(a);
        break;
      case 26 satisfies typeof OPS.sext.code:
        this.extendSign(at, a, from, width);
        break;
      default:
        throw new Error(`facts: operation ${op}`);
    }
    this.refine(width);
  }

  deriveIte(then: number, otherwise: number): void {
    this.recall(then);
    this.join(otherwise);
  }

  deriveLookup(width: number, table: TableRef, mayMiss: boolean): void {
    this.least = mayMiss ? 0 : this.tableRanges[table * 2];
    this.most = this.tableRanges[table * 2 + 1];
    const at = table * 4;
    this.setBits(this.tableBits[at], this.tableBits[at + 1], this.tableBits[at + 2], this.tableBits[at + 3]);
    if (mayMiss) this.setBits(this.zlo, this.zhi, 0, 0);
    this.refine(width);
  }

  deriveBinary(op: number, width: number, a: number, b: number, operandWidth: number): void {
    this.deriveNothing(width);
    const { bits, ranges } = this;
    const at = a << 2;
    const bt = b << 2;
    const amin = ranges[a * 2];
    const amax = ranges[a * 2 + 1];
    const bmin = ranges[b * 2];
    const bmax = ranges[b * 2 + 1];
    switch (op) {
      case 3 satisfies typeof OPS.add.code:
        this.sumBits(at, bits[bt], bits[bt + 1], bits[bt + 2], bits[bt + 3], 0, width);
        this.sumRange(amin, amax, bmin, bmax, bits[bt + 2], bits[bt + 3], width);
        break;
      case 4 satisfies typeof OPS.sub.code:
        this.sumBits(at, bits[bt + 2], bits[bt + 3], bits[bt], bits[bt + 1], 1, width);
        if (amin >= bmax) this.learnRange(amin - bmax, amax - bmin);
        break;
      case 5 satisfies typeof OPS.mul.code:
        if (amax * bmax <= Math.min(fullMaximum(width), TWO_53)) this.learnRange(amin * bmin, amax * bmax);
        this.learnTrailingZeros(trailingOnes(bits[at], bits[at + 1]) + trailingOnes(bits[bt], bits[bt + 1]));
        break;
      case 6 satisfies typeof OPS.udiv.code:
        if (bmin > 0) this.learnRange(Math.floor(amin / bmax), Math.floor(amax / bmin));
        break;
      case 8 satisfies typeof OPS.urem.code:
        if (amax < bmin) this.recall(a);
        else this.learnRange(0, bmin > 0 ? Math.min(amax, bmax - 1) : amax);
        break;
      case 10 satisfies typeof OPS.and.code:
        this.learnBits(
          bits[at] | bits[bt],
          bits[at + 1] | bits[bt + 1],
          bits[at + 2] & bits[bt + 2],
          bits[at + 3] & bits[bt + 3],
          width,
        );
        this.learnRange(0, Math.min(amax, bmax));
        break;
      case 11 satisfies typeof OPS.or.code:
        this.learnBits(
          bits[at] & bits[bt],
          bits[at + 1] & bits[bt + 1],
          bits[at + 2] | bits[bt + 2],
          bits[at + 3] | bits[bt + 3],
          width,
        );
        this.learnRange(Math.max(amin, bmin), this.most);
        break;
      case 12 satisfies typeof OPS.xor.code:
        this.learnBits(
          (bits[at] & bits[bt]) | (bits[at + 2] & bits[bt + 2]),
          (bits[at + 1] & bits[bt + 1]) | (bits[at + 3] & bits[bt + 3]),
          (bits[at] & bits[bt + 2]) | (bits[at + 2] & bits[bt]),
          (bits[at + 1] & bits[bt + 3]) | (bits[at + 3] & bits[bt + 1]),
          width,
        );
        break;
      case 13 satisfies typeof OPS.shl.code:
        if (bmin >= width) this.learnRange(0, 0);
        this.learnTrailingZeros(trailingOnes(bits[at], bits[at + 1]) + Math.min(bmin, 64));
        break;
      case 14 satisfies typeof OPS.lshr.code:
        this.learnRange(0, Math.floor(amax / POWERS[Math.min(bmin, 64)]));
        break;
      case 15 satisfies typeof OPS.ashr.code:
        if (this.signOf(a, width) === 0) this.learnRange(0, Math.floor(amax / POWERS[Math.min(bmin, 64)]));
        break;
      case 24 satisfies typeof OPS.concat.code: {
        const lowWidth = width - operandWidth;
        this.concatBits(at, bt, lowWidth, width);
        const scale = POWERS[lowWidth];
        if (amax * scale + bmax < TWO_53) this.learnRange(amin * scale + bmin, amax * scale + bmax);
        break;
      }
      case 7 satisfies typeof OPS.sdiv.code:
      case 9 satisfies typeof OPS.srem.code:
        break;
      default:
        this.learnTruth(this.compare(op, a, b, operandWidth));
    }
    this.refine(width);
  }

  /** The sign bit if it is known, else -1. */
  signOf(node: number, width: number): number {
    const half = width > 32 ? 1 : 0;
    const sign = 1 << ((width - 1) & 31);
    const at = (node << 2) + half;
    if ((this.bits[at] & sign) !== 0) return 0;
    return (this.bits[at + 2] & sign) !== 0 ? 1 : -1;
  }

  /** 1 or 0 if the comparison is decided, else -1. Operands of at most 64 bits. */
  private compare(op: number, a: number, b: number, width: number): number {
    const { ranges, bits } = this;
    const amin = ranges[a * 2];
    const amax = ranges[a * 2 + 1];
    const bmin = ranges[b * 2];
    const bmax = ranges[b * 2 + 1];
    let unsigned = op;
    if (op === OPS.eq.code) {
      const at = a << 2;
      const bt = b << 2;
      const low = (bits[at] & bits[bt + 2]) | (bits[at + 2] & bits[bt]);
      const high = (bits[at + 1] & bits[bt + 3]) | (bits[at + 3] & bits[bt + 1]);
      return (low | high) !== 0 || amax < bmin || bmax < amin ? 0 : -1;
    }
    if (op === OPS.slt.code || op === OPS.sle.code) {
      const aSign = this.signOf(a, width);
      const bSign = this.signOf(b, width);
      if (aSign < 0 || bSign < 0) return -1;
      if (aSign !== bSign) return aSign;
      unsigned = op === OPS.slt.code ? OPS.ult.code : OPS.ule.code;
    }
    if (unsigned === OPS.ult.code) return amax < bmin ? 1 : amin >= bmax ? 0 : -1;
    return amax <= bmin ? 1 : amin > bmax ? 0 : -1;
  }

  private setBits(zlo: number, zhi: number, olo: number, ohi: number): void {
    this.zlo = zlo;
    this.zhi = zhi;
    this.olo = olo;
    this.ohi = ohi;
  }

  private recall(node: number): void {
    this.least = this.ranges[node * 2];
    this.most = this.ranges[node * 2 + 1];
    const at = node << 2;
    this.setBits(this.bits[at], this.bits[at + 1], this.bits[at + 2], this.bits[at + 3]);
  }

  /** The value may be that node's as well. */
  private join(node: number): void {
    this.least = Math.min(this.least, this.ranges[node * 2]);
    this.most = Math.max(this.most, this.ranges[node * 2 + 1]);
    const at = node << 2;
    this.zlo &= this.bits[at];
    this.zhi &= this.bits[at + 1];
    this.olo &= this.bits[at + 2];
    this.ohi &= this.bits[at + 3];
  }

  private learnRange(least: number, most: number): void {
    this.least = Math.max(this.least, least);
    this.most = Math.min(this.most, most);
  }

  /** Bits beyond the width are left out of `ones`; `zeros` has them already. */
  private learnBits(zlo: number, zhi: number, olo: number, ohi: number, width: number): void {
    this.word.set(olo, ohi);
    this.word.truncate(width);
    this.zlo |= zlo;
    this.zhi |= zhi;
    this.olo |= this.word.lo;
    this.ohi |= this.word.hi;
  }

  private learnTrailingZeros(count: number): void {
    if (count >= 32) {
      this.zlo = -1;
      this.zhi |= count >= 64 ? -1 : (1 << (count - 32)) - 1;
    } else {
      this.zlo |= (1 << count) - 1;
    }
  }

  private learnTruth(truth: number): void {
    if (truth === 1) this.learnRange(1, 1);
    else if (truth === 0) this.learnRange(0, 0);
  }

  /** x (by its place in `bits`) + y + carry: a bit of the sum is known where both bits and the carry into it are. */
  private sumBits(
    xt: number,
    yzlo: number,
    yzhi: number,
    yolo: number,
    yohi: number,
    carry: number,
    width: number,
  ): void {
    const { word, bits } = this;
    const xzlo = xt === NO_NODE ? -1 : bits[xt];
    const xzhi = xt === NO_NODE ? -1 : bits[xt + 1];
    const xolo = xt === NO_NODE ? 0 : bits[xt + 2];
    const xohi = xt === NO_NODE ? 0 : bits[xt + 3];
    // The largest and the smallest sum; each one's carries are the sum xor its operands.
    word.add(~xzlo, ~xzhi, ~yzlo, ~yzhi);
    word.add(word.lo, word.hi, carry, 0);
    const mostLo = word.lo;
    const mostHi = word.hi;
    word.add(xolo, xohi, yolo, yohi);
    word.add(word.lo, word.hi, carry, 0);
    const leastLo = word.lo;
    const leastHi = word.hi;
    const carryKnownLo = ~(mostLo ^ ~xzlo ^ ~yzlo) | (leastLo ^ xolo ^ yolo);
    const carryKnownHi = ~(mostHi ^ ~xzhi ^ ~yzhi) | (leastHi ^ xohi ^ yohi);
    const knownLo = (xzlo | xolo) & (yzlo | yolo) & carryKnownLo;
    const knownHi = (xzhi | xohi) & (yzhi | yohi) & carryKnownHi;
    this.learnBits(~mostLo & knownLo, ~mostHi & knownHi, leastLo & knownLo, leastHi & knownHi, width);
  }

  /** `blo`, `bhi`: the second operand's value where its range says it is a constant too large for a double. */
  private sumRange(
    amin: number,
    amax: number,
    bmin: number,
    bmax: number,
    blo: number,
    bhi: number,
    width: number,
  ): void {
    if (amax + bmax <= Math.min(fullMaximum(width), TWO_53)) {
      this.learnRange(amin + bmin, amax + bmax);
    } else if (width <= 52) {
      const modulus = POWERS[width];
      if (amin + bmin >= modulus) this.learnRange(amin + bmin - modulus, amax + bmax - modulus);
    } else if (bmin === TWO_53 && bmax === Number.POSITIVE_INFINITY && bhi !== 0) {
      // Adding at least `blo, bhi` = 2^width - m: a subtraction of at most m, when that cannot pass below zero.
      this.word.neg(blo, bhi);
      this.word.truncate(width);
      const m = ceilingNumber(this.word.lo, this.word.hi);
      if (amin >= m) this.learnRange(amin - m, amax);
    }
  }

  private extractBits(at: number, lowBit: number, width: number): void {
    const { word, bits } = this;
    word.lshr(bits[at], bits[at + 1], lowBit);
    const zlo = word.lo;
    const zhi = word.hi;
    word.lshr(bits[at + 2], bits[at + 3], lowBit);
    this.learnBits(zlo, zhi, word.lo, word.hi, width);
  }

  private concatBits(at: number, bt: number, lowWidth: number, width: number): void {
    const { word, bits } = this;
    word.set(-1, -1);
    word.truncate(lowWidth);
    const lowLo = word.lo;
    const lowHi = word.hi;
    word.shl(bits[at], bits[at + 1], lowWidth);
    const zlo = word.lo | (bits[bt] & lowLo);
    const zhi = word.hi | (bits[bt + 1] & lowHi);
    word.shl(bits[at + 2], bits[at + 3], lowWidth);
    this.learnBits(zlo, zhi, word.lo | bits[bt + 2], word.hi | bits[bt + 3], width);
  }

  private extendSign(at: number, a: number, from: number, width: number): void {
    if (this.signOf(a, from) === 0) {
      this.recall(a);
      return;
    }
    const { word, bits } = this;
    // Sign-extending the known ones copies a sign that is known to be one; the known zeros are kept below the sign.
    word.signExtend(bits[at + 2], bits[at + 3], from);
    const olo = word.lo;
    const ohi = word.hi;
    word.set(bits[at], bits[at + 1]);
    word.truncate(from);
    this.learnBits(word.lo, word.hi, olo, ohi, width);
  }

  /** Lets range and bits learn from each other. */
  private refine(width: number): void {
    this.least = Math.max(this.least, floorNumber(this.olo, this.ohi));
    this.most = Math.min(this.most, ceilingNumber(~this.zlo, ~this.zhi));
    if (this.most < TWO_32) {
      this.zhi = -1;
      this.zlo |= this.most === 0 ? -1 : ~(-1 >>> Math.clz32(this.most));
    } else if (this.most < TWO_53) {
      this.zhi |= ~(-1 >>> Math.clz32(this.most / TWO_32));
    }
    if (this.least === this.most && width <= 64) {
      const lo = this.least | 0;
      const hi = (this.least / TWO_32) | 0;
      this.setBits(~lo, ~hi, lo, hi);
    }
  }
}
