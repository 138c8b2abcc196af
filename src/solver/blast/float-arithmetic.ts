// Arithmetic on floating-point numbers as gates: significands are treated as integers, exactly or with one bit that says that
// something smaller follows, and rounded once (float-parts.ts). Numbers are not made to begin with a 1 before addition and
// multiplication, because rounding moves the result anyway; division and roots need it.

import { FLOAT_ROUNDING } from "../../expr/ops.js";
import { addWords, invertWord, muxWords, negateWord, subtractWords, type Word } from "./adder.js";
import { unsignedLess } from "./comparison.js";
import {
  any,
  exponentBits,
  extended,
  type Format,
  gated,
  infinity,
  normalise,
  numberWord,
  roundWord,
  shiftRightSticky,
  type Unpacked,
  unpack,
  withSpecials,
  zero,
  zeros,
} from "./float-parts.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";
import { multiplyWords } from "./multiplier.js";

export function addFloats(graph: GateGraph, f: Format, x: Word, y: Word): Word {
  // The one of the larger magnitude comes first: then nothing becomes negative.
  const swap = unsignedLess(graph, x.slice(0, -1), y.slice(0, -1));
  const a = unpack(graph, f, muxWords(graph, swap, y, x));
  const b = unpack(graph, f, muxWords(graph, swap, x, y));
  const differ = graph.xor(a.sign, b.sign);
  const distance = subtractWords(graph, a.biased, b.biased);
  const large = [...zeros(3), ...a.significand, FALSE_LITERAL];
  const small = [...shiftRightSticky(graph, [...zeros(3), ...b.significand], distance), FALSE_LITERAL];
  const sum = addWords(graph, large, muxWords(graph, differ, invertWord(small), small), differ);
  const isZero = any(graph, sum) ^ 1;
  const sign = graph.mux(isZero, graph.and(a.sign, b.sign), a.sign);
  // The sum has one bit above the larger significand, whose exponent is at least the smallest: biased - 1 + 1.
  const result = roundWord(graph, f, sign, extended(a.biased, exponentBits(f)), sum, false);
  const isNan = graph.or(graph.or(a.isNan, b.isNan), graph.and(graph.and(a.isInfinite, b.isInfinite), differ));
  return withSpecials(graph, f, result, isNan, [[a.isInfinite, infinity(f, a.sign)]]);
}

export function subtractFloats(graph: GateGraph, f: Format, x: Word, y: Word): Word {
  return addFloats(graph, f, x, [...y.slice(0, -1), y[y.length - 1] ^ 1]);
}

function product(graph: GateGraph, f: Format, a: Unpacked, b: Unpacked): Word {
  return multiplyWords(graph, extended(a.significand, 2 * f.precision), extended(b.significand, 2 * f.precision));
}

/** Of the highest bit of a product, above the smallest normal exponent: biased + biased - bias. */
function productRoom(graph: GateGraph, f: Format, a: Unpacked, b: Unpacked): Word {
  const bits = exponentBits(f);
  const sum = addWords(graph, extended(a.biased, bits), extended(b.biased, bits), FALSE_LITERAL);
  return addWords(graph, sum, numberWord(-f.bias, bits), FALSE_LITERAL);
}

export function multiplyFloats(graph: GateGraph, f: Format, x: Word, y: Word): Word {
  const a = unpack(graph, f, x);
  const b = unpack(graph, f, y);
  const sign = graph.xor(a.sign, b.sign);
  const result = roundWord(graph, f, sign, productRoom(graph, f, a, b), product(graph, f, a, b));
  const isInfinite = graph.or(a.isInfinite, b.isInfinite);
  const isNan = graph.or(
    graph.or(a.isNan, b.isNan),
    graph.or(graph.and(a.isInfinite, b.isZero), graph.and(a.isZero, b.isInfinite)),
  );
  return withSpecials(graph, f, result, isNan, [[isInfinite, infinity(f, sign)]]);
}

/**
 * x * y + z. Product and summand stand in a frame wide enough that what falls off the one that begins lower is smaller than
 * an eighth of the other's last bit, or nothing. A product of zero has an exponent that means nothing; then the result is z.
 */
