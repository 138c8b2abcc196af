import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { ExprArena } from "./arena.js";
import { Evaluator } from "./evaluate.js";
import { buildSteps, randomModel, referenceValues, StepMaker } from "./reference.js";

describe("evaluator", () => {
  it("gives the value under the model loaded last, also when models differ little and only some values are asked for", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const random = new Random(seed * 31);
      const maker = new StepMaker(random);
      while (maker.steps.length < 50) maker.grow();
      const arena = new ExprArena();
      const refs = buildSteps(arena, maker.steps);
      const evaluator = new Evaluator(arena);
      const model = randomModel(random);
      for (let round = 0; round < 30; round++) {
        // Change a byte, or change one back, or nothing at all.
        if (random.next() % 4 !== 0) model[random.next() % model.length] = [0, 1, 255, 128][random.next() % 4];
        evaluator.load(model);
        const expected = referenceValues(maker.steps, model);
        for (let ask = 0; ask < 5; ask++) {
          const i = random.next() % refs.length;
          assert.equal(evaluator.big(refs[i]), expected[i]);
        }
        for (let i = 0; i < refs.length; i++) {
          if (maker.steps[i].width === 1 && random.next() % 2 === 0) {
            assert.equal(evaluator.holds(refs[i]), expected[i] === 1n);
          }
        }
      }
    }
  });

  it("takes bytes beyond the end of the model as 0", () => {
    const arena = new ExprArena();
    const sum = arena.binary("add", arena.variable(1), arena.variable(1000));
    const evaluator = new Evaluator(arena);
    evaluator.load(Uint8Array.of(3, 4));
    assert.equal(evaluator.low(sum), 4);
    evaluator.load(Uint8Array.of(3));
    assert.equal(evaluator.low(sum), 0);
  });

  it("gives both halves of 64-bit values, signed as int32", () => {
    const arena = new ExprArena();
    const e = arena.sext(arena.variable(0), 64);
    const evaluator = new Evaluator(arena);
    evaluator.load(Uint8Array.of(0x80));
    assert.equal(evaluator.low(e), -128);
    assert.equal(evaluator.high(e), -1);
    assert.equal(evaluator.big(e), 0xffff_ffff_ffff_ff80n);
    assert.equal(evaluator.holds(arena.binary("slt", e, arena.zero(64))), true);
  });

  it("knows expressions that were made after the model was loaded", () => {
    const arena = new ExprArena();
    const evaluator = new Evaluator(arena);
    evaluator.load(Uint8Array.of(7));
    assert.equal(evaluator.low(arena.variable(0)), 7);
    for (let i = 0; i < 10_000; i++) {
      const e = arena.binary("mul", arena.zext(arena.variable(0), 32), arena.constant(32, i, 0));
      assert.equal(evaluator.low(e), 7 * i);
    }
  });

  it("evaluates only the arm and the entry that are selected", () => {
    const arena = new ExprArena();
    let slow = arena.zext(arena.variable(1), 32);
    for (let i = 0; i < 100_000; i++)
      slow = arena.binary("mul", slow, arena.binary("add", slow, arena.constant(32, i, 0)));
    const condition = arena.binary("ult", arena.variable(0), arena.constant(8, 10, 0));
    const choice = arena.ite(condition, arena.sext(arena.variable(2), 32), slow);
    const evaluator = new Evaluator(arena);
    const start = process.cpuUsage().user;
    for (let round = 0; round < 1000; round++) {
      evaluator.load(Uint8Array.of(round % 10, round & 255, 5));
      assert.equal(evaluator.low(choice), 5);
    }
    assert.ok(process.cpuUsage().user - start < 1e6, "a thousand evaluations of the long arm would take seconds");
  });
});
