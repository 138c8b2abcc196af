import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { BlastingSolver } from "./blast/blasting-solver.js";
import { assembleSolver, type ChainedSolver } from "./chain.js";
import { RandomFormulas } from "./random-formula-fixture.js";
import type { Query, Verdict } from "./solver.js";

/** The verdict's claims, checked one by one. */
function checkVerdict(arena: ExprArena, bare: BlastingSolver, query: Query, verdict: Verdict, where: string): void {
  const evaluator = new Evaluator(arena);
  const expected = bare.solve(query);
  assert.equal(verdict.kind, expected.kind, where);
  if (verdict.kind === "sat") {
    evaluator.load(verdict.model);
    for (const e of query.constraints) assert.ok(evaluator.holds(e), `${where}: a model that does not hold`);
    assert.ok(verdict.model.length >= query.hint.length);
    const touched = new Set(query.constraints.flatMap((e) => Array.from(arena.support(e))));
    query.hint.forEach((byte, i) => {
      if (!touched.has(i)) assert.equal(verdict.model[i], byte, `${where}: byte ${i} is in no constraint`);
    });
  }
  if (verdict.kind === "unsat") {
    const core = verdict.core.map((position) => query.constraints[position]);
    assert.ok(core.every((e) => e !== undefined));
    assert.equal(new Set(verdict.core).size, verdict.core.length, `${where}: positions repeat`);
    assert.equal(bare.solve({ ...query, constraints: core }).kind, "unsat", `${where}: the core has a model`);
  }
}

function conditionsOverOneByte(formulas: RandomFormulas, arena: ExprArena, bytes: number): ExprRef {
  const byte = arena.variable(formulas.below(bytes));
  const limit = arena.constant(8, formulas.below(256), 0);
  const kind = formulas.below(5);
  if (kind === 4) return arena.binary("eq", byte, limit);
  if (kind === 0) return arena.binary("ult", byte, limit);
  if (kind === 1) return arena.binary("ult", limit, byte);
  if (kind === 2) return arena.not(arena.binary("eq", byte, limit));
  const digit = arena.binary("sub", arena.zext(byte, 32), arena.constant(32, 48, 0));
  return arena.binary("ult", digit, arena.constant(32, 1 + formulas.below(200), 0));
}

