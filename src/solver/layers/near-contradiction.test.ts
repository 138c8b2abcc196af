import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../../expr/arena.js";
import type { ExprRef } from "../../expr/ops.js";
import { BlastingSolver, DEFAULT_BLASTING_LIMITS } from "../blast/blasting-solver.js";
import type { Query, Solver, Verdict } from "../solver.js";
import { NearContradictionLayer } from "./near-contradiction.js";

const WORDS = 400;
const HINT = new Uint8Array(2 * WORDS);

/** A long path over words of two bytes; its first condition bounds the first word. */
function longPath(): {
  readonly arena: ExprArena;
  readonly path: readonly ExprRef[];
  readonly below: (word: number, bound: number) => ExprRef;
} {
  const arena = new ExprArena();
  const wordAt = (n: number): ExprRef => arena.concat(arena.variable(2 * n + 1), arena.variable(2 * n));
  const below = (word: number, bound: number): ExprRef =>
    arena.binary("ult", wordAt(word), arena.constant(16, bound, 0));
  const path = [below(0, 100)];
  for (let n = 1; n < WORDS; n++) path.push(below(n, 5000 + n));
  return { arena, path, below };
}

/** Counts what comes through. */
class Counted implements Solver {
  asked = 0;

  constructor(private readonly solver: Solver) {}

  solve(query: Query): Verdict {
    this.asked++;
    return this.solver.solve(query);
  }
}

describe("contradictions nearby", () => {
  it("what contradicted one goal is asked with the next, however old it is", () => {
    const { arena, path, below } = longPath();
    const blasting = new BlastingSolver(arena, DEFAULT_BLASTING_LIMITS);
    const whole = new Counted(blasting);
    const layer = new NearContradictionLayer(arena, blasting, whole);
    const cores = [200, 300, 400].map((bound) => {
      const verdict = layer.solve({ constraints: [...path, arena.not(below(0, bound))], hint: HINT });
      assert.ok(verdict.kind === "unsat");
      return [...verdict.core].sort((a, b) => a - b);
    });
    assert.deepEqual(cores, [
      [0, WORDS],
      [0, WORDS],
      [0, WORDS],
    ]);
    assert.equal(whole.asked, 1, "the first time only");
    assert.equal(layer.found, 2);
  });

  it("what is satisfiable is never denied, and what is young needs no memory", () => {
    const { arena, path, below } = longPath();
    const blasting = new BlastingSolver(arena, DEFAULT_BLASTING_LIMITS);
    const whole = new Counted(blasting);
    const layer = new NearContradictionLayer(arena, blasting, whole);
    const young = layer.solve({ constraints: [...path, arena.not(below(WORDS - 1, 6000))], hint: HINT });
    assert.ok(young.kind === "unsat" && whole.asked === 0);
    for (const bound of [10, 99]) {
      const verdict = layer.solve({ constraints: [...path, arena.not(below(0, bound))], hint: HINT });
      assert.equal(verdict.kind, "sat");
    }
    assert.equal(whole.asked, 2);
  });

  it("a condition that is gone from the path denies nothing", () => {
    const { arena, path, below } = longPath();
    const blasting = new BlastingSolver(arena, DEFAULT_BLASTING_LIMITS);
    const layer = new NearContradictionLayer(arena, blasting, blasting);
    const goal = arena.not(below(0, 200));
    assert.equal(layer.solve({ constraints: [...path, goal], hint: HINT }).kind, "unsat");
    assert.equal(layer.solve({ constraints: [...path.slice(1), goal], hint: HINT }).kind, "sat");
  });
});
