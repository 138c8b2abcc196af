import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { ExprArena } from "../expr/arena.js";
import { Evaluator } from "../expr/evaluate.js";
import { Random } from "../support/random.js";
import { assembleSolver } from "./chain.js";
import { askBatch, type ExternalCommand, ExternalSolver, locateExternal, queryScript } from "./external.js";
import { CrossCheckSolver } from "./layers/cross-check.js";
import { QueryLog } from "./layers/query-log.js";
import { RandomFormulas } from "./random-formula-fixture.js";
import type { Solver } from "./solver.js";

function z3(test: TestContext): ExternalCommand | null {
  const located = locateExternal("z3");
  if (located.kind === "found") return located.command;
  test.skip("z3 is not installed");
  return null;
}

function inFolder<T>(body: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "tangent-solver-"));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("external solvers", () => {
  it("the chain's verdicts agree with z3 on random formulas at widths 1 to 128", (test) => {
    const command = z3(test);
    if (command === null) return;
    const scripts: string[] = [];
    const verdicts: string[] = [];
    for (let seed = 1; seed <= 9; seed++) {
      const arena = new ExprArena();
      const random = new Random(seed * 77);
      const maxWidth = [4, 8, 16, 32, 64, 128][seed % 6];
      const formulas = new RandomFormulas(arena, random, { bytes: 2 + (seed % 8), hard: maxWidth <= 16 });
      const chain = assembleSolver(arena, { timeMs: 2000 });
      const evaluator = new Evaluator(arena);
      for (let round = 0; round < 20; round++) {
        const constraints = Array.from({ length: 1 + formulas.below(5) }, () => formulas.condition(4, maxWidth));
        const hint = new Uint8Array(10);
        random.fill(hint);
        const verdict = chain.solve({ constraints, hint });
        scripts.push(queryScript(arena, constraints, verdict.kind));
        verdicts.push(verdict.kind);
        if (verdict.kind === "sat") {
          evaluator.load(verdict.model);
          for (const e of constraints) assert.ok(evaluator.holds(e));
        }
        if (verdict.kind === "unsat") {
          scripts.push(
            queryScript(
              arena,
              verdict.core.map((i) => constraints[i]),
              "unsat",
            ),
          );
          verdicts.push("unsat");
        }
      }
    }
    const expected = askBatch(command, scripts, 60_000);
    verdicts.forEach((verdict, i) => {
      if (verdict !== "unknown" && expected[i] !== "unknown") assert.equal(verdict, expected[i], scripts[i]);
    });
    assert.ok(expected.filter((verdict) => verdict === "sat").length > 50);
    assert.ok(expected.filter((verdict) => verdict === "unsat").length > 50);
  });

  it("as the core of a chain, z3 gives models that hold and keeps the hint elsewhere", (test) => {
    const command = z3(test);
    if (command === null) return;
    const arena = new ExprArena();
    const chain = assembleSolver(arena, { external: command, maxModels: 0 });
    const product = arena.binary(
      "mul",
      arena.zext(arena.variable(0), 16),
      arena.zext(arena.concat(arena.variable(2), arena.variable(3)), 16),
    );
    const constraints = [arena.binary("eq", product, arena.constant(16, 7 * 8191, 0))];
    const verdict = chain.solve({ constraints, hint: Uint8Array.of(2, 99, 1, 1) });
    assert.equal(verdict.kind, "sat");
    if (verdict.kind === "sat") assert.equal(verdict.model[1], 99);
    const both = [...constraints, arena.binary("eq", arena.extract(product, 0, 8), arena.constant(8, 0, 0))];
    assert.equal(chain.solve({ constraints: both, hint: new Uint8Array(4) }).kind, "unsat");
  });

  it("a solver that is not there is an error with a message, not an answer", () => {
    const located = locateExternal("/no/such/solver");
    assert.equal(located.kind, "error");
    assert.match(located.kind === "error" ? located.message : "", /no\/such\/solver.*Is it installed/s);
  });

  it("a solver that hangs or talks nonsense gives unknown", () => {
    const arena = new ExprArena();
    const constraints = [arena.binary("ult", arena.variable(0), arena.variable(1))];
    const query = { constraints, hint: new Uint8Array(2) };
    const nonsense = new ExternalSolver(arena, { path: "echo", args: ["perhaps"] }, 100);
    assert.deepEqual(nonsense.solve(query), { kind: "unknown", reason: "external" });
    const incomplete = new ExternalSolver(arena, { path: "echo", args: ["sat"] }, 100);
    assert.deepEqual(incomplete.solve(query), { kind: "unknown", reason: "external" });
    const hanging = new ExternalSolver(arena, { path: "sleep", args: ["20"] }, -1900);
    assert.deepEqual(hanging.solve(query), { kind: "unknown", reason: "time" });
  });

  it("queries that reach the core are logged with their verdicts", () => {
    inFolder((folder) => {
      const arena = new ExprArena();
      const chain = assembleSolver(arena, { logDirectory: folder, maxModels: 0 });
      const wide = arena.concat(arena.variable(0), arena.concat(arena.variable(1), arena.variable(2)));
      const square = arena.binary("mul", arena.zext(wide, 48), arena.zext(wide, 48));
      const equals = (value: bigint) => arena.binary("eq", square, arena.constantBig(48, value));
      assert.equal(chain.solve({ constraints: [equals(70_000n * 70_000n)], hint: new Uint8Array(3) }).kind, "sat");
      assert.equal(chain.solve({ constraints: [equals(70_001n * 70_000n)], hint: new Uint8Array(3) }).kind, "unsat");
      assert.deepEqual(readdirSync(folder).sort(), ["000001-sat.smt2", "000002-unsat.smt2"]);
      assert.match(readFileSync(join(folder, "000002-unsat.smt2"), "utf8"), /; verdict: unsat[\s\S]*\(check-sat\)/);
    });
  });

  it("on request every query is logged, also those that no core was needed for", () => {
    inFolder((folder) => {
      const arena = new ExprArena();
      const chain = assembleSolver(arena, { logDirectory: folder, logEverything: true });
      const small = arena.binary("ult", arena.variable(0), arena.constant(8, 5, 0));
      chain.solve({ constraints: [small], hint: Uint8Array.of(9) });
      chain.solve({ constraints: [small, arena.not(small)], hint: Uint8Array.of(9) });
      assert.deepEqual(readdirSync(folder).sort(), ["000001-sat.smt2", "000002-unsat.smt2"]);
    });
  });

  it("two solvers that disagree stop everything, and the message names the query's file", () => {
    inFolder((folder) => {
      const arena = new ExprArena();
      const constraints = [arena.binary("ult", arena.variable(0), arena.variable(1))];
      const yes: Solver = { solve: () => ({ kind: "sat", model: Uint8Array.of(0, 1) }) };
      const no: Solver = { solve: () => ({ kind: "unsat", core: [0] }) };
      const dunno: Solver = { solve: () => ({ kind: "unknown", reason: "time" }) };
      const log = new QueryLog(arena, folder);
      const query = { constraints, hint: new Uint8Array(2) };
      assert.throws(() => new CrossCheckSolver(yes, no, log).solve(query), /sat.*unsat.*000001-disputed\.smt2/);
      assert.equal(new CrossCheckSolver(no, dunno, log).solve(query).kind, "unsat");
      assert.equal(new CrossCheckSolver(yes, yes, log).solve(query).kind, "sat");
    });
  });
});