describe("solver chain", () => {
  it("agrees with the bare bit-blaster on random sets of conditions, asked again and again", () => {
    const kinds = { sat: 0, unsat: 0, unknown: 0 };
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= 40; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed);
      const bytes = 2 + (seed % 7);
      const formulas = new RandomFormulas(arena, random, { bytes, hard: seed % 3 === 0 });
      const chain: ChainedSolver = assembleSolver(arena);
      const bare = new BlastingSolver(arena);
      const pool = Array.from({ length: 14 }, (_, i) =>
        i % 2 === 0 ? conditionsOverOneByte(formulas, arena, bytes) : formulas.condition(4, seed % 3 === 0 ? 10 : 32),
      );
      for (let round = 0; round < 25; round++) {
        const constraints = Array.from({ length: 1 + formulas.below(7) }, () => {
          const e = formulas.pick(pool);
          return formulas.below(4) === 0 ? arena.not(e) : e;
        });
        const hint = new Uint8Array(formulas.below(bytes + 3));
        random.fill(hint);
        const query = { constraints, hint };
        const verdict = chain.solve(query);
        kinds[verdict.kind]++;
        checkVerdict(arena, bare, query, verdict, `seed ${seed}, round ${round}`);
      }
      for (const [name, count] of Object.entries(chain.stats.details)) seen.set(name, (seen.get(name) ?? 0) + count);
    }
    assert.ok(kinds.sat > 100 && kinds.unsat > 100, JSON.stringify(kinds));
    assert.equal(kinds.unknown, 0);
    // Every layer had something to say, or this test says nothing about it.
    const optional = [
      "answers of CaDiCaL",
      "contradictions by rewriting",
      "contradictions nearby",
      "models by floating-point search",
      "floating-point queries the core answered at once",
      "queries cross-checked",
    ];
    for (const [name, count] of seen) assert.ok(count > 0 || optional.includes(name), `${name} never happened`);
  });

  it("at the end of a long path a goal that its last decisions exclude needs no more than these", () => {
    const kinds = { sat: 0, unsat: 0, unknown: 0 };
    let nearby = 0;
    for (let seed = 1; seed <= 6; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed);
      const bytes = 12;
      const formulas = new RandomFormulas(arena, random, { bytes, hard: false });
      const chain = assembleSolver(arena);
      const bare = new BlastingSolver(arena);
      const evaluator = new Evaluator(arena);
      const hint = new Uint8Array(bytes);
      random.fill(hint);
      evaluator.load(hint);
      // A path: decisions of which each holds for the hint.
      const path: ExprRef[] = [];
      while (path.length < 260) {
        const e = formulas.condition(4, 16);
        if (arena.supportSize(e) > 1) path.push(evaluator.holds(e) ? e : arena.not(e));
      }
      for (let round = 0; round < 12; round++) {
        const recent = path[path.length - 1 - formulas.below(10)];
        const goal = round % 3 === 0 ? formulas.condition(4, 16) : arena.not(recent);
        // Written otherwise, so that it is not simply the opposite of a condition.
        const other = arena.binary("and", goal, conditionsOverOneByte(formulas, arena, bytes));
        const query = { constraints: [...path, round % 3 === 2 ? other : goal], hint };
        const verdict = chain.solve(query);
        kinds[verdict.kind]++;
        checkVerdict(arena, bare, query, verdict, `seed ${seed}, round ${round}`);
      }
      nearby += chain.stats.details["contradictions nearby"];
    }
    assert.ok(nearby > 5, `${nearby} nearby`);
    assert.ok(kinds.sat > 0 && kinds.unsat > nearby, JSON.stringify(kinds));
  });

  it("answers stay right when the arena is collected and expressions get other names", () => {
    const arena = new ExprArena();
    const random = new Random(99);
    const formulas = new RandomFormulas(arena, random, { bytes: 4, hard: false });
    const chain = assembleSolver(arena);
    let pool = Array.from({ length: 20 }, (_, i) =>
      i % 3 === 0 ? conditionsOverOneByte(formulas, arena, 4) : formulas.condition(4, 16),
    );
    for (let round = 0; round < 120; round++) {
      if (round % 10 === 9) {
        // Some are dropped, so that the others move to places that meant something else.
        const kept = pool.filter((_, i) => i % 5 !== round % 5);
        const moved = arena.collect(kept);
        pool = kept.map((e) => moved[e] as ExprRef);
        while (pool.length < 20) pool.push(formulas.condition(4, 16));
      }
      const constraints = Array.from({ length: 1 + formulas.below(5) }, () => formulas.pick(pool));
      const hint = new Uint8Array(4);
      random.fill(hint);
      const query = { constraints, hint };
      checkVerdict(arena, new BlastingSolver(arena), query, chain.solve(query), `round ${round}`);
    }
  });

  it("an equality makes a product, a lookup and a contradiction vanish", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena);
    const bare = new BlastingSolver(arena);
    const [x, y, z] = [0, 1, 2].map((i) => arena.zext(arena.variable(i), 32));
    const table = arena.table(Array.from({ length: 200 }, (_, i) => arena.constant(32, i * i, 0)));
    const number = (value: number): ExprRef => arena.constant(32, value, 0);
    const sum = arena.binary("eq", arena.binary("add", x, y), number(7));
    const product = arena.binary("mul", arena.binary("add", x, y), z);
    const entry = arena.lookup(table, arena.binary("add", x, y));
    const queries = [
      [sum, arena.binary("eq", product, number(700))],
      [sum, arena.binary("eq", product, number(701))],
      [arena.binary("ult", z, number(50)), sum, arena.binary("eq", entry, number(64))],
      [sum, arena.binary("ult", arena.binary("mul", entry, z), number(50))],
    ];
    for (const constraints of queries) {
      const query = { constraints, hint: Uint8Array.of(1, 2, 3) };
      checkVerdict(arena, bare, query, chain.solve(query), "equalities");
    }
    assert.deepEqual(chain.solve({ constraints: queries[2], hint: new Uint8Array(3) }), {
      kind: "unsat",
      core: [1, 2],
    });
    assert.ok(chain.stats.details["queries rewritten"] >= 2);
    assert.ok(chain.stats.details["contradictions by rewriting"] >= 1);
  });

  it("a condition over one byte takes the allowed value nearest to the hint", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena);
    const byte = arena.variable(2);
    const between = (low: number, high: number): ExprRef[] => [
      arena.binary("ule", arena.constant(8, low, 0), byte),
      arena.binary("ule", byte, arena.constant(8, high, 0)),
    ];
    const solve = (constraints: readonly ExprRef[], value: number): Verdict =>
      chain.solve({ constraints, hint: Uint8Array.of(7, 8, value, 9) });
    assert.deepEqual(solve(between(65, 90), 70), { kind: "sat", model: Uint8Array.of(7, 8, 70, 9) });
    assert.deepEqual(solve(between(65, 90), 3), { kind: "sat", model: Uint8Array.of(7, 8, 65, 9) });
    assert.deepEqual(solve(between(65, 90), 250), { kind: "sat", model: Uint8Array.of(7, 8, 90, 9) });
    assert.deepEqual(solve([...between(5, 200), ...between(0, 4)], 1), { kind: "unsat", core: [0, 3] });
    assert.equal(chain.stats.layers[1].asked, 0);
  });

  it("says that nothing is needed where the hint is a model already", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena);
    const less = arena.binary("ult", arena.variable(0), arena.variable(1));
    const hint = Uint8Array.of(3, 4, 5);
    assert.deepEqual(chain.solve({ constraints: [less], hint }), { kind: "sat", model: hint });
    assert.equal(chain.stats.layers[2].asked, 0);
  });

  it("no constraints are satisfiable, the constant false is not", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena);
    const hint = Uint8Array.of(1);
    assert.deepEqual(chain.solve({ constraints: [], hint }), { kind: "sat", model: hint });
    assert.deepEqual(chain.solve({ constraints: [arena.TRUE, arena.FALSE], hint }), { kind: "unsat", core: [1] });
  });

  it("gives bytes beyond the hint the value 0 unless they are asked for", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena);
    const less = arena.binary("ult", arena.variable(3), arena.variable(5));
    const verdict = chain.solve({ constraints: [less], hint: Uint8Array.of(9) });
    assert.equal(verdict.kind, "sat");
    if (verdict.kind !== "sat") return;
    assert.deepEqual(Array.from(verdict.model.subarray(0, 3)), [9, 0, 0]);
    assert.ok(verdict.model[5] > verdict.model[3]);
  });

  it("with no time at all the answer to a hard query is unknown, and counted", () => {
    const arena = new ExprArena();
    const chain = assembleSolver(arena, { conflicts: 5, quickConflicts: 5, maxModels: 0 });
    const word = (from: number): ExprRef =>
      arena.zext(arena.concat(arena.variable(from), arena.variable(from + 1)), 32);
    const product = arena.binary("mul", word(0), word(2));
    const constraints = [
      arena.binary("eq", product, arena.constant(32, 0x7fff_ffed, 0)),
      arena.binary("ult", arena.constant(32, 1, 0), word(0)),
      arena.binary("ult", arena.constant(32, 1, 0), word(2)),
    ];
    assert.deepEqual(chain.solve({ constraints, hint: new Uint8Array(4) }), { kind: "unknown", reason: "conflicts" });
    assert.equal(chain.stats.total.unknown, 1);
  });
});
