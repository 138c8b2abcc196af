import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import type { ExprRef } from "../../expr/ops.js";
import { Random } from "../../support/random.js";
import { ALL_OPERATIONS, operationsBelow, RandomFormulas } from "../random-formula-fixture.js";
import type { Model } from "../solver.js";
import { BlastingSolver, DEFAULT_BLASTING_LIMITS } from "./blasting-solver.js";

function bruteForce(evaluator: Evaluator, constraints: readonly ExprRef[], bytes: number): Model | null {
  const model = new Uint8Array(bytes);
  for (let code = 0; code < 256 ** bytes; code++) {
    for (let i = 0; i < bytes; i++) model[i] = (code >> (8 * i)) & 255;
    evaluator.load(model);
    if (constraints.every((e) => evaluator.holds(e))) return model;
  }
  return null;
}

function wordUnder(evaluator: Evaluator, arena: ExprArena, e: ExprRef): ExprRef {
  return arena.constantBig(arena.width(e), evaluator.big(e));
}

describe("bit-blasting", () => {
  for (const limits of [DEFAULT_BLASTING_LIMITS, { ...DEFAULT_BLASTING_LIMITS, quickConflicts: 0 }]) {
    const name = limits.quickConflicts === 0 ? "CaDiCaL" : "the small SAT solver";
    it(`${name}: agrees with brute force over two bytes, models hold and cores are unsatisfiable`, () => {
      let unsat = 0;
      let sat = 0;
      for (let seed = 1; seed <= 120; seed++) {
        const arena = new ExprArena();
        const evaluator = new Evaluator(arena);
        const formulas = new RandomFormulas(arena, new Random(seed), { bytes: 2, hard: true });
        const constraints = Array.from({ length: 1 + formulas.below(7) }, () => formulas.condition(4, 12));
        const verdict = new BlastingSolver(arena, limits).solve({ constraints, hint: new Uint8Array(2) });
        if (verdict.kind === "sat") {
          sat++;
          evaluator.load(verdict.model);
          for (const e of constraints) assert.ok(evaluator.holds(e), `seed ${seed}`);
        } else {
          assert.equal(verdict.kind, "unsat", `seed ${seed}`);
          unsat++;
          if (verdict.kind !== "unsat") continue;
          const core = verdict.core.map((position) => constraints[position]);
          assert.equal(bruteForce(evaluator, core, 2), null, `seed ${seed}: the core has a model`);
        }
      }
      assert.ok(sat > 20 && unsat > 20, `${sat} sat, ${unsat} unsat`);
    });
  }

  it("every operation at widths 1 to 128 has the value that evaluation gives", () => {
    const arena = new ExprArena();
    const evaluator = new Evaluator(arena);
    const random = new Random(7);
    const solver = new BlastingSolver(arena);
    const model = new Uint8Array(6);
    for (let round = 0; round < 600; round++) {
      const width = round < 128 ? round + 1 : 1 + (random.next() % 128);
      const hard = width <= 20 || round % 7 === 0;
      const formulas = new RandomFormulas(arena, random, { bytes: 6, hard });
      const e = formulas.word(width, 1 + formulas.below(6));
      random.fill(model);
      evaluator.load(model);
      const value = wordUnder(evaluator, arena, e);
      // With the input pinned, the circuit must give exactly this value.
      // Conditions over single bytes fold the circuit; conditions over two leave it to the SAT solver.
      const pinned =
        round % 2 === 0
          ? Array.from(model, (byte, i) => arena.binary("eq", arena.variable(i), arena.constant(8, byte, 0)))
          : [0, 2, 4].map((i) =>
              arena.binary(
                "eq",
                arena.binary("add", arena.concat(arena.variable(i), arena.variable(i + 1)), arena.constant(16, 1, 0)),
                arena.constant(16, model[i] * 256 + model[i + 1] + 1, 0),
              ),
            );
      const equal = arena.binary("eq", e, value);
      const sat = solver.solve({ constraints: [...pinned, equal], hint: new Uint8Array(6) });
      assert.equal(sat.kind, "sat", `round ${round}, width ${width}`);
      const unsat = solver.solve({ constraints: [...pinned, arena.not(equal)], hint: new Uint8Array(6) });
      assert.equal(unsat.kind, "unsat", `round ${round}, width ${width}`);
    }
    const met = operationsBelow(arena);
    assert.deepEqual(
      ALL_OPERATIONS.filter((code) => !met.has(code)),
      [],
    );
  });

  it("finds inputs for words of several bytes and keeps the hint where nothing asks for change", () => {
    let changed = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const arena = new ExprArena();
      const evaluator = new Evaluator(arena);
      const random = new Random(seed);
      const formulas = new RandomFormulas(arena, random, { bytes: 8, hard: seed % 5 === 0 });
      const wanted = new Uint8Array(8);
      random.fill(wanted);
      evaluator.load(wanted);
      const width = 1 + formulas.below(seed % 5 === 0 ? 16 : 64);
      const e = formulas.word(width, 5);
      const constraint = arena.binary("eq", e, wordUnder(evaluator, arena, e));
      const hint = new Uint8Array(12);
      random.fill(hint);
      const verdict = new BlastingSolver(arena).solve({ constraints: [constraint], hint });
      assert.equal(verdict.kind, "sat", `seed ${seed}`);
      if (verdict.kind !== "sat") continue;
      evaluator.load(verdict.model);
      assert.ok(evaluator.holds(constraint), `seed ${seed}`);
      assert.deepEqual(verdict.model.subarray(8), hint.subarray(8));
      for (let i = 0; i < 8; i++) {
        if (!arena.support(constraint).includes(i)) assert.equal(verdict.model[i], hint[i]);
        else if (verdict.model[i] !== hint[i]) changed++;
      }
    }
    assert.ok(changed > 20);
  });

  it("answers unknown when conflicts or time run out, never unsatisfiable", () => {
    const arena = new ExprArena();
    // The product of two 24-bit numbers above 1 is a given prime: unsatisfiable, and hard to see.
    const word = (from: number): ExprRef => {
      const bytes = [0, 1, 2].map((i) => arena.variable(from + i));
      return arena.zext(arena.concat(bytes[2], arena.concat(bytes[1], bytes[0])), 48);
    };
    const one = arena.constant(48, 1, 0);
    const constraints = [
      arena.binary("eq", arena.binary("mul", word(0), word(3)), arena.constantBig(48, 140_737_488_355_213n)),
      arena.binary("ult", one, word(0)),
      arena.binary("ult", one, word(3)),
    ];
    const hint = new Uint8Array(6);
    const byConflicts = new BlastingSolver(arena, { quickConflicts: 50, conflicts: 200, timeMs: 10_000 });
    assert.deepEqual(byConflicts.solve({ constraints, hint }), { kind: "unknown", reason: "conflicts" });
    const byTime = new BlastingSolver(arena, { quickConflicts: 1e9, conflicts: 1e9, timeMs: 20 });
    assert.deepEqual(byTime.solve({ constraints, hint }), { kind: "unknown", reason: "time" });
    const byTimeInCadical = new BlastingSolver(arena, { quickConflicts: 10, conflicts: 1e9, timeMs: 50 });
    assert.deepEqual(byTimeInCadical.solve({ constraints, hint }), { kind: "unknown", reason: "time" });
  });
});
