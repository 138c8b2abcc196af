import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import { type ExprRef, FIRST_FLOAT_OP, OPS, type OpName } from "./ops.js";
import { printExpr } from "./print.js";
import { buildSteps, type Step } from "./reference.js";
import { referenceFloat } from "./reference-float.js";
import { randomFloat } from "./reference-shapes-float.js";

const FLOAT_OPS = (Object.keys(OPS) as OpName[]).filter((name) => OPS[name].code >= FIRST_FLOAT_OP);
const ROUNDS = 1500;

/** Widths of operands and result. */
function widthsOf(op: OpName, random: Random): { from: number; width: number } {
  const float = random.next() % 2 === 0 ? 32 : 64;
  const integer = [8, 16, 32, 64, 1 + (random.next() % 64)][random.next() % 5];
  if (op === "sitof" || op === "uitof") return { from: integer, width: float };
  if (op === "ftosi" || op === "ftoui") return { from: float, width: integer };
  if (op === "fcvt") return { from: float, width: 96 - float };
  return { from: float, width: op === "feq" || op === "flt" || op === "fle" ? 1 : float };
}

describe("floating-point operations", () => {
  it("mean on constants, and evaluated, what an exact computation rounded once gives", () => {
    for (const op of FLOAT_OPS) {
      const random = new Random(OPS[op].code);
      const folding = new ExprArena();
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      for (let round = 0; round < ROUNDS; round++) {
        const { from, width } = widthsOf(op, random);
        const values = Array.from({ length: OPS[op].arity }, () => randomFloat(random, from));
        if (values.length > 1 && random.next() % 8 === 0) values[1] = values[0] ^ (BigInt(random.next() % 3) << 1n);
        const payload = op === "fround" ? BigInt(random.next() % 5) : 0n;
        const expected = referenceFloat(op, width, from, values, payload);
        const told = `${op} ${from} ${width} ${payload} of ${values.map((value) => value.toString(16)).join(" ")}`;

        const constants: Step[] = values.map((value) => ({
          op: "constant",
          width: from,
          operands: [],
          payload: value,
        }));
        const step: Step = { op, width, operands: values.map((_, i) => i), payload };
        const folded = buildSteps(folding, [...constants, step])[values.length];
        assert.equal(folding.constantBigValue(folded), expected, told);

        const model = new Uint8Array(24);
        const refs: ExprRef[] = [];
        for (const [i, value] of values.entries()) {
          let word = arena.variable(8 * i);
          for (let byte = 1; byte < 8; byte++) word = arena.concat(arena.variable(8 * i + byte), word);
          for (let byte = 0; byte < 8; byte++) model[8 * i + byte] = Number((value >> BigInt(8 * byte)) & 255n);
          refs.push(arena.extract(word, 0, from));
        }
        evaluator.load(model);
        assert.equal(evaluator.big(build(arena, step, refs)), expected, told);
      }
    }
  });

  it("refuse other widths than 32 and 64", () => {
    const arena = new ExprArena();
    const short = arena.concat(arena.variable(0), arena.variable(1));
    assert.throws(() => arena.binary("fadd", short, short), /16 bits/);
    assert.throws(() => arena.binary("flt", short, short), /16 bits/);
    assert.throws(() => arena.unary("fsqrt", short), /16 bits/);
    assert.throws(() => arena.ffma(short, short, short), /16 bits/);
    assert.throws(() => arena.convert("sitof", 16, short), /16 bits/);
    assert.throws(() => arena.convert("ftosi", 32, short), /16 bits/);
  });

  it("are printed with numbers as such", () => {
    const arena = new ExprArena();
    const x = arena.convert("sitof", 32, arena.variable(0));
    const sum = arena.binary("fmul", x, arena.constant(32, 0x3dcc_cccd, 0));
    const y = arena.convert("uitof", 64, arena.variable(1));
    const test = arena.binary(
      "flt",
      y,
      arena.binary("fadd", arena.convert("fcvt", 64, sum), arena.constant(64, 0, 0x3ff0_0000)),
    );
    const name = (index: number): string => `b${index}`;
    assert.equal(printExpr(arena, test, name), "f64(u b1) <f (f64(f32(s b0) *f 0.1) +f 1.0)");
    const whole = arena.convert("ftosi", 64, arena.fround(2, arena.unary("fsqrt", arena.ffma(x, x, sum))));
    assert.match(printExpr(arena, whole, name), /^int64\(floor\(sqrt\(fma\(f32\(s b0\), f32\(s b0\), /);
  });
});

function build(arena: ExprArena, { op, width, payload }: Step, refs: readonly ExprRef[]): ExprRef {
  const steps: Step[] = refs.map((_, i) => ({ op: "variable", width: 8, operands: [], payload: BigInt(i) }));
  steps.push({ op, width, operands: refs.map((_, i) => i), payload });
  return buildSteps(arena, steps, refs)[refs.length];
}
