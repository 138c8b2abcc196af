import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { BlastingSolver } from "./blast/blasting-solver.js";
import { interpolate } from "./interpolate.js";
import { RandomFormulas } from "./random-formula-fixture.js";

const hint = new Uint8Array(8);

function isUnsat(arena: ExprArena, constraints: readonly ExprRef[]): boolean {
  return new BlastingSolver(arena).solve({ constraints, hint }).kind === "unsat";
}

function conditions(arena: ExprArena, random: Random, bytes: readonly number[], count: number): ExprRef[] {
  const formulas = new RandomFormulas(arena, random, { bytes: 8, hard: false });
  const chosen: ExprRef[] = [];
  while (chosen.length < count) {
    const e = formulas.condition(3, 12);
    const support = Array.from(arena.support(e));
    if (support.length > 0 && support.every((byte) => bytes.includes(byte))) chosen.push(e);
  }
  return chosen;
}

describe("interpolation", () => {
  it("an interpolant follows from A, contradicts B and mentions only shared bytes", () => {
    let found = 0;
    for (let seed = 1; found < 40 && seed < 600; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed);
      const a = conditions(arena, random, [0, 1, 2, 3], 3);
      const b = conditions(arena, random, [2, 3, 4, 5], 3);
      const result = interpolate(arena, a, b, [arena.variable(2), arena.variable(3)]);
      if (result.kind === "compatible") {
        assert.ok(!isUnsat(arena, [...a, ...b]), `seed ${seed}`);
        continue;
      }
      assert.equal(result.kind, "interpolant", `seed ${seed}`);
      if (result.kind !== "interpolant") continue;
      found++;
      const { formula } = result;
      assert.ok(isUnsat(arena, [...a, arena.not(formula)]), `seed ${seed}: A does not imply it`);
      assert.ok(isUnsat(arena, [...b, formula]), `seed ${seed}: it does not contradict B`);
      for (const byte of arena.support(formula)) assert.ok(byte === 2 || byte === 3, `seed ${seed}: mentions ${byte}`);
    }
    assert.equal(found, 40);
  });

  it("no interpolant has more cubes than allowed, and exactly as many are enough", () => {
    const arena = new ExprArena();
    const byte = arena.variable(0);
    const is = (value: number): ExprRef => arena.binary("eq", byte, arena.constant(8, value, 0));
    // Three values far apart against all the others: each needs a cube of its own.
    const a = [arena.binary("or", is(0), arena.binary("or", is(3), is(5)))];
    const b = [arena.not(a[0])];
    const limits = { timeMs: 10_000, conflicts: 100_000 };
    const free = interpolate(arena, a, b, [byte], { ...limits, maxCubes: 500 });
    assert.ok(free.kind === "interpolant" && free.cubes === 3);
    const exact = interpolate(arena, a, b, [byte], { ...limits, maxCubes: 3 });
    assert.equal(exact.kind, "interpolant");
    for (const maxCubes of [2, 1, 0]) {
      assert.deepEqual(interpolate(arena, a, b, [byte], { ...limits, maxCubes }), { kind: "unknown", reason: "cubes" });
    }
  });

  it("shared expressions may be words: ranges of a 32-bit sum are kept apart", () => {
    const arena = new ExprArena();
    const word = (from: number): ExprRef => {
      const bytes = [0, 1, 2, 3].map((i) => arena.variable(from + i));
      return bytes.reduce((low, high) => arena.concat(high, low));
    };
    const sum = arena.binary("add", word(0), word(4));
    const a = [arena.binary("ult", sum, arena.constant(32, 1000, 0))];
    const b = [arena.binary("ult", arena.constant(32, 5000, 0), sum)];
    const result = interpolate(arena, a, b, [sum]);
    assert.equal(result.kind, "interpolant");
    if (result.kind !== "interpolant") return;
    assert.ok(isUnsat(arena, [...a, arena.not(result.formula)]));
    assert.ok(isUnsat(arena, [...b, result.formula]));
    assert.ok(result.cubes < 20, `${result.cubes} cubes`);
  });

  it("the interpolant of an unsatisfiable A is false, of an unsatisfiable B true", () => {
    const arena = new ExprArena();
    const x = arena.variable(0);
    const small = arena.binary("ult", x, arena.constant(8, 10, 0));
    const contradiction = [small, arena.not(small)];
    const falseOne = interpolate(arena, contradiction, [small], [x]);
    assert.deepEqual(falseOne, { kind: "interpolant", formula: arena.FALSE, cubes: 0 });
    const trueOne = interpolate(arena, [small], contradiction, [x]);
    assert.deepEqual(trueOne, { kind: "interpolant", formula: arena.TRUE, cubes: 1 });
  });

  it("says when the sets agree on shared values, and when a limit is reached", () => {
    const arena = new ExprArena();
    const x = arena.variable(0);
    const even = arena.binary("eq", arena.extract(x, 0, 1), arena.constant(1, 0, 0));
    const small = arena.binary("ult", x, arena.constant(8, 10, 0));
    assert.deepEqual(interpolate(arena, [even], [small], [x]), { kind: "compatible" });
    // Equality of two shared bytes against inequality needs a cube for each of 256 values.
    const equal = arena.binary("eq", x, arena.variable(1));
    const limits = { timeMs: 5000, conflicts: 10_000, maxCubes: 20 };
    const result = interpolate(arena, [equal], [arena.not(equal)], [x, arena.variable(1)], limits);
    assert.deepEqual(result, { kind: "unknown", reason: "cubes" });
  });
});
