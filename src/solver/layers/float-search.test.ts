import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import { Evaluator } from "../../expr/evaluate.js";
import type { ExprRef } from "../../expr/ops.js";
import { Random } from "../../support/random.js";
import { BlastingSolver } from "../blast/blasting-solver.js";
import { assembleSolver } from "../chain.js";
import { RandomFloats } from "../random-float-fixture.js";
import { Distance } from "./distance.js";

const view = new DataView(new ArrayBuffer(8));

function double(arena: ExprArena, value: number): ExprRef {
  view.setFloat64(0, value);
  return arena.constantBig(64, view.getBigUint64(0));
}

function word(arena: ExprArena, first: number, width = 64): ExprRef {
  let e = arena.variable(first);
  for (let i = 1; i < width / 8; i++) e = arena.concat(arena.variable(first + i), e);
  return e;
}

/** Conditions with a model, by name. */
const SATISFIABLE: { readonly [name: string]: (arena: ExprArena) => ExprRef[] } = {
  "a square in a small range": (arena) => {
    const square = arena.binary("fmul", word(arena, 0), word(arena, 0));
    return [arena.binary("flt", double(arena, 2), square), arena.binary("flt", square, double(arena, 2.0000001))];
  },
  "a product cut to an integer": (arena) => {
    const cut = arena.convert("ftosi", 32, arena.binary("fmul", word(arena, 0), double(arena, 100)));
    return [arena.binary("eq", cut, arena.constant(32, 4242, 0))];
  },
  "a root": (arena) => [arena.binary("feq", arena.unary("fsqrt", word(arena, 0)), double(arena, 12.5))],
  "the other zero, by its bits": (arena) => [
    arena.binary("eq", arena.binary("fadd", word(arena, 0), word(arena, 8)), double(arena, -0)),
  ],
  "no number": (arena) => [arena.not(arena.binary("feq", word(arena, 0), word(arena, 0)))],
  "a sum that loses what is added": (arena) => {
    const x = word(arena, 0);
    return [
      arena.binary("feq", arena.binary("fadd", x, double(arena, 1)), x),
      arena.binary("flt", x, double(arena, 1e17)),
      arena.binary("flt", double(arena, 0), x),
    ];
  },
  "two unknowns in two equations": (arena) => {
    const [x, y] = [word(arena, 0), word(arena, 8)];
    return [
      arena.binary("feq", arena.binary("fadd", x, y), double(arena, 10)),
      arena.binary("feq", arena.binary("fsub", x, y), double(arena, 4)),
    ];
  },
  "a quotient of integers": (arena) => {
    const quotient = arena.binary("fdiv", arena.convert("sitof", 64, word(arena, 0, 32)), double(arena, 3));
    return [
      arena.binary("feq", quotient, double(arena, 12345)),
      arena.binary("ult", arena.variable(4), arena.variable(5)),
    ];
  },
};

describe("conditions on floating-point numbers", () => {
  for (const [name, make] of Object.entries(SATISFIABLE)) {
    it(`a model is found: ${name}`, () => {
      const arena = new ExprArena();
      const constraints = make(arena);
      const solver = assembleSolver(arena);
      const hint = new Uint8Array(40).fill(7, 32);
      const verdict = solver.solve({ constraints, hint });
      assert.equal(verdict.kind, "sat");
      if (verdict.kind !== "sat") return;
      const evaluator = new Evaluator(arena);
      evaluator.load(verdict.model);
      for (const e of constraints) assert.ok(evaluator.holds(e));
      assert.deepEqual(verdict.model.slice(32), hint.slice(32), "other bytes are the hint's");
    });
  }

  it("a contradiction is one, with its core", () => {
    const arena = new ExprArena();
    const [x, y] = [word(arena, 0), word(arena, 8)];
    const constraints = [
      arena.binary("flt", double(arena, 1), x),
      arena.binary("flt", arena.binary("fadd", x, y), y),
      arena.binary("flt", double(arena, 0), y),
      arena.binary("flt", y, double(arena, 10)),
      arena.binary("ult", arena.variable(0), arena.variable(8)),
    ];
    const verdict = assembleSolver(arena).solve({ constraints, hint: new Uint8Array(16) });
    assert.equal(verdict.kind, "unsat");
    if (verdict.kind === "unsat") assert.ok(verdict.core.includes(1) && verdict.core.includes(0));
  });

  it("what is not decided in time is unknown, not a contradiction", () => {
    const arena = new ExprArena();
    const square = arena.binary("fmul", word(arena, 0), word(arena, 0));
    const solver = assembleSolver(arena, { conflicts: 1, quickConflicts: 1, timeMs: 1 });
    const verdict = solver.solve({
      constraints: [arena.binary("feq", square, double(arena, 2))],
      hint: new Uint8Array(8),
      deadlineMs: performance.now() + 50,
    });
    assert.equal(verdict.kind, "unknown");
  });

  it("the chain and the core alone agree on random conditions, and models hold", () => {
    let compared = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed);
      const floats = new RandomFloats(arena, random, 2);
      const constraints = Array.from({ length: 1 + floats.below(2) }, () => floats.condition(1 + floats.below(2)));
      const hint = new Uint8Array(16);
      random.fill(hint);
      const verdict = assembleSolver(arena, { timeMs: 300 }).solve({ constraints, hint });
      const core = new BlastingSolver(arena, { quickConflicts: 2000, conflicts: 4000, timeMs: 300 });
      const other = core.solve({ constraints, hint });
      for (const one of [verdict, other]) {
        if (one.kind !== "sat") continue;
        const evaluator = new Evaluator(arena);
        evaluator.load(one.model);
        for (const e of constraints) assert.ok(evaluator.holds(e), `seed ${seed}`);
      }
      if (verdict.kind === "unknown" || other.kind === "unknown") continue;
      assert.equal(verdict.kind, other.kind, `seed ${seed}`);
      compared++;
    }
    assert.ok(compared > 20, `${compared} compared`);
  });
});

describe("the distance to holding", () => {
  it("is 0 exactly where the condition holds, and shrinks on the way there", () => {
    for (let seed = 1; seed <= 200; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed * 13);
      const e = new RandomFloats(arena, random, 2).condition(2);
      const evaluator = new Evaluator(arena);
      const distance = new Distance(arena, evaluator);
      const model = new Uint8Array(16);
      for (let round = 0; round < 5; round++) {
        random.fill(model);
        evaluator.load(model);
        assert.equal(distance.of(e) === 0, evaluator.holds(e), `seed ${seed}`);
        assert.ok(distance.of(e) >= 0);
      }
    }
    const arena = new ExprArena();
    const e = arena.binary("feq", arena.binary("fadd", word(arena, 0), word(arena, 8)), double(arena, 100));
    const evaluator = new Evaluator(arena);
    const distance = new Distance(arena, evaluator);
    const distances = [Number.NaN, -1e300, -1, 0, 1, 99, 99.9, 100].map((value) => {
      const model = new Uint8Array(16);
      new DataView(model.buffer).setFloat64(0, value, true);
      evaluator.load(model);
      return distance.of(e);
    });
    for (let i = 1; i < distances.length; i++) assert.ok(distances[i] < distances[i - 1], distances.join(" "));
    assert.equal(distances[7], 0);
  });
});
