// Floating-point numbers taken apart and put together again, as gates. A number is sign * significand * 2^exponent; what an
// operation computes exactly is rounded in one place, `roundWord`: moved so that its first bit stands where the format wants it,
// as far as the smallest exponent allows, and rounded to nearest, ties to even. Bits that fall off the low end are gathered
// in the lowest bit that stays ("sticky"), which is all that rounding needs to know of them.

import { addWords, muxWords, negateWord, type Word } from "./adder.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";

export interface Format {
  readonly width: number;
  /** Bits of the exponent and of the fraction as stored. */
  readonly exponent: number;
  readonly fraction: number;
  /** Bits of a significand, the one that is not stored among them. */
  readonly precision: number;
  readonly bias: number;
}

const SINGLE: Format = { width: 32, exponent: 8, fraction: 23, precision: 24, bias: 127 };
const DOUBLE: Format = { width: 64, exponent: 11, fraction: 52, precision: 53, bias: 1023 };

export function formatOf(width: number): Format {
  return width === 32 ? SINGLE : DOUBLE;
}

/** Bits in which exponents of intermediate results are computed, signed; sums of three of them fit. */
export function exponentBits(f: Format): number {
  return f.exponent + 3;
}

export interface Unpacked {
  readonly sign: number;
  /** As stored, but 1 where 0 is stored: the exponent plus the bias. */
  readonly biased: Word;
  /** With the leading bit, which is 0 for the smallest numbers. */
  readonly significand: Word;
  readonly isNan: number;
  readonly isInfinite: number;
  readonly isZero: number;
}

export function any(graph: GateGraph, literals: readonly number[]): number {
  return graph.conjunction(literals.map((literal) => literal ^ 1)) ^ 1;
}

function all(graph: GateGraph, literals: readonly number[]): number {
  return graph.conjunction(literals);
}

/** The lowest `width` bits of a number, which may be negative. */
export function numberWord(value: number, width: number): Word {
  const word: Word = [];
  let rest = value;
  for (let i = 0; i < width; i++) {
    word.push(((rest % 2) + 2) % 2 === 1 ? TRUE_LITERAL : FALSE_LITERAL);
    rest = Math.floor(rest / 2);
  }
  return word;
}

export function zeros(count: number): Word {
  return new Array(count).fill(FALSE_LITERAL);
}

/** As a word of so many bits, without a sign. */
export function extended(word: Word, width: number): Word {
  return [...word, ...zeros(width - word.length)];
}

/** All bits of the word, or none. */
export function gated(graph: GateGraph, condition: number, word: Word): Word {
  return word.map((literal) => graph.and(condition, literal));
}

export function unpack(graph: GateGraph, f: Format, word: Word): Unpacked {
  const fraction = word.slice(0, f.fraction);
  const stored = word.slice(f.fraction, f.fraction + f.exponent);
  const isNormal = any(graph, stored);
  const hasFraction = any(graph, fraction);
  const isSpecial = all(graph, stored);
  return {
    sign: word[f.width - 1],
    biased: [graph.or(stored[0], isNormal ^ 1), ...stored.slice(1)],
    significand: [...fraction, isNormal],
    isNan: graph.and(isSpecial, hasFraction),
    isInfinite: graph.and(isSpecial, hasFraction ^ 1),
    isZero: graph.and(isNormal ^ 1, hasFraction ^ 1),
  };
}

export function infinity(f: Format, sign: number): Word {
  return [...zeros(f.fraction), ...new Array(f.exponent).fill(TRUE_LITERAL), sign];
}

export function zero(f: Format, sign: number): Word {
  return [...zeros(f.width - 1), sign];
}

function nan(f: Format): Word {
  const word = infinity(f, FALSE_LITERAL);
  word[f.fraction - 1] = TRUE_LITERAL;
  return word;
}

