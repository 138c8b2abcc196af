// What exploration itself costs a path, without the program: scripts whose branches are already decided and whose conditions are
// made beforehand stand for the program, so what is left is following, recording, searching and solving. Processor time, best of
// several rounds: the machine is shared. The share of the solver is of wall time.
//
//   node dist/bench/engine.js [--paths N] [--rounds N]

import { scriptArguments } from "../scripts/usage.js";
import { Engine } from "../src/engine/engine.js";
import type { EngineOptions } from "../src/engine/options.js";
import { type Script, ScriptExecutor } from "../src/engine/script-executor.js";
import { ExprArena } from "../src/expr/arena.js";
import type { ExprRef } from "../src/expr/ops.js";
import { SEARCHER_NAMES } from "../src/search/registry.js";
import { assembleSolver } from "../src/solver/chain.js";
import { Random } from "../src/support/random.js";

const { values } = scriptArguments(import.meta.url, {
  options: {
    paths: { type: "string", default: "40000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
  },
});
const PATHS = Number(values.paths);
const ROUNDS = Number(values.rounds);

type MakeScript = (arena: ExprArena) => Script;

/** So many branches, each on a byte of its own: every side is feasible. */
function independent(branches: number): MakeScript {
  return (arena) => {
    const limit = arena.constant(8, 100, 0);
    const conditions = Array.from({ length: branches }, (_, i) => arena.binary("ult", arena.variable(i), limit));
    return (run) => {
      const { input } = run;
      for (let i = 0; i < branches; i++) run.branch(i, conditions[i], (input[i] ?? 0) < 100);
      return 0;
    };
  };
}

/** Branches on few bytes, as a parser has: each byte is compared with several characters; half of the sides are infeasible. */
function classes(bytes: number, tests: number): MakeScript {
  return (arena) => {
    const conditions: ExprRef[] = [];
    for (let i = 0; i < bytes; i++) {
      for (let k = 0; k < tests; k++) {
        conditions.push(arena.binary("ult", arena.variable(i), arena.constant(8, 20 * (k + 1), 0)));
      }
    }
    return (run) => {
      const { input } = run;
      for (let i = 0; i < bytes; i++) {
        for (let k = 0; k < tests; k++) {
          const at = i * tests + k;
          run.branch(at, conditions[at], (input[i] ?? 0) < 20 * (k + 1));
        }
      }
      return 0;
    };
  };
}

const PROGRAMS: readonly { name: string; branches: number; make: MakeScript }[] = [
  { name: "50 independent branches", branches: 50, make: independent(50) },
  { name: "10 bytes in 6 classes (50 branches)", branches: 50, make: classes(10, 5) },
];

function measure(
  make: MakeScript,
  options: Partial<EngineOptions>,
): { us: number; queriesPerPath: number; solver: number } {
  const arena = new ExprArena();
  const executor = new ScriptExecutor(arena, make(arena), 64);
  const solver = assembleSolver(arena, {});
  const engine = new Engine(executor, {
    random: new Random(1),
    limits: { paths: PATHS },
    ...options,
    solver,
    seeds: [new Uint8Array(64)],
  });
  const began = performance.now();
  const usage = process.cpuUsage();
  const exploration = engine.explore();
  while (exploration.next().done !== true);
  const { user, system } = process.cpuUsage(usage);
  const spent = performance.now() - began;
  const { paths, divergences, solver: accounts } = engine.statistics();
  if (divergences > 0) throw new Error("diverged");
  return { us: (user + system) / paths, queriesPerPath: accounts.queries / paths, solver: accounts.timeMs / spent };
}

for (const { name, make } of PROGRAMS) {
  console.log(name);
  for (const mode of ["pending", "eager"] as const) {
    for (const searcher of SEARCHER_NAMES) {
      if (values.only !== undefined && values.only !== `${mode}/${searcher}`) continue;
      // Eager mode with a wide searcher hardly finishes a path: nothing to measure per path.
      if (mode === "eager" && searcher !== "dfs") continue;
      let best = measure(make, { mode, searcher });
      for (let round = 1; round < ROUNDS; round++) {
        const again = measure(make, { mode, searcher });
        if (again.us < best.us) best = again;
      }
      const { us, queriesPerPath, solver } = best;
      console.log(
        `  ${mode} ${searcher.padEnd(14)} ${us.toFixed(1).padStart(7)} us/path  ${queriesPerPath.toFixed(2)} queries/path  ${(solver * 100).toFixed(0)} % in the solver`,
      );
    }
  }
}
