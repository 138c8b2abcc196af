import assert from "node:assert/strict";
import { test } from "node:test";
import type { CoverageBlock, ProgramImage } from "../jit/image.js";
import type { Site } from "../jit/symbolic-boundary.js";
import { CoverageDistance } from "./coverage-distance.js";

const block = (functionIndex: number, successors: number[], calls: number[] = []): CoverageBlock => ({
  functionIndex,
  locations: [],
  instructions: 1,
  successors,
  calls,
  choices: [],
});
const branch = (then: number, otherwise: number): Site => ({
  kind: "branch",
  functionIndex: 0,
  location: -1,
  successors: [then, otherwise],
  cases: [],
  width: 1,
});

// main: 0 -> 1 | 2; 1 -> 3; 2 -> 4 | 5; 3 calls f, -> 5; 4 -> 5; 5 returns.   f: 6 -> 7 | 8; both return.
const BLOCKS = [
  block(0, [1, 2]),
  block(0, [3]),
  block(0, [4, 5]),
  block(0, [5], [1]),
  block(0, [5]),
  block(0, []),
  block(1, [7, 8]),
  block(1, []),
  block(1, []),
];
const image = { coverage: BLOCKS, sites: [branch(1, 2), branch(4, 5), branch(7, 8)] } as unknown as ProgramImage;
const TRUE = 1;
const FALSE = 0;

test("distance: the uncovered side itself is nearest, and branches on the way count", () => {
  const coverage = new Uint8Array(9).fill(1);
  coverage[4] = 0;
  const distance = new CoverageDistance(image, coverage);
  assert.equal(distance.of(1, TRUE, 8), 1);
  assert.equal(distance.of(0, FALSE, 8), 2, "block 2 branches to it");
  assert.equal(distance.of(0, TRUE, 8), Number.POSITIVE_INFINITY, "block 1 never leads there");
});

test("distance: code in callees counts, and so does code after a return", () => {
  const coverage = new Uint8Array(9).fill(1);
  coverage[8] = 0;
  assert.equal(new CoverageDistance(image, coverage).of(0, TRUE, 8), 2);
  coverage[8] = 1;
  coverage[5] = 0;
  assert.equal(new CoverageDistance(image, coverage).of(2, TRUE, 8), 1);
});

test("distance: answers follow coverage", () => {
  const coverage = new Uint8Array(9).fill(1);
  coverage[4] = 0;
  const distance = new CoverageDistance(image, coverage);
  assert.equal(distance.of(1, TRUE, 8), 1);
  coverage[4] = 1;
  assert.equal(distance.of(1, TRUE, 9), Number.POSITIVE_INFINITY);
});

test("a side of a conditional value that was never chosen makes its block worth reaching", () => {
  const blocks = [...BLOCKS, { ...BLOCKS[3], instructions: 0, calls: [] }];
  blocks[3] = { ...BLOCKS[3], choices: [9] };
  const coverage = new Uint8Array(10).fill(1);
  coverage[9] = 0;
  const distance = new CoverageDistance({ ...image, coverage: blocks }, coverage);
  assert.equal(distance.of(0, TRUE, 9), 1);
  assert.equal(distance.of(0, FALSE, 9), Number.POSITIVE_INFINITY);
});
