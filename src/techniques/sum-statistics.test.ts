import assert from "node:assert/strict";
import { test } from "node:test";
import { Counters, type EngineStatistics } from "../engine/statistics.js";
import { emptyTally } from "../solver/layers/meter.js";
import { sumSolverStats, sumStatistics } from "./sum-statistics.js";

const part = (paths: number, timeMs: number, solverMs: number): EngineStatistics => ({
  ...new Counters(),
  paths,
  ends: { exit: paths },
  losses: { pin: 1 },
  timeMs,
  pathsPerSecond: 0,
  pending: 2,
  treeBytes: 10,
  solver: {
    queries: 5,
    satisfiable: 4,
    unsatisfiable: 1,
    unknown: 0,
    timeMs: solverMs,
    unsatisfiableTimeMs: 1,
    checksPutOff: 0,
  },
  solverShare: 0,
  unsatisfiableShare: 0,
  coverage: [],
});

test("sum: counts are added, also those by name; shares are of all the time spent, rates of the time on the clock", () => {
  const sum = sumStatistics([part(30, 1000, 100), part(10, 1000, 300)], 1000);
  assert.equal(sum.paths, 40);
  assert.deepEqual(sum.ends, { exit: 40 });
  assert.deepEqual(sum.losses, { pin: 2 });
  assert.equal(sum.pending, 4);
  assert.equal(sum.pathsPerSecond, 40);
  assert.equal(sum.solverShare, 0.2);
  assert.equal(sum.unsatisfiableShare, 2 / 400);
  assert.equal(sum.solver.queries, 10);
});

test("sum: the solver's layers are added place by place", () => {
  const stats = (asked: number) => ({
    total: { ...emptyTally(), calls: asked, timeMs: 10, unsatMs: 5 },
    unsatShare: 0.5,
    layers: [{ name: "core", asked, answered: asked, timeMs: 1 }],
    details: { conflicts: 3 },
  });
  const sum = sumSolverStats([stats(2), stats(5)]);
  assert.deepEqual(sum.layers, [{ name: "core", asked: 7, answered: 7, timeMs: 2 }]);
  assert.equal(sum.total.calls, 7);
  assert.equal(sum.unsatShare, 0.5);
  assert.deepEqual(sum.details, { conflicts: 6 });
});