export function fuseFloats(graph: GateGraph, f: Format, x: Word, y: Word, z: Word): Word {
  const a = unpack(graph, f, x);
  const b = unpack(graph, f, y);
  const c = unpack(graph, f, z);
  const bits = exponentBits(f);
  const frame = 3 * f.precision + 4;
  const sign = graph.xor(a.sign, b.sign);
  const differ = graph.xor(sign, c.sign);
  const first = product(graph, f, a, b);
  const p = [...zeros(frame - first.length), ...first];
  const q = [...zeros(frame - f.precision), ...c.significand];
  const pRoom = productRoom(graph, f, a, b);
  const qRoom = addWords(graph, extended(c.biased, bits), numberWord(-1, bits), FALSE_LITERAL);
  const difference = subtractWords(graph, pRoom, qRoom);
  const isLower = difference[bits - 1];
  const distance = muxWords(graph, isLower, negateWord(graph, difference), difference);
  const high = [...muxWords(graph, isLower, q, p), FALSE_LITERAL];
  const low = [...shiftRightSticky(graph, muxWords(graph, isLower, p, q), distance), FALSE_LITERAL];
  const total = addWords(graph, [...high, FALSE_LITERAL], signedBy(graph, differ, low), differ);
  // A set bit above the carry says that the lower one was larger after all.
  const isNegative = graph.and(differ, total[frame + 1]);
  const magnitude = muxWords(graph, isNegative, negateWord(graph, total), total).slice(0, frame + 1);
  const isZero = any(graph, magnitude) ^ 1;
  const highSign = graph.mux(isLower, c.sign, sign);
  const resultSign = graph.mux(isZero, graph.and(sign, c.sign), graph.xor(highSign, isNegative));
  const room = addWords(graph, muxWords(graph, isLower, qRoom, pRoom), zeros(bits), TRUE_LITERAL);
  const result = roundWord(graph, f, resultSign, room, magnitude);

  const isProductInfinite = graph.or(a.isInfinite, b.isInfinite);
  const isProductZero = graph.or(a.isZero, b.isZero);
  const isInvalid = graph.or(
    graph.and(isProductInfinite, isProductZero),
    graph.and(graph.and(isProductInfinite, c.isInfinite), differ),
  );
  const isNan = graph.or(graph.or(a.isNan, b.isNan), graph.or(c.isNan, isInvalid));
  const zeroSign = graph.and(sign, c.sign);
  return withSpecials(graph, f, result, isNan, [
    [isProductInfinite, infinity(f, sign)],
    [c.isInfinite, z],
    [graph.and(isProductZero, c.isZero), zero(f, zeroSign)],
    [isProductZero, z],
  ]);
}

/** One bit longer; inverted if it is to be subtracted. */
function signedBy(graph: GateGraph, differ: number, word: Word): Word {
  const longer = [...word, FALSE_LITERAL];
  return muxWords(graph, differ, invertWord(longer), longer);
}

/** With a leading 1, and the biased exponent, signed. */
function leading(graph: GateGraph, f: Format, x: Unpacked): { readonly significand: Word; readonly exponent: Word } {
  const bits = exponentBits(f);
  const { word, count } = normalise(graph, x.significand);
  return {
    significand: word,
    exponent: subtractWords(graph, extended(x.biased, bits), extended(count, bits)),
  };
}

export function divideFloats(graph: GateGraph, f: Format, x: Word, y: Word): Word {
  const a = unpack(graph, f, x);
  const b = unpack(graph, f, y);
  const sign = graph.xor(a.sign, b.sign);
  const numerator = leading(graph, f, a);
  const denominator = leading(graph, f, b);
  const divisor = extended(denominator.significand, f.precision + 1);
  // Long division; the quotient is above a half and below two, so that two bits more than the precision are enough.
  let rest = extended(numerator.significand, f.precision + 1);
  const quotient: Word = [];
  for (let step = 0; step < f.precision + 2; step++) {
    const fits = unsignedLess(graph, rest, divisor) ^ 1;
    quotient.unshift(fits);
    const less = muxWords(graph, fits, subtractWords(graph, rest, divisor), rest);
    rest = [FALSE_LITERAL, ...less.slice(0, -1)];
  }
  const bits = exponentBits(f);
  const difference = subtractWords(graph, numerator.exponent, denominator.exponent);
  const room = addWords(graph, difference, numberWord(f.bias - 1, bits), FALSE_LITERAL);
  const result = roundWord(graph, f, sign, room, [any(graph, rest), ...quotient]);
  const isNan = graph.or(
    graph.or(a.isNan, b.isNan),
    graph.or(graph.and(a.isInfinite, b.isInfinite), graph.and(a.isZero, b.isZero)),
  );
  return withSpecials(graph, f, result, isNan, [
    [graph.or(a.isInfinite, b.isZero), infinity(f, sign)],
    [graph.or(a.isZero, b.isInfinite), zero(f, sign)],
  ]);
}

