import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import { type BinaryName, type ExprRef, FIRST_FLOAT_OP, OPS, type OpName } from "./ops.js";
import { buildSteps, randomModel, referenceBinary, referenceValues, type Step, StepMaker } from "./reference.js";
import { growTowards } from "./reference-shapes.js";
import { RULES } from "./rewrite.js";

const CONSTRUCTIONS = 6000;
const STEPS = 40;
const MODELS = 4;

function explain(steps: readonly Step[], position: number): string {
  const needed = new Set([position]);
  for (let i = position; i >= 0; i--) if (needed.has(i)) for (const operand of steps[i].operands) needed.add(operand);
  return steps
    .map((step, i) => `${i}: ${step.op}:${step.width} (${step.operands.join(" ")}) ${step.payload}`)
    .filter((_, i) => needed.has(i))
    .join("\n");
}

/** The facts of a node allow the value. */
function assertWithin(arena: ExprArena, e: ExprRef, value: bigint): void {
  if (arena.width(e) > 64) return;
  const { facts } = arena;
  const zeros = (BigInt(facts.zerosHigh(e) >>> 0) << 32n) | BigInt(facts.zerosLow(e) >>> 0);
  const ones = (BigInt(facts.onesHigh(e) >>> 0) << 32n) | BigInt(facts.onesLow(e) >>> 0);
  if ((value & zeros) !== 0n || (value & ones) !== ones) assert.fail(`bits of ${value}: not ${zeros}, but ${ones}`);
  if (value < facts.minimum(e) || value > facts.maximum(e)) {
    assert.fail(`${value} is not in ${facts.minimum(e)} to ${facts.maximum(e)}`);
  }
}

describe("rewriting", () => {
  const fired = new Uint32Array(RULES.length);

  it("keeps the value of every random construction, of widths 1 to 128, under every model", () => {
    let comparisons = 0;
    for (let seed = 1; seed <= CONSTRUCTIONS; seed++) {
      const random = new Random(seed * 7919);
      const maker = new StepMaker(random);
      while (maker.steps.length < STEPS) {
        if (maker.chance(30)) maker.grow();
        else growTowards(maker, RULES[maker.below(RULES.length)]);
      }
      const arena = new ExprArena();
      const refs = buildSteps(arena, maker.steps);
      const evaluator = new Evaluator(arena);
      for (let round = 0; round < MODELS; round++) {
        const model = randomModel(random);
        const expected = referenceValues(maker.steps, model);
        evaluator.load(model);
        for (let i = 0; i < refs.length; i++) {
          comparisons++;
          assertWithin(arena, refs[i], expected[i]);
          if (arena.width(refs[i]) !== maker.steps[i].width || evaluator.big(refs[i]) !== expected[i]) {
            assert.fail(
              `seed ${seed}: ${evaluator.big(refs[i])}, not ${expected[i]}\n${explain(maker.steps, i)}\n${model}`,
            );
          }
        }
      }
      for (let i = 0; i < fired.length; i++) fired[i] += arena.fired[i];
    }
    assert.ok(comparisons >= 200_000, `${comparisons} comparisons`);
  });

  it("applies every rule at least once in these constructions", () => {
    const idle = RULES.filter((_, i) => fired[i] === 0).map((rule) => rule.name);
    assert.deepEqual(idle, []);
  });

  it("is exact at the ends of every range: each operation, each side, constants and values at and near the ends", () => {
    const names = Object.keys(OPS).filter(
      (name) => OPS[name as OpName].arity === 2 && OPS[name as OpName].code < FIRST_FLOAT_OP && name !== "concat",
    ) as BinaryName[];
    const model = new Uint8Array(17);
    for (const width of [...Array.from({ length: 66 }, (_, i) => i + 1), 127, 128]) {
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      let word = arena.variable(0);
      for (let i = 1; i < 16; i++) word = arena.concat(arena.variable(i), word);
      // The same value as slices of bytes and as something that no rule sees through.
      const x = arena.extract(word, 0, width);
      const opaque = arena.ite(arena.binary("ult", arena.variable(16), arena.variable(0)), arena.not(x), x);
      const middle = 1n << BigInt(width - 1);
      const ends = [0n, 1n, 2n, -1n, -2n, middle, middle + 1n, middle - 1n, middle - 2n].map((end) =>
        BigInt.asUintN(width, end),
      );
      for (const end of new Set(ends)) {
        const constant = arena.constantBig(width, end);
        for (const name of names) {
          const built = [x, opaque].flatMap((e) => [arena.binary(name, e, constant), arena.binary(name, constant, e)]);
          for (const value of ends) {
            model.fill(255, 16);
            for (let i = 0; i < 16; i++) model[i] = Number((value >> BigInt(8 * i)) & 255n);
            evaluator.load(model);
            const forth = referenceBinary(name, width, value, end);
            const back = referenceBinary(name, width, end, value);
            assert.equal(arena.constantBigValue(arena.binary(name, arena.constantBig(width, value), constant)), forth);
            for (const [i, e] of built.entries()) {
              assertWithin(arena, e, i % 2 === 0 ? forth : back);
              if (evaluator.big(e) === (i % 2 === 0 ? forth : back)) continue;
              assert.fail(`${name} of ${value} and ${end}, width ${width}: ${evaluator.big(e)} (${i})`);
            }
          }
        }
      }
    }
  });

  it("gives every rule a name of its own", () => {
    assert.equal(new Set(RULES.map((rule) => rule.name)).size, RULES.length);
  });
});
