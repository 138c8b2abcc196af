import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../src/support/random.js";
import { drawFunctions, type UnitFunction, type UnitRow, unitTable } from "./unit-draw.js";

const pool = (program: string, count: number): UnitFunction[] =>
  Array.from({ length: count }, (_, at) => ({ program, name: `f${at}`, file: "a.c", line: at + 1 }));

test("functions are drawn evenly, each once, and the same again with the same seed", () => {
  const pools = [pool("/x", 50), pool("/y", 3), pool("/z", 50)];
  const drawn = drawFunctions(pools, 20, new Random(7));
  assert.equal(drawn.length, 20);
  assert.equal(new Set(drawn.map(({ program, name }) => program + name)).size, 20);
  assert.equal(drawn.filter(({ program }) => program === "/y").length, 3);
  assert.ok(Math.abs(drawn.filter(({ program }) => program === "/x").length - 8.5) <= 0.5);
  assert.deepEqual(drawFunctions(pools, 20, new Random(7)), drawn);
  assert.equal(drawFunctions([pool("/x", 2)], 20, new Random(1)).length, 2);
});

test("the table tells those that ran from those that did not", () => {
  const [one, two] = pool("/bin/x", 2);
  const result = { blocks: 10, coveredBlocks: 5, paths: 3, complete: true, divergences: 0, unconfirmed: 0 };
  const failure = { kind: "null-dereference", conditions: 1, place: "a.c:3" };
  const failures = ["types", "context", "input"].map((start) => ({ ...failure, start }));
  failures.push({ ...failure, place: "a.c:4", start: "types" });
  const rows: UnitRow[] = [
    { ...one, status: 1, seconds: 2, problem: null, result: { ...result, failures, isCalled: true } },
    { ...two, status: 3, seconds: 1, problem: "no debug information", result: null },
  ];
  assert.match(unitTable(rows), /\| x \| 2 \| 1 \| 1 \| 5 of 10 \| 50 % \| 1 \| 2 \| 1 \| 2 \| 1 \|/);
});
