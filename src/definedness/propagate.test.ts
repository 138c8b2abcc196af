import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SYMBOLIC_OPERATIONS, type SymbolicOperation } from "../jit/symbolic-boundary.js";
import { Random } from "../support/random.js";
import { chosen, propagate } from "./propagate.js";

const WIDTH = 4;
const ONES = (1n << BigInt(WIDTH)) - 1n;
const signed = (value: bigint): bigint => BigInt.asIntN(WIDTH, value);
const inOrder = (a: bigint, b: bigint): [bigint, bigint] => (a < b ? [a, b] : [b, a]);
const truth = (holds: boolean): bigint => (holds ? 1n : 0n);

/** What the operations are, on 4 bits, for everyone; a divisor or an amount that is too large gives null. */
const MEANINGS: { readonly [Name in SymbolicOperation]?: (a: bigint, b: bigint) => bigint | null } = {
  add: (a, b) => (a + b) & ONES,
  sub: (a, b) => (a - b) & ONES,
  mul: (a, b) => (a * b) & ONES,
  udiv: (a, b) => (b === 0n ? null : a / b),
  urem: (a, b) => (b === 0n ? null : a % b),
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  shl: (a, b) => (b >= WIDTH ? null : (a << b) & ONES),
  lshr: (a, b) => (b >= WIDTH ? null : a >> b),
  ashr: (a, b) => (b >= WIDTH ? null : (signed(a) >> b) & ONES),
  eq: (a, b) => truth(a === b),
  ne: (a, b) => truth(a !== b),
  ult: (a, b) => truth(a < b),
  ule: (a, b) => truth(a <= b),
  ugt: (a, b) => truth(a > b),
  uge: (a, b) => truth(a >= b),
  slt: (a, b) => truth(signed(a) < signed(b)),
  sle: (a, b) => truth(signed(a) <= signed(b)),
  sgt: (a, b) => truth(signed(a) > signed(b)),
  sge: (a, b) => truth(signed(a) >= signed(b)),
  uaddOverflows: (a, b) => truth(a + b > ONES),
  saddOverflows: (a, b) => truth(signed((a + b) & ONES) !== signed(a) + signed(b)),
  usubOverflows: (a, b) => truth(a < b),
  ssubOverflows: (a, b) => truth(signed((a - b) & ONES) !== signed(a) - signed(b)),
  umulOverflows: (a, b) => truth(a * b > ONES),
  smulOverflows: (a, b) => truth(signed((signed(a) * signed(b)) & ONES) !== signed(a) * signed(b)),
  umin: (a, b) => inOrder(a, b)[0],
  umax: (a, b) => inOrder(a, b)[1],
  smin: (a, b) => (signed(a) < signed(b) ? a : b),
  smax: (a, b) => (signed(a) > signed(b) ? a : b),
  abs: (a) => (signed(a) < 0n ? -a & ONES : a),
  rotateLeft: (a, b) => ((a << (b % 4n)) | (a >> (4n - (b % 4n)))) & ONES,
  rotateRight: (a, b) => ((a >> (b % 4n)) | (a << (4n - (b % 4n)))) & ONES,
  leadingZeros: (a) => (a === 0n ? 4n : BigInt(4 - a.toString(2).length)),
  trailingZeros: (a) => (a === 0n ? 4n : BigInt([0, 1, 2, 3].find((bit) => (a >> BigInt(bit)) & 1n) ?? 0)),
};
const UNARY: ReadonlySet<string> = new Set(["abs", "leadingZeros", "trailingZeros"]);

/** All values that agree on the defined bits. */
function* valuesLike(value: bigint, undefinedBits: bigint): Generator<bigint> {
  for (let other = 0n; other <= ONES; other++) if (((other ^ value) & ~undefinedBits) === 0n) yield other;
}

