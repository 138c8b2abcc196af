// Comparisons of a growing function with a constant: x + 3.0 < 7.5, x * 0.1 <= 2.0, sqrt(x) == 1.5, (float)x < 1.0f. Rounding
// never changes the order of two numbers, so the numbers for which such a comparison holds are all those up to some number,
// or from some number on; that one is found by halving, in 64 steps, and the operation is gone. What is left is a comparison
// of x itself, exact to the last bit: for a solver the difference between a multiplier and nothing.
// A constant that is zero (in products and quotients), infinite or no number is left alone: it makes results no numbers.

import type { ExprArena } from "./arena.js";
import { floatOfBits, foldFloat } from "./float-fold.js";
import { type ExprRef, OPS, type OpName } from "./ops.js";
import { NO_MATCH, type Rule } from "./rule.js";
import { Word64 } from "./word64.js";

const FUNCTIONS: readonly OpName[] = ["fadd", "fsub", "fmul", "fdiv", "fround", "fcvt", "fsqrt", "sitof", "uitof"];
const CODES: ReadonlySet<number> = new Set(FUNCTIONS.map((name) => OPS[name].code));

/** Places in the order of all numbers: those of floats are their bits without the sign, negative for negative ones. */
interface Domain {
  readonly first: bigint;
  readonly last: bigint;
  readonly isFloat: boolean;
}

interface Growing {
  /** What it is a function of. */
  readonly x: ExprRef;
  readonly rises: boolean;
  readonly domain: Domain;
  readonly value: (place: bigint) => number;
}

const word = new Word64();

function lowOf(bits: bigint): number {
  return Number(BigInt.asIntN(32, bits));
}

/** Of a float's place. */
export function bitsOfPlace(width: number, place: bigint): bigint {
  return place < 0n ? -place | (1n << BigInt(width - 1)) : place;
}

function domainOf(e: ExprArena, f: ExprRef, x: ExprRef): Domain {
  const width = BigInt(e.width(x));
  const op = e.op(f);
  if (op === OPS.uitof.code) return { first: 0n, last: (1n << width) - 1n, isFloat: false };
  if (op === OPS.sitof.code) return { first: -1n << (width - 1n), last: (1n << (width - 1n)) - 1n, isFloat: false };
  const infinity = width === 32n ? 0x7f80_0000n : 0x7ff0_0000_0000_0000n;
  return { first: op === OPS.fsqrt.code ? 0n : -infinity, last: infinity, isFloat: true };
}

/** Null if it is no such function. */
function growing(e: ExprArena, f: ExprRef): Growing | null {
  const op = e.op(f);
  if (!CODES.has(op)) return null;
  const a = e.a(f);
  const hasTwo = op === OPS.fadd.code || op === OPS.fsub.code || op === OPS.fmul.code || op === OPS.fdiv.code;
  const b = hasTwo ? e.b(f) : a;
  const constant = hasTwo ? (e.isConstant(b) ? b : e.isConstant(a) && op === OPS.fsub.code ? a : null) : a;
  if (constant === null) return null;
  const isFirst = hasTwo && constant === a;
  const [lo, hi] = hasTwo ? [e.constantLow(constant), e.constantHigh(constant)] : [0, 0];
  const x = isFirst ? b : a;
  const from = e.width(x);
  let rises = !isFirst;
  if (hasTwo) {
    const known = floatOfBits(from, lo, hi);
    if (!Number.isFinite(known)) return null;
    if (op === OPS.fmul.code || op === OPS.fdiv.code) {
      if (known === 0) return null;
      rises = known > 0;
    }
  }
  const width = e.width(f);
  const mode = op === OPS.fround.code ? e.payload(f) : 0;
  const domain = domainOf(e, f, x);
  const value = (place: bigint): number => {
    const bits = domain.isFloat ? bitsOfPlace(from, place) : BigInt.asUintN(from, place);
    const [xl, xh] = [lowOf(bits), lowOf(bits >> 32n)];
    if (isFirst) foldFloat(word, op, width, from, mode, lo, hi, xl, xh, 0, 0);
    else foldFloat(word, op, width, from, mode, xl, xh, lo, hi, 0, 0);
    return floatOfBits(width, word.lo, word.hi);
  };
  return { x, rises, domain, value };
}

/** The first place from which on the condition holds; one beyond the last if it never does. It stays true once it is. */
export function firstPlace(
  { first, last }: { readonly first: bigint; readonly last: bigint },
  holds: (place: bigint) => boolean,
): bigint {
  let [low, high] = [first, last + 1n];
  while (low < high) {
    const middle = (low + high) >> 1n;
    if (holds(middle)) high = middle;
    else low = middle + 1n;
  }
  return low;
}

/** x lies from `least` to `most`. */
function between(e: ExprArena, { x, domain }: Growing, least: bigint, most: bigint): ExprRef {
  if (least > most) return e.FALSE;
  const width = e.width(x);
  const { first, last, isFloat } = domain;
  const constant = (place: bigint): ExprRef => e.constantBig(width, isFloat ? bitsOfPlace(width, place) : place);
  const le = isFloat ? OPS.fle.code : first < 0n ? OPS.sle.code : OPS.ule.code;
  if (least === most) return e.binary(isFloat ? OPS.feq.code : OPS.eq.code, x, constant(least));
  const above = isFloat || least > first ? e.binary(le, constant(least), x) : e.TRUE;
  const below = isFloat || most < last ? e.binary(le, x, constant(most)) : e.TRUE;
  // Of floats one end says already that it is a number; an end at infinity says nothing else.
  if (isFloat && most === last) return above;
  if (isFloat && least === first && first < 0n) return below;
  return e.binary("and", above, below);
}

/** f op c if `isLeft`, else c op f. */
function compared(e: ExprArena, name: OpName, f: ExprRef, c: ExprRef, isLeft: boolean): ExprRef {
  const function_ = growing(e, f);
  const limit = floatOfBits(e.width(c), e.constantLow(c), e.constantHigh(c));
  if (function_ === null || Number.isNaN(limit)) return NO_MATCH;
  const { rises, domain, value } = function_;
  // The values are those from `from` on and those before `to`, in the order in which the function rises or falls.
  const from = (reached: (v: number) => boolean): bigint => firstPlace(domain, (place) => reached(value(place)));
  const atLeast = (v: number): boolean => (rises ? v >= limit : v <= limit);
  const beyond = (v: number): boolean => (rises ? v > limit : v < limit);
  if (name === "feq") return between(e, function_, from(atLeast), from(beyond) - 1n);
  const orEqual = name === "fle";
  const wantsSmall = isLeft === rises;
  if (wantsSmall) return between(e, function_, domain.first, from(orEqual ? beyond : atLeast) - 1n);
  return between(e, function_, from(orEqual ? atLeast : beyond), domain.last);
}

function rule(name: "feq" | "flt" | "fle"): Rule {
  /** match: (op (f x) c)   result: x compared with the last number for which it holds, or the first */
  return {
    name: `${name}-growing`,
    op: [name],
    left: FUNCTIONS,
    right: "constant",
    apply: (e, a, b) => compared(e, name, a, b, true),
  };
}

function reversed(name: "flt" | "fle"): Rule {
  /** match: (op c (f x))   result: the same */
  return {
    name: `${name}-to-growing`,
    op: [name],
    left: ["constant"],
    apply: (e, a, b) => compared(e, name, b, a, false),
  };
}

export const MONOTONE_RULES: readonly Rule[] = [
  ...(["feq", "flt", "fle"] as const).map(rule),
  ...(["flt", "fle"] as const).map(reversed),
];
