import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cell, Hit } from "./cell.js";
import { checksByProgram, compareChoices, distancesByTest, nearest, subSuites, timeByDistance } from "./tables.js";

const hit = (bug: string, depth: number): Hit => ({ bug, depth, paths: 3, milliseconds: 50 });
const cell = (seed: string, distance: number, hits: readonly Hit[], more: Partial<Cell> = {}): Cell => ({
  program: "p",
  choice: "ours",
  seed,
  command: `./p ${seed}`,
  distance,
  isWhole: true,
  milliseconds: 1000 * (distance + 1),
  paths: 10,
  departures: 1,
  decisions: 5,
  checks: distance === 0 ? 2 : 0,
  lines: distance === 0 ? ["p.c:1", `p.c:${seed}`] : [],
  hits,
  ...more,
});
const CELLS: readonly Cell[] = [
  cell("1", 0, []),
  cell("1", 1, [hit("b", 9)]),
  cell("2", 0, []),
  cell("2", 1, [hit("b", 7)], { isWhole: false }),
  cell("3", 0, []),
  cell("3", 1, []),
  cell("3", 2, [hit("b", 1)]),
  cell("1", 1, [], { choice: "breadth", paths: 4 }),
];
const rows = (table: string): string[] => table.split("\n").filter((line) => line.startsWith("| p |"));

test("zesti tables: of a bug the smallest distance counts, then the smallest depth", () => {
  assert.deepEqual(
    nearest(CELLS, "ours").map(({ bug, distance, depth, command }) => [bug, distance, depth, command]),
    [["b", 1, 7, "./p 2"]],
  );
  assert.deepEqual(nearest(CELLS, "breadth"), []);
});

test("zesti tables: each test counts where it first finds the bug", () => {
  assert.deepEqual(rows(distancesByTest(CELLS, "ours")), ["| p | b | 3 | . | 2 | 1 | . |"]);
});

test("zesti tables: two of three expose the bug at its smallest distance, and the draws agree with the formula", () => {
  const [row] = rows(subSuites(CELLS, "ours", [1, 2, 4]));
  const [, drawn, estimated] = /\| 2 of 3 \| (\d+) \/ (\d+) % \| 100 \/ 100 % \| +\|$/.exec(row) ?? [];
  assert.equal(estimated, "67");
  assert.ok(Math.abs(Number(drawn) - 67) <= 15, row);
});

test("zesti tables: lines count once in all tests, and times say how many were cut", () => {
  assert.deepEqual(rows(checksByProgram(CELLS)), ["| p | 1 | 3 | 3 | 3 | 6 |"]);
  const [row] = rows(timeByDistance(CELLS, "ours"));
  assert.equal(row, "| p | 1.0, 1.0; 0 of 3 cut | 2.0, 2.0; 1 of 3 cut | 3.0, 3.0; 0 of 1 cut |");
  assert.match(compareChoices(CELLS), /^p:\n\n[\s\S]*\| ours \| 1 \| 3 \| 40 \|[\s\S]*\| breadth \| 0 \| 0 \| 4 \|/);
});