/** The bits on which the results for all possible values differ: what any rule must call undefined. */
function exact(of: (a: bigint, b: bigint) => bigint | null, a: bigint, ua: bigint, b: bigint, ub: bigint): bigint {
  let zeros = 0n;
  let ones = 0n;
  for (const x of valuesLike(a, ua)) {
    for (const y of valuesLike(b, ub)) {
      const result = of(x, y);
      if (result === null) continue;
      ones |= result;
      zeros |= ~result & ONES;
    }
  }
  return ones & zeros;
}

describe("undefined bits of a result", () => {
  const random = new Random(7);
  const below = (limit: number): number => random.next() % limit;
  const nibble = (): bigint => BigInt(below(16));
  for (const [name, of] of Object.entries(MEANINGS)) {
    const code = SYMBOLIC_OPERATIONS.indexOf(name as SymbolicOperation);
    it(`${name}: a bit that is called defined is the same for all values`, () => {
      for (let n = 0; n < 4000; n++) {
        const [a, ua, b] = [nibble(), nibble(), nibble()];
        const ub = UNARY.has(name) || n % 2 === 0 ? 0n : nibble();
        const mask = propagate(code, { width: WIDTH, toWidth: 0, a, ua, b, ub });
        const needed = exact(of, a, ua, b, ub);
        assert.equal(needed & ~mask, 0n, `${name} a=${a} ua=${ua} b=${b} ub=${ub}: ${mask}, not ${needed}`);
      }
    });
  }

  it("what is defined stays so", () => {
    for (const [code, name] of SYMBOLIC_OPERATIONS.entries()) {
      const mask = propagate(code, { width: 32, toWidth: 16, a: 5n, ua: 0n, b: 3n, ub: 0n });
      assert.equal(mask, 0n, name);
    }
  });

  it("is exact where programs rely on it", () => {
    for (const name of ["and", "or", "xor", "eq", "ne", "ult", "ule", "slt", "sge", "shl", "lshr"] as const) {
      const code = SYMBOLIC_OPERATIONS.indexOf(name);
      const of = MEANINGS[name] ?? (() => null);
      for (let n = 0; n < 2000; n++) {
        const [a, ua, b] = [nibble(), nibble(), name === "shl" || name === "lshr" ? nibble() & 3n : nibble()];
        const mask = propagate(code, { width: WIDTH, toWidth: 0, a, ua, b, ub: 0n });
        assert.equal(mask, exact(of, a, ua, b, 0n), `${name} a=${a} ua=${ua} b=${b}`);
      }
    }
  });

  it("a sum is undefined from the lowest undefined bit on as far as a carry may go", () => {
    const code = SYMBOLIC_OPERATIONS.indexOf("add");
    // 0b0000_0?00 + 1: no carry reaches the bits above.
    assert.equal(propagate(code, { width: 8, toWidth: 0, a: 0n, ua: 4n, b: 1n, ub: 0n }), 4n);
    assert.equal(propagate(code, { width: 8, toWidth: 0, a: 0n, ua: 4n, b: 4n, ub: 0n }), 12n);
  });

  it("casts move bits", () => {
    const cast = (name: SymbolicOperation, ua: bigint, width: number, toWidth: number): bigint =>
      propagate(SYMBOLIC_OPERATIONS.indexOf(name), { width, toWidth, a: 0n, ua, b: 0n, ub: 0n });
    assert.equal(cast("trunc", 0xff00n, 16, 8), 0n);
    assert.equal(cast("zext", 0x80n, 8, 16), 0x80n);
    assert.equal(cast("sext", 0x80n, 8, 16), 0xff80n);
    assert.equal(cast("fptosi", 1n, 64, 32), 0xffff_ffffn);
    assert.equal(cast("byteSwap", 0xffn, 32, 0), 0xff00_0000n);
    assert.equal(cast("bitReverse", 1n, 8, 0), 0x80n);
  });

  it("a choice by something undefined is defined where both sides agree", () => {
    assert.equal(chosen(0n, 0n, 0b1100n, 0b1010n), 0b0110n);
    assert.equal(chosen(1n, 0n, 7n, 7n), 1n);
  });
});