export function squareRoot(graph: GateGraph, f: Format, x: Word): Word {
  const a = unpack(graph, f, x);
  const { significand, exponent } = leading(graph, f, a);
  const bits = exponentBits(f);
  const power = addWords(graph, exponent, numberWord(-f.bias, bits), FALSE_LITERAL);
  // An odd exponent gives one bit to the significand, which is then below four, and its root below two.
  const radicand = muxWords(graph, power[0], [FALSE_LITERAL, ...significand], [...significand, FALSE_LITERAL]);
  let rest: Word = [];
  let root: Word = [];
  for (let step = 0; step < f.precision + 1; step++) {
    const at = radicand.length - 1 - 2 * step;
    const bit = (place: number): number => (place >= 0 ? radicand[place] : FALSE_LITERAL);
    const width = step + 3;
    rest = extended([bit(at - 1), bit(at), ...rest], width);
    const trial = extended([TRUE_LITERAL, FALSE_LITERAL, ...root], width);
    const fits = unsignedLess(graph, rest, trial) ^ 1;
    rest = muxWords(graph, fits, subtractWords(graph, rest, trial), rest).slice(0, step + 2);
    root = [fits, ...root];
  }
  const half = [...power.slice(1), power[bits - 1]];
  const room = addWords(graph, half, numberWord(f.bias - 1, bits), FALSE_LITERAL);
  const result = roundWord(graph, f, FALSE_LITERAL, room, [any(graph, rest), ...root], false);
  const isNan = graph.or(a.isNan, graph.and(a.sign, a.isZero ^ 1));
  return withSpecials(graph, f, result, isNan, [[graph.or(a.isZero, a.isInfinite), x]]);
}

/** Of a frame that begins with an integer, two bits after it, the last sticky: one more or not, by the mode. */
function roundsUp(graph: GateGraph, mode: number, sign: number, odd: number, half: number, rest: number): number {
  const inexact = graph.or(half, rest);
  switch (mode) {
    case FLOAT_ROUNDING.towardZero:
      return FALSE_LITERAL;
    case FLOAT_ROUNDING.down:
      return graph.and(sign, inexact);
    case FLOAT_ROUNDING.up:
      return graph.and(sign ^ 1, inexact);
    case FLOAT_ROUNDING.nearestAway:
      return half;
    default:
      return graph.and(half, graph.or(rest, odd));
  }
}

/** To an integral value; `mode` as in FLOAT_ROUNDING. */
export function roundToIntegral(graph: GateGraph, f: Format, mode: number, x: Word): Word {
  const a = unpack(graph, f, x);
  const bits = exponentBits(f);
  // Numbers from 2^fraction on have no bits after the point; of smaller ones so many are.
  const after = subtractWords(graph, numberWord(f.bias + f.fraction, bits), extended(a.biased, bits));
  const isWhole = after[bits - 1];
  const frame = shiftRightSticky(graph, [...zeros(2), ...a.significand], gated(graph, isWhole ^ 1, after));
  const up = roundsUp(graph, mode, a.sign, frame[2], frame[1], frame[0]);
  const integer = addWords(graph, [...frame.slice(2), FALSE_LITERAL], zeros(f.precision + 1), up);
  const room = numberWord(f.precision + f.bias - 1, bits);
  const result = roundWord(graph, f, a.sign, room, integer, false);
  return withSpecials(graph, f, result, a.isNan, [[isWhole, x]]);
}
