import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { coneOf } from "./cone.js";
import { Evaluator } from "./evaluate.js";
import type { ExprRef, FloatRounding } from "./ops.js";
import { OPS } from "./ops.js";
import { referenceFloat } from "./reference-float.js";
import { randomFloat } from "./reference-shapes-float.js";

const ROUNDS = 250;

/** A function of one word and a constant: how it is built and what it means. */
interface Shape {
  readonly name: string;
  readonly from: number;
  readonly width: number;
  build(arena: ExprArena, x: ExprRef, c: bigint): ExprRef;
  value(x: bigint, c: bigint): bigint;
}

function shapes(): Shape[] {
  const all: Shape[] = [];
  for (const width of [32, 64]) {
    for (const op of ["fadd", "fsub", "fmul", "fdiv"] as const) {
      all.push({
        ...{ name: `${op} ${width}`, from: width, width },
        build: (arena, x, c) => arena.binary(op, x, arena.constantBig(width, c)),
        value: (x, c) => referenceFloat(op, width, width, [x, c], 0n),
      });
    }
    all.push({
      ...{ name: `fsub from ${width}`, from: width, width },
      build: (arena, x, c) => arena.binary("fsub", arena.constantBig(width, c), x),
      value: (x, c) => referenceFloat("fsub", width, width, [c, x], 0n),
    });
    all.push({
      ...{ name: `fsqrt ${width}`, from: width, width },
      build: (arena, x) => arena.unary("fsqrt", x),
      value: (x) => referenceFloat("fsqrt", width, width, [x], 0n),
    });
    for (const mode of [0, 1, 2, 3, 4] as const) {
      all.push({
        ...{ name: `fround ${mode} ${width}`, from: width, width },
        build: (arena, x) => arena.fround(mode as FloatRounding, x),
        value: (x) => referenceFloat("fround", width, width, [x], BigInt(mode)),
      });
    }
    for (const op of ["sitof", "uitof"] as const) {
      all.push({
        ...{ name: `${op} ${width}`, from: 64, width },
        build: (arena, x) => arena.convert(op, width, x),
        value: (x) => referenceFloat(op, width, 64, [x], 0n),
      });
    }
  }
  all.push({
    ...{ name: "fcvt", from: 64, width: 32 },
    build: (arena, x) => arena.convert("fcvt", 32, x),
    value: (x) => referenceFloat("fcvt", 32, 64, [x], 0n),
  });
  return all;
}

describe("comparisons of growing functions with constants", () => {
  it("are comparisons of the word itself, exact at the ends", () => {
    let rewritten = 0;
    let asked = 0;
    for (const shape of shapes()) {
      const random = new Random(shape.width + shape.name.length);
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      let x = arena.variable(0);
      for (let i = 1; i < shape.from / 8; i++) x = arena.concat(arena.variable(i), x);
      for (let round = 0; round < ROUNDS; round++) {
        const c = randomFloat(random, shape.width);
        const near = randomFloat(random, shape.from);
        // A limit that some word reaches, and its neighbours do or do not.
        const limit = random.next() % 4 === 0 ? randomFloat(random, shape.width) : shape.value(near, c);
        const op = (["feq", "flt", "fle"] as const)[random.next() % 3];
        const isLeft = random.next() % 2 === 0;
        const f = shape.build(arena, x, c);
        const k = arena.constantBig(shape.width, limit);
        const e = isLeft ? arena.binary(op, f, k) : arena.binary(op, k, f);
        asked++;
        const operations = Array.from(coneOf(arena, [e]), (node) => arena.op(node as ExprRef));
        if (!operations.includes(arena.op(f))) rewritten++;
        for (const step of [0n, 1n, -1n, 2n, -2n, 1n << 20n, -(1n << 20n), random.next() % 2 === 0 ? 1n << 30n : 0n]) {
          const word = BigInt.asUintN(
            shape.from,
            step === 0n && round % 3 === 0 ? randomFloat(random, shape.from) : near + step,
          );
          const value = shape.value(word, c);
          const expected = referenceFloat(op, 1, shape.width, isLeft ? [value, limit] : [limit, value], 0n);
          const model = new Uint8Array(8);
          for (let i = 0; i < 8; i++) model[i] = Number((word >> BigInt(8 * i)) & 255n);
          evaluator.load(model);
          const told = [shape.name, op, isLeft, c.toString(16), limit.toString(16), word.toString(16)].join(" ");
          assert.equal(BigInt(evaluator.low(e)), expected, told);
        }
      }
    }
    // All but those with constants that are infinite, zero or no number.
    assert.ok(rewritten > asked * 0.7, `${rewritten} of ${asked}`);
  });

  it("go through chains: what is measured, scaled and rounded, compared", () => {
    const arena = new ExprArena();
    let x = arena.variable(0);
    for (let i = 1; i < 8; i++) x = arena.concat(arena.variable(i), x);
    const double = (hi: number): ExprRef => arena.constant(64, 0, hi);
    // x * 2.5 + 32.0, then as a float, below 100.
    const scaled = arena.binary("fadd", arena.binary("fmul", x, double(0x4004_0000)), double(0x4040_0000));
    const e = arena.binary("flt", arena.convert("fcvt", 32, scaled), arena.constant(32, 0x42c8_0000, 0));
    assert.equal(arena.op(e), OPS.fle.code);
    assert.equal(arena.a(e), x);
    const square = arena.binary("feq", arena.binary("fmul", x, double(0x4008_0000)), double(0x3ff0_0000));
    const values = [0x3fd5_5555, 0x3fd5_5556].map((hi) => {
      const model = new Uint8Array(8);
      new DataView(model.buffer).setInt32(4, hi, true);
      new DataView(model.buffer).setInt32(0, 0x5555_5555, true);
      const evaluator = new Evaluator(arena);
      evaluator.load(model);
      return evaluator.holds(square);
    });
    assert.deepEqual(values, [true, false], "a third times three is one");
  });
});
