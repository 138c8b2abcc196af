// Floating-point numbers compared and converted, as gates.

import { addWords, muxWords, negateWord, subtractWords, type Word } from "./adder.js";
import { equalWords, unsignedLess } from "./comparison.js";
import {
  any,
  exponentBits,
  extended,
  type Format,
  infinity,
  numberWord,
  roundWord,
  unpack,
  withSpecials,
  zeros,
} from "./float-parts.js";
import { FALSE_LITERAL, type GateGraph, TRUE_LITERAL } from "./gates.js";
import { shiftRightLogical } from "./shifter.js";

type Comparison = "equal" | "less" | "lessOrEqual";

/** False if one is not a number; the zeros are equal; else signs first, then magnitudes. */
export function compareFloats(graph: GateGraph, f: Format, how: Comparison, x: Word, y: Word): number {
  const a = unpack(graph, f, x);
  const b = unpack(graph, f, y);
  const areNumbers = graph.and(a.isNan ^ 1, b.isNan ^ 1);
  const areZeros = graph.and(a.isZero, b.isZero);
  if (how === "equal") return graph.and(areNumbers, graph.or(areZeros, equalWords(graph, x, y)));
  const p = x.slice(0, -1);
  const q = y.slice(0, -1);
  const below = how === "less" ? unsignedLess(graph, p, q) : unsignedLess(graph, q, p) ^ 1;
  const above = how === "less" ? unsignedLess(graph, q, p) : unsignedLess(graph, p, q) ^ 1;
  const negative = graph.mux(b.sign, above, TRUE_LITERAL);
  const positive = graph.mux(b.sign, FALSE_LITERAL, below);
  const ordered = graph.mux(a.sign, negative, positive);
  const result = how === "less" ? graph.and(areZeros ^ 1, ordered) : graph.or(areZeros, ordered);
  return graph.and(areNumbers, result);
}

/** To the other width. */
export function convertFloat(graph: GateGraph, from: Format, to: Format, x: Word): Word {
  const a = unpack(graph, from, x);
  const bits = exponentBits(from.width > to.width ? from : to);
  const room = addWords(graph, extended(a.biased, bits), numberWord(to.bias - from.bias - 1, bits), FALSE_LITERAL);
  const result = roundWord(graph, to, a.sign, room, a.significand, to.width < from.width);
  return withSpecials(graph, to, result, a.isNan, [[a.isInfinite, infinity(to, a.sign)]]);
}

/**
 * Toward zero. Where the integer does not hold it, or there is no number, the smallest one; without a sign the numbers from
 * 2^(width - 1) on that fit are held as well.
 */
export function integerOfFloat(graph: GateGraph, f: Format, width: number, signed: boolean, x: Word): Word {
  const a = unpack(graph, f, x);
  const bits = exponentBits(f);
  const biased = extended(a.biased, bits);
  // How far the significand, put at the top of the integer, must go down: for what is below 1 further than there are bits.
  const amount = subtractWords(graph, numberWord(f.bias + width - 1, bits), biased);
  const isTop = any(graph, amount) ^ 1;
  const fits = graph.and(amount[bits - 1] ^ 1, isTop ^ 1);
  const top = [...zeros(Math.max(0, width - f.precision)), ...a.significand].slice(-width);
  const magnitude = shiftRightLogical(graph, top, amount);
  const value = muxWords(graph, a.sign, negateWord(graph, magnitude), magnitude);
  const holds = signed ? fits : graph.or(fits, graph.and(isTop, a.sign ^ 1));
  return muxWords(graph, holds, value, numberWord(2 ** (width - 1), width));
}

export function floatOfInteger(graph: GateGraph, f: Format, signed: boolean, x: Word): Word {
  const sign = signed ? x[x.length - 1] : FALSE_LITERAL;
  const magnitude = muxWords(graph, sign, negateWord(graph, x), x);
  const room = numberWord(x.length - 1 + f.bias - 1, exponentBits(f));
  return roundWord(graph, f, sign, room, magnitude, false);
}
