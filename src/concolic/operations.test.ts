import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { SYMBOLIC_OPERATIONS, type SymbolicOperation } from "../jit/symbolic-boundary.js";
import { Random } from "../support/random.js";
import { FLOAT_OPERATIONS } from "./float-operations.js";
import { OPERATIONS } from "./operations.js";

const WIDTHS = [1, 2, 3, 5, 6, 7, 8, 16, 24, 32, 48, 64, 65, 80, 128];
const ROUNDS = 24;

/** LLVM's meaning on unsigned numbers of `width` bits, and the machine's where LLVM has none; null: not defined at all. */
type Meaning = (a: bigint, b: bigint, width: number) => bigint | null;

const mask = (width: number): bigint => (1n << BigInt(width)) - 1n;
const signed = (x: bigint, width: number): bigint => BigInt.asIntN(width, x);
const word = (width: number): bigint => (width <= 32 ? 32n : width <= 64 ? 64n : 128n);
const truth = (x: boolean): bigint => (x ? 1n : 0n);
const fits = (x: bigint, width: number): boolean => signed(x, width) === x;
const fitsUnsigned = (x: bigint, width: number): boolean => x >= 0n && x <= mask(width);
const clamp = (x: bigint, low: bigint, high: bigint): bigint => (x < low ? low : x > high ? high : x);
const clampSigned = (x: bigint, width: number): bigint =>
  clamp(x, -(1n << BigInt(width - 1)), (1n << BigInt(width - 1)) - 1n);
const bits = (x: bigint, width: number): string => x.toString(2).padStart(width, "0");
const smaller = (x: bigint, y: bigint): boolean => x < y;

/** Of integers; those of floats have a test of their own. */
type IntegerOperation = Exclude<SymbolicOperation, keyof typeof FLOAT_OPERATIONS>;
const isInteger = (name: SymbolicOperation): name is IntegerOperation => !Object.hasOwn(FLOAT_OPERATIONS, name);

const MEANINGS: Readonly<Record<IntegerOperation, Meaning>> = {
  none: (a) => a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  udiv: (a, b) => (b === 0n ? null : a / b),
  sdiv: (a, b, w) => (b === 0n ? null : signed(a, w) / signed(b, w)),
  urem: (a, b) => (b === 0n ? null : a % b),
  srem: (a, b, w) => (b === 0n ? null : signed(a, w) % signed(b, w)),
  shl: (a, b, w) => a << (b % word(w)),
  lshr: (a, b, w) => a >> (b % word(w)),
  ashr: (a, b, w) => signed(a, w) >> (b % word(w)),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  eq: (a, b) => truth(a === b),
  ne: (a, b) => truth(a !== b),
  ugt: (a, b) => truth(a > b),
  uge: (a, b) => truth(a >= b),
  ult: (a, b) => truth(a < b),
  ule: (a, b) => truth(a <= b),
  sgt: (a, b, w) => truth(signed(a, w) > signed(b, w)),
  sge: (a, b, w) => truth(signed(a, w) >= signed(b, w)),
  slt: (a, b, w) => truth(signed(a, w) < signed(b, w)),
  sle: (a, b, w) => truth(signed(a, w) <= signed(b, w)),
  trunc: (a) => a,
  zext: (a) => a,
  sext: (a, _b, w) => signed(a, w),
  uaddOverflows: (a, b, w) => truth(!fitsUnsigned(a + b, w)),
  saddOverflows: (a, b, w) => truth(!fits(signed(a, w) + signed(b, w), w)),
  usubOverflows: (a, b, w) => truth(!fitsUnsigned(a - b, w)),
  ssubOverflows: (a, b, w) => truth(!fits(signed(a, w) - signed(b, w), w)),
  umulOverflows: (a, b, w) => truth(!fitsUnsigned(a * b, w)),
  smulOverflows: (a, b, w) => truth(!fits(signed(a, w) * signed(b, w), w)),
  uaddSaturated: (a, b, w) => clamp(a + b, 0n, mask(w)),
  saddSaturated: (a, b, w) => clampSigned(signed(a, w) + signed(b, w), w),
  usubSaturated: (a, b, w) => clamp(a - b, 0n, mask(w)),
  ssubSaturated: (a, b, w) => clampSigned(signed(a, w) - signed(b, w), w),
  umin: (a, b) => (smaller(a, b) ? a : b),
  umax: (a, b) => (smaller(a, b) ? b : a),
  smin: (a, b, w) => (smaller(signed(a, w), signed(b, w)) ? a : b),
  smax: (a, b, w) => (smaller(signed(a, w), signed(b, w)) ? b : a),
  abs: (a, _b, w) => (signed(a, w) < 0n ? -signed(a, w) : a),
  popcount: (a, _b, w) => BigInt([...bits(a, w)].filter((bit) => bit === "1").length),
  leadingZeros: (a, _b, w) => BigInt((bits(a, w).match(/^0*/) as RegExpMatchArray)[0].length),
  trailingZeros: (a, _b, w) => BigInt((bits(a, w).match(/0*$/) as RegExpMatchArray)[0].length),
  byteSwap: (a, _b, w) => (w % 16 !== 0 ? null : BigInt(`0b${(bits(a, w).match(/.{8}/g) ?? []).reverse().join("")}`)),
  bitReverse: (a, _b, w) => BigInt(`0b${[...bits(a, w)].reverse().join("")}`),
  rotateLeft: (a, b, w) => (a << (b % BigInt(w))) | (a >> (BigInt(w) - (b % BigInt(w)))),
  rotateRight: (a, b, w) => (a >> (b % BigInt(w))) | (a << (BigInt(w) - (b % BigInt(w)))),
};

