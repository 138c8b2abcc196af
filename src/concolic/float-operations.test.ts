// What generated code asks for with floats, as expressions, against JavaScript's own numbers: every operation, both formats,
// on every pair of numbers that matter. A NaN must be the one NaN wherever the operation makes a number.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { SYMBOLIC_OPERATIONS, TERNARY_OPERATIONS } from "../jit/symbolic-boundary.js";
import { FLOAT_OPERATIONS, ternary } from "./float-operations.js";
import { OPERATIONS } from "./operations.js";

type Name = keyof typeof FLOAT_OPERATIONS;
const NUMBERS = [
  ...[0, 1, 1.5, 2.5, 3, 0.1, 0.5, 0.49999997, 7.25, 1e10, 16777217, 4294967295.5, 2 ** 63, 1e20, 1e300],
  ...[5e-324, 1e-40, 2 ** -149, 2 ** -1022, Number.MAX_VALUE, Infinity],
].flatMap((x) => [x, -x]);
const ALL = [...NUMBERS, Number.NaN];

const double = new Float64Array(1);
const doubleBits = new BigUint64Array(double.buffer);
const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

function bitsOf(x: number, width: number): bigint {
  if (width === 64) {
    double[0] = x;
    return Number.isNaN(x) ? 0x7ff8n << 48n : doubleBits[0];
  }
  single[0] = x;
  return Number.isNaN(x) ? 0x7fc0_0000n : BigInt(singleBits[0]);
}
const truth = (x: boolean): bigint => (x ? 1n : 0n);
const negative = (x: number): boolean => Object.is(x, -0) || x < 0;
const even = (x: number): number => {
  const below = Math.floor(x);
  if (x - below !== 0.5) return keepSign(Math.round(x), x);
  return keepSign(below % 2 === 0 ? below : below + 1, x);
};
const keepSign = (whole: number, x: number): number => (whole === 0 && negative(x) ? -0 : whole);
const away = (x: number): number => (negative(x) ? -halfUp(-x) : halfUp(x));
/** Math.round adds a half, which is wrong just below it only in old engines; large numbers are whole already. */
const halfUp = (x: number): number => (x - Math.floor(x) >= 0.5 ? Math.floor(x) + 1 : Math.floor(x));
const number = (f: (a: number, b: number) => number) => (a: number, b: number, width: number) => bitsOf(f(a, b), width);
const test = (f: (a: number, b: number) => boolean) => (a: number, b: number) => truth(f(a, b));
const unordered = (a: number, b: number): boolean => Number.isNaN(a) || Number.isNaN(b);
const toInteger = (x: number, bits: bigint, out: bigint): bigint => {
  if (Number.isNaN(x) || !Number.isFinite(x)) return out;
  const whole = BigInt(Math.trunc(x));
  return BigInt.asIntN(Number(bits), whole) === whole ? whole : out;
};
const SMALLEST = 1n << 63n;

