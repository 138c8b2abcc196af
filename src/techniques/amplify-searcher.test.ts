import assert from "node:assert/strict";
import { test } from "node:test";
import type { PendingId } from "../path/pending-table.js";
import { type ExecutionTree, ROW } from "../path/tree.js";
import { AmplifySearcher } from "./amplify-searcher.js";
import type { DecisionCounter } from "./decision-metric.js";

/** Segment 0 is the test's path; 1 leaves it, 2 leaves 1 at its third row. */
const tree = {
  parent: [-1, 0, 1],
  parentRow: [-1, 4, 2],
  start: [0, 10, 20],
  kind: new Uint8Array(30).fill(ROW.branch),
  site: new Int32Array(30),
  pending: { segment: [2, 1, 0], row: [4, 1, 6], depth: [12, 6, 6] },
} as unknown as ExecutionTree;
const BELOW = 0 as PendingId;
const DEPARTURE = 2 as PendingId;

test("the searcher of an amplified test: a path that was put off is as far beyond its departure as it was", () => {
  const counter = {
    begin: () => {},
    counts: () => true,
    joins: false,
    another: () => counter,
  } as unknown as DecisionCounter;
  const searcher = new AmplifySearcher(tree, counter, { order: "newest", branchMs: Number.POSITIVE_INFINITY }, () => 0);
  searcher.add(DEPARTURE);
  const branchesBefore = Int32Array.from({ length: 10 }, (_, decision) => decision);
  searcher.begin({ branchesBefore, sensitive: new Set([7]), distance: 1, bound: 20 });
  searcher.add(BELOW);
  assert.equal(searcher.take(), BELOW);
  const beyond = searcher.takenBeyond;
  // Three rows of segment 1, then four of segment 2.
  assert.equal(beyond, 3 + 4);
  assert.equal(searcher.take(), DEPARTURE);
  assert.equal(searcher.takenBeyond, 0);
  searcher.retaken(BELOW);
  assert.equal(searcher.takenBeyond, beyond);
  searcher.retaken(DEPARTURE);
  assert.equal(searcher.takenBeyond, 0);
});
