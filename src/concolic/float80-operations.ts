// Between double and the 80-bit format of long double, as expressions: what runtime/trusted/float80-convert.c computes, bit for
// bit. Arithmetic in 80 bits is not followed, but libc passes numbers through long double that it has computed as doubles
// (scanf), and there and back again is the number itself.

import type { ExprArena } from "../expr/arena.js";
import { type ExprRef, OPS } from "../expr/ops.js";
import { leadingZeros } from "./bit-counting.js";

const ADD = OPS.add.code;
const SUB = OPS.sub.code;
const AND = OPS.and.code;
const OR = OPS.or.code;
const EQ = OPS.eq.code;
const ULT = OPS.ult.code;
const SLE = OPS.sle.code;
const SHL = OPS.shl.code;
const LSHR = OPS.lshr.code;

const BIAS = 16383;
const LARGEST = 0x7fff;

/** The significand, 64 bits, of a double. */
export function significandOf(arena: ExprArena, x: ExprRef): ExprRef {
  const exponent = arena.extract(x, 52, 11);
  const fraction = arena.binary(SHL, arena.zext(arena.extract(x, 0, 52), 64), arena.constant(64, 11, 0));
  const top = word(arena, 1n << 63n);
  const none = isZero(arena, fraction);
  const denormal = arena.binary(SHL, fraction, leadingZeros(arena, fraction, 64));
  const quiet = arena.ite(none, arena.zero(64), word(arena, 1n << 62n));
  const special = arena.binary(OR, arena.binary(OR, top, fraction), quiet);
  const normal = arena.binary(OR, top, fraction);
  const small = arena.ite(none, arena.zero(64), denormal);
  const significand = byExponent(arena, exponent, special, normal, small);
  originsIn(arena).set(significand, x);
  return significand;
}

/** Its sign and exponent, in the low 16 of 64 bits. */
export function exponentOf(arena: ExprArena, x: ExprRef): ExprRef {
  const exponent = arena.extract(x, 52, 11);
  const fraction = arena.binary(SHL, arena.zext(arena.extract(x, 0, 52), 64), arena.constant(64, 11, 0));
  const wide = arena.zext(exponent, 15);
  const normal = arena.binary(ADD, wide, arena.constant(15, BIAS - 1023, 0));
  const shift = arena.extract(leadingZeros(arena, fraction, 64), 0, 15);
  const denormal = arena.binary(SUB, arena.constant(15, 1 - 1023 + BIAS, 0), shift);
  const small = arena.ite(isZero(arena, fraction), arena.zero(15), denormal);
  const biased = byExponent(arena, exponent, arena.constant(15, LARGEST, 0), normal, small);
  return arena.zext(arena.concat(arena.extract(x, 63, 1), biased), 64);
}

function byExponent(arena: ExprArena, exponent: ExprRef, special: ExprRef, normal: ExprRef, small: ExprRef): ExprRef {
  const isSpecial = arena.binary(EQ, exponent, arena.allOnes(11));
  return arena.ite(isSpecial, special, arena.ite(isZero(arena, exponent), small, normal));
}

/** Back to double: `high` holds sign and exponent in its low 16 bits. */
export function toDouble(arena: ExprArena, low: ExprRef, high: ExprRef): ExprRef {
  const origin = originOf(arena, low, high);
  if (origin === null) return narrowed(arena, low, high, 53, 11);
  // There and back: only a signalling NaN becomes a quiet one.
  const isNumber = arena.binary(OPS.feq.code, origin, origin);
  return arena.ite(isNumber, origin, arena.binary(OR, origin, word(arena, 1n << 51n)));
}

export function toFloat(arena: ExprArena, low: ExprRef, high: ExprRef): ExprRef {
  return narrowed(arena, low, high, 24, 8);
}

/** By significand: the double that it was made of last. */
interface Origins {
  readonly generation: number;
  readonly bySignificand: Map<ExprRef, ExprRef>;
}
const ORIGINS = new WeakMap<ExprArena, Origins>();

