import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../../support/random.js";
import { CLAUSE_LITERALS, ClauseArena } from "../blast/clauses.js";
import { CadicalCore } from "./cadical.js";
import { luby, QuickSat } from "./quick-sat.js";
import type { SatCore } from "./sat-core.js";

const LIMITS = { conflicts: 1e6, deadlineMs: Number.POSITIVE_INFINITY };

function fill(arena: ClauseArena, variables: number, clauses: readonly (readonly number[])[]): void {
  arena.reset(variables);
  for (const clause of clauses) {
    arena.reserve(CLAUSE_LITERALS + clause.length);
    arena.data.set(clause, arena.length + CLAUSE_LITERALS);
    arena.linkWritten(clause.length);
  }
  arena.seal();
}

/** Literals are 2 * variable + sign; bit v - 1 of `assignment` is the value of variable v. */
function isTrue(literal: number, assignment: number): boolean {
  return (((assignment >> ((literal >> 1) - 1)) & 1) ^ (literal & 1)) === 1;
}

function hasModel(variables: number, clauses: readonly (readonly number[])[], facts: readonly number[]): boolean {
  for (let assignment = 0; assignment < 2 ** variables; assignment++) {
    if (!facts.every((literal) => isTrue(literal, assignment))) continue;
    if (clauses.every((clause) => clause.some((literal) => isTrue(literal, assignment)))) return true;
  }
  return false;
}

describe("SAT solvers", () => {
  it("looks at the clock after much work, however few conflicts and decisions that is", () => {
    const arena = new ClauseArena();
    // One decision sets them all.
    const variables = 200_000;
    const clauses = Array.from({ length: variables - 1 }, (_, n) => [2 * (n + 1) + 1, 2 * (n + 2)]);
    const ahead = clauses.map(([a, b]) => [a ^ 1, b ^ 1]);
    fill(arena, variables + 1, [...clauses, ...ahead]);
    const quick = new QuickSat();
    const phases = new Uint8Array(variables + 2);
    assert.equal(quick.solve(arena, [], phases, { ...LIMITS, deadlineMs: performance.now() - 1 }), "time");
    assert.equal(quick.solve(arena, [], phases, LIMITS), "sat");
  });

  it("both agree with brute force, and the failed assumptions contradict the clauses by themselves", () => {
    const random = new Random(12);
    const arena = new ClauseArena();
    const outcomes = { sat: 0, unsat: 0 };
    for (let round = 0; round < 300; round++) {
      const variables = 3 + (random.next() % 10);
      const literal = (): number => 2 * (1 + (random.next() % variables)) + (random.next() & 1);
      const clauses = Array.from({ length: Math.floor(variables * (2.5 + (random.next() % 20) / 10)) }, () => {
        const chosen = new Map<number, number>();
        while (chosen.size < Math.min(3, variables)) {
          const next = literal();
          chosen.set(next >> 1, next);
        }
        return Array.from(chosen.values());
      });
      const assumptions = Array.from({ length: random.next() % 5 }, literal);
      const phases = Uint8Array.from({ length: variables + 1 }, () => random.next() & 1);
      const expected = hasModel(variables, clauses, assumptions) ? "sat" : "unsat";
      outcomes[expected]++;
      for (const core of [new QuickSat(), new CadicalCore()] as SatCore[]) {
        fill(arena, variables, clauses);
        assert.equal(core.solve(arena, assumptions, phases, LIMITS), expected, `round ${round}`);
        if (expected === "unsat") {
          const failed = core.failed.map((place) => assumptions[place]);
          assert.ok(!hasModel(variables, clauses, failed), `round ${round}: the failed assumptions have a model`);
          continue;
        }
        let assignment = 0;
        for (let v = 1; v <= variables; v++) assignment |= core.value(v) << (v - 1);
        for (const clause of clauses)
          assert.ok(
            clause.some((one) => isTrue(one, assignment)),
            `round ${round}`,
          );
        for (const fact of assumptions) assert.ok(isTrue(fact, assignment), `round ${round}`);
      }
    }
    assert.ok(outcomes.sat > 50 && outcomes.unsat > 50, JSON.stringify(outcomes));
  });

  it("the same clauses can be asked about again under other assumptions", () => {
    const arena = new ClauseArena();
    const [a, b, c] = [2, 4, 6];
    fill(arena, 3, [
      [a ^ 1, b],
      [b ^ 1, c],
      [a, b, c],
    ]);
    const solver = new QuickSat();
    const phases = new Uint8Array(4);
    assert.equal(solver.solve(arena, [a, c ^ 1], phases, LIMITS), "unsat");
    assert.deepEqual(solver.failed.slice().sort(), [0, 1]);
    assert.equal(solver.solve(arena, [a], phases, LIMITS), "sat");
    assert.equal(solver.value(3), 1);
    assert.equal(solver.solve(arena, [b ^ 1, c ^ 1], phases, LIMITS), "unsat");
  });

  it("restarts follow Luby's sequence", () => {
    assert.deepEqual(
      Array.from({ length: 15 }, (_, i) => luby(i + 1)),
      [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8],
    );
  });
});
