// Which bits of a result are undefined, given which bits of the operands are: 1 for undefined. The rules are exact where
// programs rely on it (after valgrind's memcheck and MemorySanitizer): masks, bit-fields, comparisons that defined bits
// decide, sums and differences, shifts by known amounts. Elsewhere one undefined bit makes the whole result undefined.
// Invariant: a bit that is called defined is the same whatever values the undefined bits have.

import { SYMBOLIC_OPERATIONS, type SymbolicOperation } from "../jit/symbolic-boundary.js";

/** `ua`, `ub`: undefined bits; `a`, `b`: the values of this run. All below 2^width. */
export interface Operands {
  readonly width: number;
  /** Of the result of a cast. */
  readonly toWidth: number;
  readonly ua: bigint;
  readonly ub: bigint;
  readonly a: bigint;
  readonly b: bigint;
}
type Rule = (o: Operands) => bigint;

function ones(width: number): bigint {
  return (1n << BigInt(width)) - 1n;
}
function cut(value: bigint, width: number): bigint {
  return BigInt.asUintN(width, value);
}
/** All bits from the lowest undefined one upwards. */
function upwards(undefinedBits: bigint, width: number): bigint {
  return cut(-(undefinedBits & -undefinedBits), width);
}

const all =
  (width: (o: Operands) => number): Rule =>
  (o) =>
    (o.ua | o.ub) === 0n ? 0n : ones(width(o));
const whole = all(({ width }) => width);
const converted = all(({ toWidth, width }) => (toWidth === 0 ? width : toWidth));
const truth = all(() => 1);

// ---------------------------------------------------------------- arithmetic

/** The sums of the smallest and of the largest values that are possible differ where carries may. */
const add: Rule = ({ ua, ub, a, b, width }) => cut(ua | ub | (((a & ~ua) + (b & ~ub)) ^ ((a | ua) + (b | ub))), width);
const sub: Rule = ({ ua, ub, a, b, width }) => {
  const least = cut((a & ~ua) - (b | ub), width);
  const most = cut((a | ua) - (b & ~ub), width);
  return ua | ub | (least ^ most);
};
const mul: Rule = ({ ua, ub, a, b, width }) => {
  if ((ua === 0n && a === 0n) || (ub === 0n && b === 0n)) return 0n;
  if (ua !== 0n && ub === 0n) return upwards(ua * (b & -b), width);
  if (ub !== 0n && ua === 0n) return upwards(ub * (a & -a), width);
  return upwards(ua | ub, width);
};
function powerOfTwo(value: bigint): bigint {
  return value !== 0n && (value & (value - 1n)) === 0n ? BigInt(value.toString(2).length - 1) : -1n;
}
const udiv: Rule = (o) => {
  const shift = o.ub === 0n ? powerOfTwo(o.b) : -1n;
  return shift < 0n ? whole(o) : o.ua >> shift;
};
const urem: Rule = (o) => (o.ub === 0n && powerOfTwo(o.b) >= 0n ? o.ua & (o.b - 1n) : whole(o));

// ---------------------------------------------------------------- bits

const and: Rule = ({ ua, ub, a, b }) => (ua & (b | ub)) | (ub & (a | ua));
const or: Rule = ({ ua, ub, a, b, width }) => cut((ua & (~b | ub)) | (ub & (~a | ua)), width);
const either: Rule = ({ ua, ub }) => ua | ub;

function signed(value: bigint, width: number): bigint {
  return BigInt.asIntN(width, value);
}
const shl: Rule = (o) => {
  if (o.ub !== 0n) return o.a === 0n && o.ua === 0n ? 0n : ones(o.width);
  return o.b >= BigInt(o.width) ? 0n : cut(o.ua << o.b, o.width);
};
const lshr: Rule = (o) => {
  if (o.ub !== 0n) return o.a === 0n && o.ua === 0n ? 0n : ones(o.width);
  return o.b >= BigInt(o.width) ? 0n : o.ua >> o.b;
};
const ashr: Rule = (o) => {
  if (o.ub !== 0n) return o.a === 0n && o.ua === 0n ? 0n : ones(o.width);
  const amount = o.b >= BigInt(o.width) ? BigInt(o.width - 1) : o.b;
  return cut(signed(o.ua, o.width) >> amount, o.width);
};
const rotate =
  (left: boolean): Rule =>
  (o) => {
    if (o.ub !== 0n) return ones(o.width);
    const amount = o.b % BigInt(o.width);
    const by = left ? amount : (BigInt(o.width) - amount) % BigInt(o.width);
    return cut(o.ua << by, o.width) | (o.ua >> (BigInt(o.width) - by));
  };
const byteSwap: Rule = ({ ua, width }) => {
  let result = 0n;
  for (let at = 0; at < width; at += 8) result |= ((ua >> BigInt(at)) & 0xffn) << BigInt(width - 8 - at);
  return result;
};
const bitReverse: Rule = ({ ua, width }) => {
  let result = 0n;
  for (let at = 0; at < width; at++) result |= ((ua >> BigInt(at)) & 1n) << BigInt(width - 1 - at);
  return result;
};
/** A bit that is surely set above all undefined ones decides. */
const leadingZeros: Rule = (o) => (o.ua < (o.a & ~o.ua) ? 0n : whole(o));
const trailingZeros: Rule = (o) => {
  const lowest = o.a & ~o.ua & -(o.a & ~o.ua);
  return lowest !== 0n && (o.ua & (lowest - 1n)) === 0n ? 0n : whole(o);
};

// ---------------------------------------------------------------- comparisons

