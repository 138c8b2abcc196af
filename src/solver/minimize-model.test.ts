import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { BlastingSolver } from "./blast/blasting-solver.js";
import { minimizeCore } from "./minimize-core.js";
import { minimizeModel } from "./minimize-model.js";
import { RandomFormulas } from "./random-formula-fixture.js";

describe("minimising", () => {
  it("a model moved towards a seed still holds, and no differing byte can be given back", () => {
    let moved = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const random = new Random(seed);
      const formulas = new RandomFormulas(arena, random, { bytes: 12, hard: false });
      const constraints = Array.from({ length: 4 }, () => formulas.condition(4, 24));
      const hint = new Uint8Array(12);
      random.fill(hint);
      const verdict = new BlastingSolver(arena).solve({ constraints, hint });
      if (verdict.kind !== "sat") continue;
      const target = new Uint8Array(12);
      random.fill(target);
      const result = minimizeModel(arena, evaluator, constraints, verdict.model, target);
      evaluator.load(result);
      for (const e of constraints) assert.ok(evaluator.holds(e), `seed ${seed}`);
      for (let i = 0; i < 12; i++) {
        if (result[i] === target[i]) {
          if (verdict.model[i] !== target[i]) moved++;
          continue;
        }
        const attempt = Uint8Array.from(result);
        attempt[i] = target[i];
        evaluator.load(attempt);
        assert.ok(
          constraints.some((e) => !evaluator.holds(e)),
          `seed ${seed}: byte ${i} could be given back`,
        );
      }
    }
    assert.ok(moved > 100);
  });

  it("a minimal core loses its contradiction with any one constraint", () => {
    const arena = new ExprArena();
    const solver = new BlastingSolver(arena);
    const [x, y, z] = [0, 1, 2].map((i) => arena.variable(i));
    const less = (a: ExprRef, b: ExprRef): ExprRef => arena.binary("ult", a, b);
    const constraints = [less(x, arena.constant(8, 9, 0)), less(x, y), less(z, x), less(y, z), less(y, x), less(z, y)];
    const query = { constraints, hint: new Uint8Array(3) };
    const core = minimizeCore(solver, query, [0, 1, 2, 3, 4, 5]);
    const ask = (positions: readonly number[]): string =>
      solver.solve({ ...query, constraints: positions.map((i) => constraints[i]) }).kind;
    assert.equal(ask(core), "unsat");
    for (const left of core) assert.equal(ask(core.filter((position) => position !== left)), "sat");
  });
});