function originsIn(arena: ExprArena): Map<ExprRef, ExprRef> {
  let origins = ORIGINS.get(arena);
  if (origins === undefined || origins.generation !== arena.generation) {
    origins = { generation: arena.generation, bySignificand: new Map() };
    ORIGINS.set(arena, origins);
  }
  return origins.bySignificand;
}

/** The double that both parts were made of; null if there is none. */
function originOf(arena: ExprArena, low: ExprRef, high: ExprRef): ExprRef | null {
  const origin = originsIn(arena).get(low);
  return origin !== undefined && exponentOf(arena, origin) === high ? origin : null;
}

/** Rounded once, to a format of `bits` of significand (the first one implicit) and so many of exponent. */
function narrowed(arena: ExprArena, low: ExprRef, high: ExprRef, bits: number, exponentBits: number): ExprRef {
  const largest = (1 << exponentBits) - 1;
  const bias = largest >> 1;
  const number = (n: number): ExprRef => arena.constant(64, n, n < 0 ? -1 : 0);
  const top = word(arena, 1n << 63n);
  const quiet = word(arena, 1n << 62n);
  const infinite = word(arena, BigInt(largest) << BigInt(bits - 1));
  const signPlace = BigInt(bits - 1 + exponentBits);
  const biased = arena.binary(AND, high, number(LARGEST));
  const isNegative = arena.extract(high, 15, 1);
  const sign = arena.ite(isNegative, word(arena, 1n << signPlace), arena.zero(64));
  const zeroExponent = isZero(arena, biased);
  const hasTop = arena.extract(low, 63, 1);
  const isInvalid = arena.binary(AND, arena.not(zeroExponent), arena.not(hasTop));
  const cut = (significand: ExprRef): ExprRef =>
    arena.binary(LSHR, arena.binary(SHL, significand, number(1)), number(65 - bits));
  const exponent = arena.binary(ADD, biased, number(bias - BIAS));
  const isSmall = arena.binary(SLE, exponent, arena.zero(64));
  const dropped = arena.ite(isSmall, arena.binary(SUB, number(64 - bits + 1), exponent), number(64 - bits));
  const kept = arena.binary(LSHR, low, dropped);
  const lost = arena.binary(SHL, low, arena.binary(SUB, number(64), dropped));
  const isTie = arena.binary(AND, arena.binary(EQ, lost, top), arena.extract(kept, 0, 1));
  const up = arena.zext(arena.binary(OR, arena.binary(ULT, top, lost), isTie), 64);
  const below = arena.binary(SUB, exponent, number(1));
  const field = arena.ite(isSmall, arena.zero(64), arena.binary(SHL, below, number(bits - 1)));
  const rounded = arena.binary(ADD, arena.binary(ADD, field, kept), up);
  const finite = arena.ite(arena.binary(ULT, number(64), dropped), arena.zero(64), rounded);
  const isLarge = arena.binary(SLE, number(largest), exponent);
  // With the largest exponent: a NaN keeps its bits and becomes quiet.
  const isSpecial = arena.binary(EQ, biased, number(LARGEST));
  const payload = arena.ite(arena.binary(EQ, low, top), arena.zero(64), cut(arena.binary(OR, low, quiet)));
  const size = arena.ite(isSpecial, arena.binary(OR, infinite, payload), arena.ite(isLarge, infinite, finite));
  // No exponent at all: far below the least number of either format.
  const magnitude = arena.ite(zeroExponent, arena.zero(64), size);
  const indefinite = word(arena, (1n << signPlace) | (BigInt(largest) << BigInt(bits - 1)) | (1n << BigInt(bits - 2)));
  const result = arena.ite(isInvalid, indefinite, arena.binary(OR, sign, magnitude));
  return arena.extract(result, 0, bits + exponentBits);
}

function isZero(arena: ExprArena, e: ExprRef): ExprRef {
  return arena.binary(EQ, e, arena.zero(arena.width(e)));
}

function word(arena: ExprArena, value: bigint): ExprRef {
  return arena.constantBig(64, value);
}