const equal: Rule = ({ ua, ub, a, b }) => {
  const unknown = ua | ub;
  return unknown === 0n || ((a ^ b) & ~unknown) !== 0n ? 0n : 1n;
};
/** Whether a < b (or a <= b) is the same for the ends of what both may be. */
const below =
  (isSigned: boolean, orEqual: boolean, swapped: boolean): Rule =>
  (o) => {
    if ((o.ua | o.ub) === 0n) return 0n;
    // With the sign bit turned over, signed numbers are in the order of unsigned ones.
    const flip = isSigned ? 1n << BigInt(o.width - 1) : 0n;
    const a = o.a ^ flip;
    const b = o.b ^ flip;
    const [x, ux, y, uy] = swapped ? [b, o.ub, a, o.ua] : [a, o.ua, b, o.ub];
    const holds = (p: bigint, q: bigint): boolean => (orEqual ? p <= q : p < q);
    return holds(x & ~ux, y | uy) === holds(x | ux, y & ~uy) ? 0n : 1n;
  };

// ---------------------------------------------------------------- what compilers and sanitizers make of arithmetic

type Ends = readonly [bigint, bigint];
function ends(value: bigint, unknown: bigint, width: number, isSigned: boolean): Ends {
  if (!isSigned) return [value & ~unknown, value | unknown];
  const sign = 1n << BigInt(width - 1);
  const low = (value & ~unknown) | (unknown & sign);
  const high = (value | unknown) & ~(unknown & sign);
  return [signed(low, width), signed(high, width)];
}
/** Defined if none of the extreme cases overflows; one that surely does is left out. */
const overflows =
  (operation: "add" | "sub" | "mul", isSigned: boolean): Rule =>
  (o) => {
    if ((o.ua | o.ub) === 0n) return 0n;
    const least = isSigned ? -(1n << BigInt(o.width - 1)) : 0n;
    const most = isSigned ? (1n << BigInt(o.width - 1)) - 1n : ones(o.width);
    for (const x of ends(o.a, o.ua, o.width, isSigned)) {
      for (const y of ends(o.b, o.ub, o.width, isSigned)) {
        const result = operation === "add" ? x + y : operation === "sub" ? x - y : x * y;
        if (result < least || result > most) return 1n;
      }
    }
    return 0n;
  };
const extreme =
  (isSigned: boolean, largest: boolean): Rule =>
  (o) => {
    const [aLow, aHigh] = ends(o.a, o.ua, o.width, isSigned);
    const [bLow, bHigh] = ends(o.b, o.ub, o.width, isSigned);
    if (aHigh <= bLow) return largest ? o.ub : o.ua;
    if (bHigh <= aLow) return largest ? o.ua : o.ub;
    return whole(o);
  };
const abs: Rule = (o) => {
  const sign = 1n << BigInt(o.width - 1);
  if ((o.ua & sign) !== 0n) return whole(o);
  return (o.a & sign) === 0n ? o.ua : sub({ ...o, ua: 0n, a: 0n, ub: o.ua, b: o.a });
};

// ---------------------------------------------------------------- the table

const truncated: Rule = ({ ua, toWidth }) => cut(ua, toWidth);
const widened: Rule = ({ ua }) => ua;
const signWidened: Rule = ({ ua, width, toWidth }) => cut(signed(ua, width), toWidth);
const magnitude: Rule = ({ ua, width }) => ua & ones(width - 1);
const copiedSign: Rule = ({ ua, ub, width }) => (ua & ones(width - 1)) | (ub & (1n << BigInt(width - 1)));

const RULES: Readonly<Partial<Record<SymbolicOperation, Rule>>> = {
  add, sub, mul, udiv, urem, and, or, xor: either, shl, lshr, ashr,
  eq: equal, ne: equal,
  ult: below(false, false, false), ule: below(false, true, false),
  ugt: below(false, false, true), uge: below(false, true, true),
  slt: below(true, false, false), sle: below(true, true, false),
  sgt: below(true, false, true), sge: below(true, true, true),
  trunc: truncated, zext: widened, sext: signWidened,
  uaddOverflows: overflows("add", false), saddOverflows: overflows("add", true),
  usubOverflows: overflows("sub", false), ssubOverflows: overflows("sub", true),
  umulOverflows: overflows("mul", false), smulOverflows: overflows("mul", true),
  umin: extreme(false, false), umax: extreme(false, true), smin: extreme(true, false), smax: extreme(true, true),
  abs, leadingZeros, trailingZeros, byteSwap, bitReverse,
  rotateLeft: rotate(true), rotateRight: rotate(false),
  fneg: either, fabs: magnitude, copysign: copiedSign,
  oeq: truth, ogt: truth, oge: truth, olt: truth, ole: truth, one: truth, ord: truth,
  ueq: truth, "ugt.f": truth, "uge.f": truth, "ult.f": truth, "ule.f": truth, une: truth, uno: truth,
  fconvert: converted, fptosi: converted, fptoui: converted, sitofp: converted, uitofp: converted,
}; // biome-ignore format: a table

/** By code. */
const BY_CODE: readonly Rule[] = SYMBOLIC_OPERATIONS.map((name) => RULES[name] ?? whole);

/** The undefined bits of an operation's result. */
export function propagate(operation: number, operands: Operands): bigint {
  return BY_CODE[operation](operands);
}

/** Of a choice whose condition is undefined: what the two sides do not agree on. */
export function chosen(ut: bigint, uf: bigint, t: bigint, f: bigint): bigint {
  return ut | uf | (t ^ f);
}