/** The result, unless one of these is so: the first that is decides. */
export function withSpecials(
  graph: GateGraph,
  f: Format,
  result: Word,
  isNan: number,
  specials: readonly (readonly [condition: number, word: Word])[],
): Word {
  let word = result;
  for (let i = specials.length - 1; i >= 0; i--) word = muxWords(graph, specials[i][0], specials[i][1], word);
  return muxWords(graph, isNan, nan(f), word);
}

/** Moved to the low end; what falls off is gathered in the lowest bit. */
export function shiftRightSticky(graph: GateGraph, x: Word, amount: Word): Word {
  const width = x.length;
  let word = x;
  let lost = FALSE_LITERAL;
  const far: number[] = [];
  for (let bit = 0; bit < amount.length; bit++) {
    const distance = 2 ** bit;
    if (distance >= width) {
      far.push(amount[bit]);
      continue;
    }
    lost = graph.or(lost, graph.and(amount[bit], any(graph, word.slice(0, distance))));
    word = muxWords(graph, amount[bit], [...word.slice(distance), ...zeros(distance)], word);
  }
  const isFar = any(graph, far);
  lost = graph.mux(isFar, any(graph, x), lost);
  word = gated(graph, isFar ^ 1, word);
  return [graph.or(word[0], lost), ...word.slice(1)];
}

/** Moved to the high end until the highest bit is set; by how much is the count. */
export function normalise(graph: GateGraph, x: Word): { readonly word: Word; readonly count: Word } {
  let word = x;
  const count: Word = [];
  for (let k = topStage(x.length); k >= 0; k--) {
    const distance = 2 ** k;
    const isEmpty = any(graph, word.slice(-distance)) ^ 1;
    word = muxWords(graph, isEmpty, [...zeros(distance), ...word.slice(0, -distance)], word);
    count.unshift(isEmpty);
  }
  return { word, count };
}

function topStage(width: number): number {
  return Math.max(0, Math.ceil(Math.log2(width)) - 1);
}

/**
 * The float nearest to word * 2^(room + smallest normal exponent - word's length + 1): `room` says how far the highest bit
 * of the word stands above the place where the format's smallest normal number begins. It is signed; if it is known never
 * to be negative, `mayBeSmall` is false and gates are saved. A word of zero gives a zero.
 */
export function roundWord(
  graph: GateGraph,
  f: Format,
  sign: number,
  room: Word,
  significand: Word,
  mayBeSmall = true,
): Word {
  const missing = f.precision + 2 - significand.length;
  let word = missing > 0 ? [...zeros(missing), ...significand] : significand;
  let left = room;
  if (mayBeSmall) {
    const isSmall = room[room.length - 1];
    word = shiftRightSticky(graph, word, gated(graph, isSmall, negateWord(graph, room)));
    left = gated(graph, isSmall ^ 1, room);
  }
  for (let k = topStage(word.length); k >= 0; k--) {
    const distance = 2 ** k;
    const isEmpty = any(graph, word.slice(-distance)) ^ 1;
    const moves = graph.and(isEmpty, any(graph, left.slice(k)));
    word = muxWords(graph, moves, [...zeros(distance), ...word.slice(0, -distance)], word);
    const high = left.slice(k);
    left = [...left.slice(0, k), ...addWords(graph, high, new Array(high.length).fill(moves), FALSE_LITERAL)];
  }
  const length = word.length;
  const kept = word.slice(length - f.precision);
  const guard = word[length - f.precision - 1];
  const sticky = any(graph, word.slice(0, length - f.precision - 1));
  const up = graph.and(guard, graph.or(sticky, kept[0]));
  // The leading bit adds one to the exponent, and so does a carry out of the fraction.
  const leading = kept[f.fraction];
  const base = [...kept.slice(0, f.fraction), ...gated(graph, leading, left)];
  const one = extended([...zeros(f.fraction), leading], base.length);
  const packed = addWords(graph, base, one, up);
  const exponent = packed.slice(f.fraction);
  const overflows = graph.or(any(graph, exponent.slice(f.exponent)), all(graph, exponent.slice(0, f.exponent)));
  return muxWords(graph, overflows, infinity(f, sign), [...packed.slice(0, f.width - 1), sign]);
}
