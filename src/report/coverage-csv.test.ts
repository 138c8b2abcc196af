import assert from "node:assert/strict";
import { test } from "node:test";
import { CoverageCsv, type ProgressSample } from "./coverage-csv.js";

const sample = (elapsedMs: number, paths: number): ProgressSample => ({
  elapsedMs,
  coveredInstructions: 40,
  coveredBlocks: 9,
  paths,
  pending: 3,
  findings: 0,
  solverMs: 12.6,
});

test("coverage csv: a row per sample in which something changed, under a head", () => {
  const csv = new CoverageCsv();
  csv.add(sample(0, 1));
  csv.add(sample(100, 1));
  csv.add(sample(1500, 20));
  assert.equal(
    csv.take(),
    [
      "seconds,covered_instructions,covered_blocks,paths,pending,findings,solver_seconds",
      "0.000,40,9,1,3,0,0.013",
      "1.500,40,9,20,3,0,0.013",
      "",
    ].join("\n"),
  );
});

test("coverage csv: what was taken is not given again, so a file can be appended to while the run goes on", () => {
  const csv = new CoverageCsv();
  csv.add(sample(0, 1));
  csv.take();
  csv.add(sample(10, 2));
  assert.equal(csv.take(), "0.010,40,9,2,3,0,0.013\n");
  assert.equal(csv.take(), "");
});