const MEANINGS: Readonly<Record<Name, ((a: number, b: number, width: number) => bigint) | null>> = {
  fadd: number((a, b) => a + b),
  fsub: number((a, b) => a - b),
  fmul: number((a, b) => a * b),
  fdiv: number((a, b) => a / b),
  fneg: (a, _b, width) => bitsOf(a, width) ^ (1n << BigInt(width - 1)),
  fabs: (a, _b, width) => bitsOf(Math.abs(a), width),
  copysign: (a, b, width) =>
    (bitsOf(a, width) & ((1n << BigInt(width - 1)) - 1n)) | (bitsOf(b, width) & (1n << BigInt(width - 1))),
  sqrt: number((a) => Math.sqrt(a)),
  rint: number((a) => even(a)),
  "trunc.f": number((a) => Math.trunc(a)),
  floor: number((a) => Math.floor(a)),
  ceil: number((a) => Math.ceil(a)),
  round: number((a) => away(a)),
  fraction: number((a) => {
    const rest = Number.isFinite(a) ? a - Math.trunc(a) : a / a === 1 ? 0 : Number.isNaN(a) ? a : 0;
    return rest === 0 ? (negative(a) ? -0 : 0) : rest;
  }),
  minnum: number((a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b))),
  maxnum: number((a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.max(a, b))),
  minimum: number((a, b) => Math.min(a, b)),
  maximum: number((a, b) => Math.max(a, b)),
  oeq: test((a, b) => a === b),
  ogt: test((a, b) => a > b),
  oge: test((a, b) => a >= b),
  olt: test((a, b) => a < b),
  ole: test((a, b) => a <= b),
  one: test((a, b) => a < b || a > b),
  ord: test((a, b) => !unordered(a, b)),
  ueq: test((a, b) => a === b || unordered(a, b)),
  "ugt.f": test((a, b) => a > b || unordered(a, b)),
  "uge.f": test((a, b) => a >= b || unordered(a, b)),
  "ult.f": test((a, b) => a < b || unordered(a, b)),
  "ule.f": test((a, b) => a <= b || unordered(a, b)),
  une: test((a, b) => a !== b),
  uno: test(unordered),
  fconvert: (a, _b, width) => bitsOf(a, 96 - width),
  fptosi: (a) => BigInt.asUintN(64, toInteger(a, 64n, SMALLEST)),
  fptoui: (a) => BigInt.asUintN(64, a >= 2 ** 63 && a < 2 ** 64 ? BigInt(a) : toInteger(a, 64n, SMALLEST)),
  sitofp: null,
  uitofp: null,
  f80Significand: null,
  f80Exponent: null,
  f80ToDouble: null,
  f80ToFloat: null,
};

function operand(arena: ExprArena, first: number, width: number): ExprRef {
  let result = arena.variable(first);
  for (let i = 1; i * 8 < width; i++) result = arena.concat(arena.variable(first + i), result);
  return result;
}
function setOperand(model: Uint8Array, first: number, value: bigint): void {
  for (let i = 0; i < 8; i++) model[first + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}
const rounded = (x: number, width: number): number => (width === 32 ? Math.fround(x) : x);

describe("operations on floats", () => {
  for (const name of Object.keys(FLOAT_OPERATIONS) as Name[]) {
    const meaning = MEANINGS[name];
    if (meaning === null) continue;
    it(`${name} means what IEEE and the machine say`, () => {
      const code = SYMBOLIC_OPERATIONS.indexOf(name);
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const model = new Uint8Array(24);
      for (const width of [32, 64]) {
        const toWidth = name === "fconvert" ? 96 - width : 64;
        const expression = OPERATIONS[code](arena, operand(arena, 0, width), operand(arena, 8, width), width, toWidth);
        for (const x of ALL) {
          for (const y of ALL) {
            const [a, b] = [rounded(x, width), rounded(y, width)];
            setOperand(model, 0, bitsOf(a, width));
            setOperand(model, 8, bitsOf(b, width));
            evaluator.load(model);
            const meant = meaning(a, b, width);
            assert.equal(evaluator.big(expression), meant, `${name} of ${a} and ${b}, ${width} bits`);
          }
        }
      }
    });
  }

  it("integers of every width become floats", () => {
    const arena = new ExprArena();
    for (const [value, width] of [
      [-1n, 8],
      [-5n, 32],
      [(1n << 63n) + 1025n, 64],
      [200n, 8],
      [0n, 16],
    ] as const) {
      const constant = arena.constantBig(width, value);
      const signed = OPERATIONS[SYMBOLIC_OPERATIONS.indexOf("sitofp")](arena, constant, constant, width, 64);
      const unsigned = OPERATIONS[SYMBOLIC_OPERATIONS.indexOf("uitofp")](arena, constant, constant, width, 64);
      assert.equal(arena.constantBigValue(signed), bitsOf(Number(BigInt.asIntN(width, value)), 64));
      assert.equal(arena.constantBigValue(unsigned), bitsOf(Number(BigInt.asUintN(width, value)), 64));
    }
  });

  it("a product and a sum are rounded once or twice", () => {
    const arena = new ExprArena();
    const x = arena.constantBig(64, bitsOf(1 + 2 ** -30, 64));
    const minus = arena.constantBig(64, bitsOf(-(1 + 2 ** -29), 64));
    const results = TERNARY_OPERATIONS.map((_, code) => arena.constantBigValue(ternary(arena, code, x, x, minus)));
    assert.deepEqual(results, [bitsOf(2 ** -60, 64), bitsOf(0, 64)]);
  });
});
