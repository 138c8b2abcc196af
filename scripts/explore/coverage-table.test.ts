import assert from "node:assert/strict";
import { test } from "node:test";
import {
  combinedTable,
  coverageTable,
  faultsTable,
  findingsTable,
  linesOfLcov,
  nativeTable,
  type Outcome,
  parseCoverage,
  runsTable,
} from "./coverage-table.js";

const HEAD = "seconds,covered_instructions,covered_blocks,paths,pending,findings,solver_seconds";

test("coverage table: rows are read by the names of their columns, and a row cut off in the middle is left out", () => {
  assert.deepEqual(parseCoverage(`${HEAD}\n0.500,120,30,4,9,0,0.250\n1.000,13`), [
    { seconds: 0.5, instructions: 120, blocks: 30, paths: 4, solverSeconds: 0.25 },
  ]);
});

const outcome = (mode: string, instructions: number): Outcome => ({
  subject: "bc",
  seed: "first",
  randomSeed: 1,
  checks: "eager",
  unsatisfiable: 0.25,
  lines: mode === "eager" ? ["a.c:1"] : ["a.c:1", "a.c:2"],
  mode,
  searcher: "random-path",
  rows: [{ seconds: 10, instructions, blocks: 1, paths: 7, solverSeconds: 5 }],
  findings: mode === "eager" ? [] : ["abort in f at a.c:7", "abort in f at a.c:7"],
  divergences: mode === "eager" ? 2 : 0,
  faults: mode === "eager" ? [2] : [2, 3],
  native: mode === "eager" ? null : { tests: 4, ours: 10, natively: 12, both: 9, known: 40 },
  problem: "",
});

test("coverage table: pending stands beside eager, with their ratio, and a sum for each searcher", () => {
  const lines = coverageTable([outcome("pending", 300), outcome("eager", 200)]).split("\n");
  assert.equal(lines[2], "| bc | first | random-path | 300 | 7 | 50 % | 200 | 7 | 50 % | 1.50 | 2 divergences |");
  assert.equal(lines[3], "| all | first | random-path | 300 | | | 200 | | | 1.50 | |");
});

test("coverage table: runs that differ in their random numbers only are one row, with mean and spread", () => {
  const other = { ...outcome("pending", 500), randomSeed: 2 };
  const [, , row] = runsTable([outcome("pending", 300), other]).split("\n");
  assert.equal(row, "| bc | first | pending | random-path | eager | 400 (300 to 500) | 7 (7 to 7) | 2 (2 to 2) | 50 % | 25 % | - |"); // biome-ignore format: a row
});

test("coverage table: lines of several runs are put together, and those that were not executed do not count", () => {
  assert.deepEqual(linesOfLcov("SF:a.c\nDA:1,3\nDA:2,0\nSF:b.c\nDA:7,1\n"), ["a.c:1", "b.c:7"]);
  const [, , row] = combinedTable([outcome("pending", 1), outcome("eager", 1)]).split("\n");
  assert.equal(row, "| bc | 2 | 1 | 2 |");
});

test("coverage table: planted faults are counted once, however many runs find them", () => {
  const other = { ...outcome("eager", 1), subject: "sed" };
  const table = faultsTable([outcome("pending", 1), outcome("eager", 1), other], new Map([["bc", 10], ["sed", 5]])); // biome-ignore format: pairs
  const rows = table.trim().split("\n").slice(2);
  assert.deepEqual(rows, [
    "| planted | 10 | 5 | 15 |",
    "| first pending random-path | 2 | 0 | 2 |",
    "| first eager random-path | 1 | 1 | 2 |",
    "| all of pending | 2 | 0 | 2 |",
    "| all of eager | 1 | 1 | 2 |",
    "| all runs | 2 | 1 | 3 |",
  ]);
});

test("coverage table: gcov's lines stand beside ours where gcov was asked", () => {
  const rows = nativeTable([outcome("pending", 1), outcome("eager", 1)]).trim().split("\n").slice(2); // biome-ignore format: short
  assert.deepEqual(rows, ["| bc | first pending random-path | 4 | 10 | 12 | 9 | 40 | 2 |"]);
});

test("coverage table: every finding once, with the number of runs that made it", () => {
  const lines = findingsTable([outcome("pending", 300), outcome("eager", 200)]).split("\n");
  assert.deepEqual(lines.slice(2), ["| bc | abort in f at a.c:7 | 1 of 2 |", ""]);
});