/** Values that matter: extremes, small numbers, the width's neighbours, and anything. */
function interesting(random: Random, width: number): bigint {
  const size = BigInt(width);
  const special = [0n, 1n, 2n, 3n, -1n, -2n, 1n << (size - 1n), (1n << (size - 1n)) - 1n, size - 1n, size, size + 1n];
  const choice = random.next() % (special.length * 2);
  if (choice < special.length) return special[choice] & mask(width);
  let value = 0n;
  for (let i = 0; i < 4; i++) value = (value << 32n) | BigInt(random.next());
  return (value >> BigInt(random.next() % 96)) & mask(width);
}

/** An expression of `width` bits over 16 input bytes from `first` on. */
function operand(arena: ExprArena, first: number, width: number): ExprRef {
  let result = arena.variable(first);
  for (let i = 1; i * 8 < width; i++) result = arena.concat(arena.variable(first + i), result);
  return arena.extract(result, 0, width);
}

function setOperand(model: Uint8Array, first: number, value: bigint): void {
  for (let i = 0; i < 16; i++) model[first + i] = Number((value >> BigInt(8 * i)) & 0xffn);
}

describe("operations", () => {
  for (const [code, name] of SYMBOLIC_OPERATIONS.entries()) {
    if (!isInteger(name)) continue;
    const comparison = /^(eq|ne|[us][gl][te])$|Overflows$/.test(name);
    it(`${name} means what LLVM and the machine say, at every width`, () => {
      const random = new Random(code + 1);
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const model = new Uint8Array(32);
      let compared = 0;
      for (const width of WIDTHS) {
        const toWidth = name === "trunc" ? 1 + (random.next() % width) : width + (random.next() % 70);
        const a = operand(arena, 0, width);
        const b = operand(arena, 16, width);
        for (let round = 0; round < ROUNDS; round++) {
          const x = interesting(random, width);
          const y = interesting(random, width);
          setOperand(model, 0, x);
          setOperand(model, 16, y);
          evaluator.load(model);
          const meant = MEANINGS[name](x, y, width);
          if (meant === null) continue;
          const isCast: boolean = name === "trunc" || name === "zext" || name === "sext";
          const resultWidth: number = comparison ? 1 : isCast ? toWidth : width;
          const constantX = arena.constantBig(width, x);
          const constantY = arena.constantBig(width, y);
          for (const [left, right] of [
            [a, b],
            [a, constantY],
            [constantX, b],
          ] as const) {
            const result = OPERATIONS[code](arena, left, right, width, toWidth);
            assert.equal(arena.width(result), resultWidth, `width of ${name} at ${width}`);
            assert.equal(
              evaluator.big(result),
              meant & mask(resultWidth),
              `${name} of ${x} and ${y} at width ${width}`,
            );
            compared++;
          }
        }
      }
      assert.ok(compared >= ROUNDS);
    });
  }

  it("a shift by a constant below the width is the plain shift", () => {
    const arena = new ExprArena();
    const a = operand(arena, 0, 32);
    const five = arena.constant(32, 5, 0);
    const code = SYMBOLIC_OPERATIONS.indexOf("lshr");
    assert.equal(OPERATIONS[code](arena, a, five, 32, 0), arena.binary("lshr", a, five));
  });

  it("an overflow test with a constant is a range test of the other operand", () => {
    const arena = new ExprArena();
    const a = operand(arena, 0, 32);
    const overflows = OPERATIONS[SYMBOLIC_OPERATIONS.indexOf("saddOverflows")](
      arena,
      a,
      arena.constant(32, 1, 0),
      32,
      0,
    );
    assert.equal(overflows, arena.binary("slt", arena.constant(32, 0x7fff_fffe, 0), a));
    const product = OPERATIONS[SYMBOLIC_OPERATIONS.indexOf("umulOverflows")](
      arena,
      a,
      arena.constant(32, 10, 0),
      32,
      0,
    );
    assert.equal(product, arena.binary("ult", arena.constant(32, 0x1999_9999, 0), a));
  });
});
