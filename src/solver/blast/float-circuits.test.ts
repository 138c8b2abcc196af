import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import { type ExprRef, FLOAT_ROUNDING, type FloatRounding, OPS, type OpName } from "../../expr/ops.js";
import { randomFloat } from "../../expr/reference-shapes-float.js";
import { Random } from "../../support/random.js";
import { BitBlaster } from "./bit-blast.js";
import { GATE, type GateGraph } from "./gates.js";

/** Values of inputs computed at once, one in each bit of a word. */
const LANES = 32;
const ROUNDS = 40;

/** By gate: its value in each lane. */
function simulate(graph: GateGraph, models: readonly Uint8Array[]): Int32Array {
  const values = new Int32Array(graph.count);
  values[0] = -1;
  const literal = (x: number): number => values[x >> 1] ^ -(x & 1);
  for (let gate = 1; gate < graph.count; gate++) {
    const { kind, a, b, c, pool } = graph;
    const [x, y, z] = [a[gate], b[gate], c[gate]];
    let value = -1;
    switch (kind[gate]) {
      case GATE.input:
        value = 0;
        for (let lane = 0; lane < models.length; lane++) value |= ((models[lane][x] >> y) & 1) << lane;
        break;
      case GATE.and:
        value = literal(x) & literal(y);
        break;
      case GATE.xor:
        value = literal(x) ^ literal(y);
        break;
      case GATE.mux:
        value = (literal(x) & literal(y)) | (~literal(x) & literal(z));
        break;
      case GATE.majority:
        value = (literal(x) & literal(y)) | (literal(x) & literal(z)) | (literal(y) & literal(z));
        break;
      default:
        for (let i = 0; i < y; i++) value &= literal(pool[x + i]);
    }
    values[gate] = value;
  }
  return values;
}

function word(arena: ExprArena, first: number, width: number): ExprRef {
  let e = arena.variable(first);
  for (let i = 1; i < 8; i++) e = arena.concat(arena.variable(first + i), e);
  return arena.extract(e, 0, width);
}

/** All shapes of an operation: [name, operand width, expression]. */
function* shapes(arena: ExprArena): Generator<[string, number, ExprRef]> {
  for (const width of [32, 64]) {
    const [x, y, z] = [word(arena, 0, width), word(arena, 8, width), word(arena, 16, width)];
    for (const op of ["fadd", "fsub", "fmul", "fdiv", "feq", "flt", "fle"] as const) {
      yield [`${op} ${width}`, width, arena.binary(op, x, y)];
    }
    yield [`fsqrt ${width}`, width, arena.unary("fsqrt", x)];
    yield [`ffma ${width}`, width, arena.ffma(x, y, z)];
    for (const mode of Object.values(FLOAT_ROUNDING)) {
      yield [`fround ${mode} ${width}`, width, arena.fround(mode as FloatRounding, x)];
    }
    yield [`fcvt ${width}`, width, arena.convert("fcvt", 96 - width, x)];
    for (const to of [32, 64]) yield [`ftosi ${width} ${to}`, width, arena.convert("ftosi", to, x)];
    yield [`ftoui ${width}`, width, arena.convert("ftoui", 64, x)];
    for (const from of [1, 7, 8, 16, 31, 32, 33, 64]) {
      yield [`sitof ${from} ${width}`, from, arena.convert("sitof", width, word(arena, 0, from))];
      yield [`uitof ${from} ${width}`, from, arena.convert("uitof", width, word(arena, 0, from))];
    }
  }
}

function randomModel(random: Random, width: number): Uint8Array {
  const model = new Uint8Array(24);
  const values = [0, 1, 2].map(() => randomFloat(random, width));
  // Operands that are near each other, or each other's negation: what cancels.
  if (random.next() % 4 === 0) values[1] = values[0] ^ (BigInt(random.next() % 2) << BigInt(width - 1));
  if (random.next() % 4 === 0) values[1] ^= BigInt(random.next() % 4);
  for (let i = 0; i < 24; i++) model[i] = Number((BigInt.asUintN(width, values[i >> 3]) >> BigInt(8 * (i & 7))) & 255n);
  return model;
}

describe("circuits of floating-point operations", () => {
  it("compute what the evaluator computes", () => {
    const met = new Set<number>();
    const arena = new ExprArena();
    const evaluator = new Evaluator(arena);
    for (const [name, operandWidth, e] of shapes(arena)) {
      const random = new Random(e);
      const blaster = new BitBlaster(arena);
      const width = arena.width(e);
      const bits = Array.from({ length: width }, (_, bit) => blaster.bit(e, bit));
      met.add(arena.op(e));
      for (let round = 0; round < ROUNDS; round++) {
        const models = Array.from({ length: LANES }, () => randomModel(random, operandWidth));
        const values = simulate(blaster.graph, models);
        for (let lane = 0; lane < LANES; lane++) {
          let value = 0n;
          for (let bit = 0; bit < width; bit++) {
            const isSet = ((values[bits[bit] >> 1] >>> lane) & 1) ^ (bits[bit] & 1);
            if (isSet !== 0) value |= 1n << BigInt(bit);
          }
          evaluator.load(models[lane]);
          if (value === evaluator.big(e)) continue;
          const operands = [0, 8, 16].map((at) =>
            Buffer.from(models[lane].slice(at, at + 8).reverse()).toString("hex"),
          );
          assert.fail(`${name} of ${operands}: ${value.toString(16)}, not ${evaluator.big(e).toString(16)}`);
        }
      }
    }
    const all = (Object.keys(OPS) as OpName[]).map((op) => OPS[op].code as number).filter((code) => code >= 29);
    assert.deepEqual(
      all.filter((code) => !met.has(code)),
      [],
    );
  });
});
