import assert from "node:assert/strict";
import { test } from "node:test";
import { coverageTable, type Outcome, parseCoverage } from "./coverage-table.js";

const HEAD = "seconds,covered_instructions,covered_blocks,paths,pending,findings,solver_seconds";

test("coverage table: rows are read by the names of their columns, and a row cut off in the middle is left out", () => {
  assert.deepEqual(parseCoverage(`${HEAD}\n0.500,120,30,4,9,0,0.250\n1.000,13`), [
    { seconds: 0.5, instructions: 120, blocks: 30, paths: 4, solverSeconds: 0.25 },
  ]);
});

test("coverage table: pending stands beside eager, with their ratio, and a sum for each searcher", () => {
  const outcome = (mode: string, instructions: number): Outcome => ({
    subject: "bc",
    seeded: true,
    mode,
    searcher: "random-path",
    rows: [{ seconds: 10, instructions, blocks: 1, paths: 7, solverSeconds: 5 }],
    findings: 0,
    divergences: mode === "eager" ? 2 : 0,
    problem: "",
  });
  const lines = coverageTable([outcome("pending", 300), outcome("eager", 200)]).split("\n");
  assert.equal(lines[2], "| bc | yes | random-path | 300 | 7 | 50 % | 200 | 7 | 50 % | 1.50 | 2 divergences |");
  assert.equal(lines[3], "| all | seeded, random-path | | 300 | | | 200 | | | 1.50 | |");
});
