// Which inputs count as nearest.

import assert from "node:assert/strict";
import { test } from "node:test";
import { type PoolEntry, ReachPool } from "./reach-pool.js";

function entry(blocks: readonly number[], failed = false): PoolEntry {
  const invocation = {
    program: "prog",
    arguments: [],
    environment: [],
    workingDirectory: "/",
    umask: 0o022,
    stdin: { kind: "empty" as const },
    tree: [],
  };
  const input = { invocation, seedId: "0", steps: [], by: "test" as const };
  return {
    input,
    blocks: Int32Array.from(blocks),
    instructions: blocks.length,
    refused: [],
    hasStartedOthers: false,
    failed,
  };
}

const DISTANCES = Int32Array.from([4, 3, 2, 1, 0]);

test("the nearest goes first, by a single block", () => {
  const pool = new ReachPool();
  const entries = [entry([0]), entry([0, 1, 2]), entry([0, 1])];
  for (const one of entries) pool.add(one);
  assert.deepEqual(
    pool.nearest(DISTANCES, 2).map(({ entry: one, distance }) => [entries.indexOf(one), distance]),
    [
      [1, 2],
      [2, 3],
    ],
  );
});

test("an input that failed counts as one further, but keeps its distance", () => {
  const pool = new ReachPool();
  const entries = [entry([0, 1, 2, 3], true), entry([0, 2])];
  for (const one of entries) pool.add(one);
  assert.deepEqual(
    pool.nearest(DISTANCES, 2).map(({ entry: one, distance }) => [entries.indexOf(one), distance]),
    [
      [1, 2],
      [0, 1],
    ],
  );
});
