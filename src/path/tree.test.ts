import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import type { SiteId } from "./observer.js";
import { NO_PENDING, type PendingId } from "./pending-table.js";
import { CLOSED, ExecutionTree, FIRST_ROW, NO_SEGMENT, ROW, TAKEN } from "./tree.js";

const ref = (n: number) => n as ExprRef;
const site = (n: number) => n as SiteId;

/** A run that decides so many branches, starting at a pending path (or the root). */
function record(tree: ExecutionTree, from: PendingId, branches: number): PendingId[] {
  const { pending } = tree;
  if (from === NO_PENDING) tree.beginSegment(NO_SEGMENT, FIRST_ROW, 0);
  else tree.beginSegment(pending.segment[from], pending.row[from], pending.depth[from] + 1);
  const base = tree.base[tree.recording];
  const ids: PendingId[] = [];
  for (let i = 0; i < branches; i++) {
    const row = tree.addRow(site(base + i), ROW.branch | TAKEN, ref(10 + i), CLOSED.none);
    ids.push(tree.addPending(row, base + i));
  }
  tree.endSegment(Uint8Array.of(branches), 0, 0);
  return ids;
}

describe("execution tree", () => {
  it("takes 13 bytes a decision, and as much again and a little more for what is pending", () => {
    const tree = new ExecutionTree();
    record(tree, NO_PENDING, 100_000);
    assert.equal(tree.rows, 100_000);
    assert.ok(tree.bytesInUse < 100_000 * 43, `${tree.bytesInUse / 100_000} bytes a decision`);
  });

  it("folds a segment from its end as its other sides are closed, and frees it with the last", () => {
    const tree = new ExecutionTree();
    const ids = record(tree, NO_PENDING, 10);
    tree.close(ids[9], CLOSED.infeasible);
    assert.equal(tree.rows, 9);
    tree.close(ids[3], CLOSED.infeasible);
    assert.equal(tree.rows, 9, "a condition in the middle is still needed");
    for (const i of [8, 7, 6, 5, 4]) tree.close(ids[i], CLOSED.unknown);
    assert.equal(tree.rows, 3, "and goes with the last that needs it");
    for (const i of [0, 1, 2]) tree.close(ids[i], CLOSED.dropped);
    assert.equal(tree.finished, true);
    assert.equal(tree.rows + tree.segments + tree.models.count, 0);
    assert.deepEqual(
      [CLOSED.infeasible, CLOSED.unknown, CLOSED.dropped].map((state) => tree.closed(state)),
      [2, 5, 3],
    );
  });

  it("a segment lives as long as anything branches off it, and finishing the last folds all ancestors", () => {
    const tree = new ExecutionTree();
    const first = record(tree, NO_PENDING, 3);
    const second = record(tree, first[2], 2);
    const third = record(tree, second[1], 1);
    for (const id of [first[0], first[1], second[0]]) tree.close(id, CLOSED.infeasible);
    assert.equal(tree.segments, 3);
    tree.close(third[0], CLOSED.infeasible);
    assert.equal(tree.finished, true);
    assert.equal(tree.segments, 0);
  });

  it("stays as it is through moving its rows together", () => {
    const random = new Random(5);
    const tree = new ExecutionTree();
    const live = record(tree, NO_PENDING, 40);
    for (let step = 0; step < 3000 && live.length > 0; step++) {
      const id = live.splice(random.next() % live.length, 1)[0];
      if (random.next() % 3 === 0) live.push(...record(tree, id, random.next() % 5));
      else tree.close(id, CLOSED.infeasible);
      if (step % 100 === 0) tree.compact();
      if (step % 10 !== 0) continue;
      assert.equal(tree.pending.count, live.length);
      for (const pending of live) {
        assert.equal(tree.siteOf(pending), tree.pending.depth[pending]);
        assert.equal(tree.other[tree.start[tree.pending.segment[pending]] + tree.pending.row[pending]], pending);
      }
    }
    for (const id of live) tree.close(id, CLOSED.dropped);
    assert.equal(tree.finished, true);
    assert.equal(tree.rows + tree.segments + tree.models.count + tree.pending.count, 0);
  });

  it("random path: each of two sides is as likely, whatever is pending below them", () => {
    const tree = new ExecutionTree();
    const first = record(tree, NO_PENDING, 20);
    const below = new Set(record(tree, first[0], 500));
    const random = new Random(3);
    let hits = 0;
    for (let i = 0; i < 4000; i++) if (below.has(tree.randomWalk(random))) hits++;
    assert.ok(hits > 1850 && hits < 2150, `${hits} of 4000`);
  });

  it("random path: every side of a choice is as likely", () => {
    const tree = new ExecutionTree();
    tree.beginSegment(NO_SEGMENT, FIRST_ROW, 0);
    tree.addRow(site(0), ROW.choose, ref(10), CLOSED.none);
    const ids = [1, 2, 3].map((i) =>
      tree.addPending(tree.addRow(site(0), ROW.alternative, ref(10 + i), CLOSED.none), 0),
    );
    const last = tree.addPending(tree.addRow(site(1), ROW.branch, ref(20), CLOSED.none), 1);
    tree.endSegment(new Uint8Array(0), 0, 0);
    tree.close(ids[1], CLOSED.infeasible);
    assert.deepEqual(
      ids.filter((id) => id !== ids[1]).map((id) => tree.sideOf(id)),
      [0, 2],
    );
    const random = new Random(3);
    const counts = new Map<PendingId, number>();
    for (let i = 0; i < 3000; i++) {
      const id = tree.randomWalk(random);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    assert.deepEqual([...counts.keys()].sort(), [ids[0], ids[2], last].sort());
    for (const count of counts.values()) assert.ok(count > 850 && count < 1150, `${count} of 3000`);
  });
});
