import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import type { ExprRef } from "./ops.js";
import { buildSteps, randomModel, referenceValues, type Step, StepMaker } from "./reference.js";
import { growTowards } from "./reference-shapes.js";
import { RULES } from "./rewrite.js";

const CONSTRUCTIONS = 5000;
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

  it("gives every rule a name of its own", () => {
    assert.equal(new Set(RULES.map((rule) => rule.name)).size, RULES.length);
  });
});
