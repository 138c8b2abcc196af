import assert from "node:assert/strict";
import { test } from "node:test";
import type { SiteId } from "../path/observer.js";
import type { PendingId } from "../path/pending-table.js";
import { type ExecutionTree, ROW } from "../path/tree.js";
import type { DecisionCounter } from "./decision-metric.js";
import { DecisionsBeyond } from "./decisions-beyond.js";

/** Segment 0 is the test's path; 1 leaves it, 2 leaves 1 at its third row. Every fourth row is a check, which is no decision. */
const ROWS = 100_000;
const START = [0, 10, 20];
const KINDS = new Uint8Array(START[2] + ROWS).map((_, at) => (at % 4 === 3 ? ROW.check : ROW.branch));
const tree = {
  parent: [-1, 0, 1],
  parentRow: [-1, 4, 2],
  start: START,
  kind: KINDS,
  site: new Int32Array(KINDS.length),
  pending: {
    segment: [...new Array<number>(ROWS).fill(2), 1, 0],
    row: [...new Array<number>(ROWS).keys(), 2, 3],
  },
} as unknown as ExecutionTree;
const pending = (id: number): PendingId => id as PendingId;

function beyondWith(counts: (site: SiteId) => boolean): { readonly beyond: DecisionsBeyond; asked: () => number } {
  let asked = 0;
  const counter = {
    begin: () => {},
    counts: (site: SiteId) => {
      asked++;
      return counts(site);
    },
  } as unknown as DecisionCounter;
  return { beyond: new DecisionsBeyond(tree, counter), asked: () => asked };
}

test("decisions beyond a departure: along the segments that lead to it, without those of the test's own path", () => {
  const { beyond } = beyondWith(() => true);
  assert.ok(beyond.goTo(pending(0), 10));
  // Rows 10 and 12 of segment 1; 11 is a check.
  assert.equal(beyond.decisions, 2);
  assert.ok(beyond.goTo(pending(6), 10));
  assert.equal(beyond.decisions, 2 + 5);
  assert.ok(!beyond.goTo(pending(40), 10));
  assert.ok(beyond.goTo(pending(1), 10), "back again");
  assert.equal(beyond.decisions, 2 + 1);
  assert.ok(beyond.goTo(pending(ROWS), 10));
  assert.equal(beyond.decisions, 2 - 1 + 1 - 1);
  assert.ok(!beyond.goTo(pending(ROWS + 1), 10), "on the test's own path");
});

test("decisions beyond a departure: a scan whose turns do not count is walked along once for all that is pending in it", () => {
  const { beyond, asked } = beyondWith(() => false);
  for (let id = 0; id < ROWS; id++) assert.ok(beyond.goTo(pending(id), 2));
  assert.ok(asked() <= ROWS + 10, `${asked()}`);
  assert.ok(beyond.branches > ROWS / 2);
});

test("decisions beyond a departure: nothing is looked at behind what is too far", () => {
  const { beyond, asked } = beyondWith(() => true);
  for (let id = 0; id < ROWS; id++) beyond.goTo(pending(id), 4);
  assert.ok(asked() < 20, `${asked()}`);
});
