// Doubles as 80 bits and back, against the formats' own definitions in whole numbers.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { exponentOf, significandOf, toDouble, toFloat } from "./float80-operations.js";

const BIAS = 16383;
const view = new DataView(new ArrayBuffer(8));

function bitsOf(x: number): bigint {
  view.setFloat64(0, x);
  return view.getBigUint64(0);
}
function numberOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
function singleOf(bits: bigint): number {
  view.setUint32(0, Number(bits));
  return view.getFloat32(0);
}

/** significand * 2^(exponent - BIAS - 63), exactly: as units of 2^-1200, rounded to double by what defines it. */
function exactly(significand: bigint, exponent: number): number {
  const shift = exponent - BIAS - 63;
  // Number(bigint) rounds to nearest, ties to even; below the least normal number the last place is fixed.
  const least = -1074;
  if (shift >= least) return Number(significand) * 2 ** Math.min(shift, 1000) * 2 ** Math.max(0, shift - 1000);
  const size = significand.toString(2).length;
  if (shift + size - 1 >= -1022) {
    const whole = Number(significand);
    return whole * 2 ** -500 * 2 ** (shift + 500);
  }
  const cut = BigInt(least - shift);
  const kept = significand >> cut;
  const rest = significand - (kept << cut);
  const half = 1n << (cut - 1n);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  return Number(kept + (up ? 1n : 0n)) * 2 ** -1074;
}

const NUMBERS = [0, 1, 1.5, 0.1, 1e300, 1e-300, 5e-324, 2.5e-310, 2 ** -1022, Number.MAX_VALUE, Infinity];

describe("80-bit numbers", () => {
  const arena = new ExprArena();
  const random = new Random(7);
  const constant = (bits: bigint): ExprRef => arena.constantBig(64, bits);
  const value = (e: ExprRef): bigint => arena.constantBigValue(e);
  const some = (): bigint => (BigInt(random.next()) << 32n) | BigInt(random.next());

  it("a double is the same number", () => {
    const doubles = [...NUMBERS.flatMap((x) => [x, -x]).map(bitsOf), ...Array.from({ length: 500 }, some)];
    for (const bits of doubles) {
      const x = numberOf(bits);
      const low = significandOf(arena, constant(bits));
      const high = exponentOf(arena, constant(bits));
      if (Number.isFinite(x)) {
        const size = exactly(value(low), Number(value(high) & 0x7fffn));
        assert.ok(Object.is((value(high) & 0x8000n) === 0n ? size : -size, x), `${x}`);
        if (x !== 0) assert.equal(value(low) >> 63n, 1n);
      } else assert.equal(value(high) & 0x7fffn, 0x7fffn);
      assert.equal(value(toDouble(arena, low, high)), Number.isNaN(x) ? bits | (1n << 51n) : bits, `${x}`);
    }
  });

  it("what is narrowed is rounded once", () => {
    for (let n = 0; n < 3000; n++) {
      const low = some() | (1n << 63n);
      const near = n % 3 === 0 ? 1023 : n % 3 === 1 ? 150 : 1080;
      const exponent = BIAS + (random.next() % (2 * near)) - near;
      const negative = random.next() % 2 === 1;
      // Often exactly half way.
      const significand = n % 2 === 0 ? low & ~0x3ffn : low;
      const high = constant((negative ? 0x8000n : 0n) | BigInt(exponent));
      const size = exactly(significand, exponent);
      const double = numberOf(value(toDouble(arena, constant(significand), high)));
      assert.ok(Object.is(double, negative ? -size : size), `${significand} ${exponent}`);
      const single = singleOf(value(toFloat(arena, constant(significand & ~0xffffffn), high)));
      // 40 bits are exact in a double, so that only one rounding is left; but for what is denormal there.
      if (exponent > BIAS - 900) {
        const short = Math.fround(exactly(significand & ~0xffffffn, exponent));
        assert.ok(Object.is(single, negative ? -short : short), `${significand} ${exponent}`);
      }
    }
  });

  it("what is no number stays none, and what is invalid becomes one", () => {
    assert.equal(value(toDouble(arena, constant((1n << 63n) | 0x800n), constant(0xffffn))), 0xfff8_0000_0000_0001n);
    assert.equal(value(toDouble(arena, constant(1n), constant(1n))), 0xfff8_0000_0000_0000n);
    assert.equal(value(toFloat(arena, constant(1n << 63n), constant(0xffffn))), 0xff80_0000n);
    assert.equal(value(toDouble(arena, constant(5n), constant(0x8000n))), 1n << 63n);
  });

  it("there and back is the double itself, and a signalling NaN a quiet one", () => {
    let x = arena.variable(0);
    for (let n = 1; n < 8; n++) x = arena.concat(arena.variable(n), x);
    const sum = arena.binary("fadd", x, constant(bitsOf(1.5)));
    const back = toDouble(arena, significandOf(arena, sum), exponentOf(arena, sum));
    const isNumber = arena.binary("feq", sum, sum);
    assert.equal(back, arena.ite(isNumber, sum, arena.binary("or", sum, constant(1n << 51n))));
  });
});
