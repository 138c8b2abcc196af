import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { coneOf } from "./cone.js";
import { Evaluator } from "./evaluate.js";
import { type ExprRef, OPS } from "./ops.js";
import { referenceBinary } from "./reference.js";
import { referenceFloat } from "./reference-float.js";
import { randomFloat } from "./reference-shapes-float.js";

const ROUNDS = 300;

describe("comparisons of integers cut from floating-point numbers", () => {
  it("are comparisons of the number, exact at the ends, for what does not fit too", () => {
    for (const from of [32, 64]) {
      for (const width of [32, 64]) {
        const random = new Random(from + 2 * width);
        const arena = new ExprArena();
        const evaluator = new Evaluator(arena);
        let x = arena.variable(0);
        for (let i = 1; i < from / 8; i++) x = arena.concat(arena.variable(i), x);
        const cut = arena.convert("ftosi", width, x);
        for (let round = 0; round < ROUNDS; round++) {
          const near = randomFloat(random, from);
          const integer = referenceFloat("ftosi", width, from, [near], 0n);
          const ends = [0n, 1n, -1n, (1n << BigInt(width - 1)) - 1n, 1n << BigInt(width - 1)];
          const chosen = random.next() % 3 === 0 ? ends[random.next() % ends.length] : integer;
          const limit = BigInt.asUintN(width, chosen + BigInt(random.next() % 3) - 1n);
          const op = (["eq", "slt", "sle", "ult", "ule"] as const)[random.next() % 5];
          const isLeft = random.next() % 2 === 0;
          const c = arena.constantBig(width, limit);
          const e = isLeft ? arena.binary(op, cut, c) : arena.binary(op, c, cut);
          const operations = Array.from(coneOf(arena, [e]), (node) => arena.op(node as ExprRef));
          assert.ok(!operations.includes(OPS.ftosi.code));
          for (const step of [0n, 1n, -1n, 1n << 22n, -(1n << 22n), BigInt(random.next())]) {
            const bits = BigInt.asUintN(from, near + step);
            const value = referenceFloat("ftosi", width, from, [bits], 0n);
            const expected = isLeft
              ? referenceBinary(op, width, value, limit)
              : referenceBinary(op, width, limit, value);
            const model = new Uint8Array(8);
            for (let i = 0; i < 8; i++) model[i] = Number((bits >> BigInt(8 * i)) & 255n);
            evaluator.load(model);
            const told = [op, isLeft, from, width, limit.toString(16), bits.toString(16)].join(" ");
            assert.equal(BigInt(evaluator.low(e)), expected, told);
          }
        }
      }
    }
  });
});
