import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExprRef } from "../expr/ops.js";
import type { SiteId } from "../path/observer.js";
import { NO_PENDING, type PendingId } from "../path/pending-table.js";
import { CLOSED, ExecutionTree, FIRST_ROW, NO_SEGMENT, ROW } from "../path/tree.js";
import { Random } from "../support/random.js";
import { SEARCHER_NAMES, searcherFor } from "./registry.js";
import type { Searcher } from "./searcher.js";
import { WeightedIds } from "./weighted.js";

function treeOf(branches: number): { tree: ExecutionTree; ids: PendingId[] } {
  const tree = new ExecutionTree();
  tree.beginSegment(NO_SEGMENT, FIRST_ROW, 0);
  const ids: PendingId[] = [];
  for (let i = 0; i < branches; i++) {
    ids.push(tree.addPending(tree.addRow(i as SiteId, ROW.branch, (i + 10) as ExprRef, CLOSED.none), i));
  }
  tree.endSegment(new Uint8Array(0), 0, 0);
  return { tree, ids };
}

function newSearcher(
  name: string,
  tree: ExecutionTree,
  distance = (_site: number) => 1,
  weight = (_site: number) => 1,
): Searcher {
  return searcherFor(name, { tree, random: new Random(9), distance, weight });
}

/** Takes everything, as the engine does. */
function takeAll(searcher: Searcher, tree: ExecutionTree): PendingId[] {
  const order: PendingId[] = [];
  for (let id = searcher.take(); id !== NO_PENDING; id = searcher.take()) {
    order.push(id);
    tree.close(id, CLOSED.infeasible);
  }
  return order;
}

describe("searchers", () => {
  for (const name of [...SEARCHER_NAMES, "dfs+bfs", "random+covnew+depth-biased"]) {
    it(`${name}: takes everything once, leaves out what was removed`, () => {
      const { tree, ids } = treeOf(300);
      const searcher = newSearcher(name, tree);
      for (const id of ids) searcher.add(id);
      assert.equal(searcher.size, 300);
      for (let i = 0; i < 300; i += 7) {
        searcher.remove(ids[i]);
        tree.close(ids[i], CLOSED.dropped);
      }
      const order = takeAll(searcher, tree);
      assert.deepEqual(
        [...order].sort((a, b) => a - b),
        ids.filter((_, i) => i % 7 !== 0),
      );
      assert.equal(searcher.size, 0);
      assert.equal(searcher.take(), NO_PENDING);
    });

    it(`${name}: the same randomness gives the same order`, () => {
      const orders = [1, 2].map(() => {
        const { tree, ids } = treeOf(100);
        const searcher = newSearcher(name, tree);
        for (const id of ids) searcher.add(id);
        return takeAll(searcher, tree);
      });
      assert.deepEqual(orders[0], orders[1]);
    });
  }

  it("dfs takes the newest, bfs the shallowest", () => {
    const { tree, ids } = treeOf(5);
    const depthFirst = newSearcher("dfs", tree);
    const breadthFirst = newSearcher("bfs", tree);
    for (const i of [3, 1, 4, 0, 2]) {
      depthFirst.add(ids[i]);
      breadthFirst.add(ids[i]);
    }
    assert.deepEqual(
      ids.map(() => depthFirst.take()),
      [2, 0, 4, 1, 3].map((i) => ids[i]),
    );
    assert.deepEqual(
      ids.map(() => breadthFirst.take()),
      ids,
    );
  });

  it("depth-biased takes deep ones more often, random does not care", () => {
    const meanDepth = (name: string) => {
      const { tree, ids } = treeOf(1000);
      const searcher = newSearcher(name, tree);
      for (const id of ids) searcher.add(id);
      let sum = 0;
      for (let i = 0; i < 100; i++) sum += tree.pending.depth[searcher.take()];
      return sum / 100;
    };
    assert.ok(meanDepth("depth-biased") > 600);
    assert.ok(Math.abs(meanDepth("random") - 500) < 100);
  });

  it("covnew goes for what is near uncovered code, and follows when that changes", () => {
    const { tree, ids } = treeOf(100);
    let target = 70;
    const searcher = newSearcher("covnew", tree, (site) => Math.abs(site - target) * 1000);
    for (const id of ids) searcher.add(id);
    assert.equal(searcher.take(), ids[70]);
    target = 20;
    searcher.coverageGrew?.();
    searcher.add(ids[70]);
    searcher.take();
    assert.equal(searcher.size, 99);
    const { tree: other, ids: hopeless } = treeOf(10);
    const stuck = newSearcher("covnew", other, () => Number.POSITIVE_INFINITY);
    for (const id of hopeless) stuck.add(id);
    assert.equal(takeAll(stuck, other).length, 10);
  });

  it("covnew treats a decision with many pending paths as fairly as one with a single path", () => {
    const tree = new ExecutionTree();
    tree.beginSegment(NO_SEGMENT, FIRST_ROW, 0);
    const ids = Array.from({ length: 1000 }, (_, i) =>
      tree.addPending(tree.addRow((i === 500 ? 1 : 0) as SiteId, ROW.branch, (i + 10) as ExprRef, CLOSED.none), i),
    );
    tree.endSegment(new Uint8Array(0), 0, 0);
    const searcher = newSearcher("covnew", tree);
    for (const id of ids) searcher.add(id);
    const order = takeAll(searcher, tree);
    assert.equal(order.length, 1000);
    assert.ok(order.indexOf(ids[500]) < 20, `came as number ${order.indexOf(ids[500])}`);
  });

  it("covnew chooses a site that weighs four times as much about four times as often", () => {
    let heavy = 0;
    for (let draw = 0; draw < 400; draw++) {
      const { tree, ids } = treeOf(2);
      const parts = {
        tree,
        random: new Random(draw),
        distance: () => 3,
        weight: (site: number) => (site === 1 ? 4 : 1),
      };
      const searcher = searcherFor("covnew", parts);
      for (const id of ids) searcher.add(id);
      if (searcher.take() === ids[1]) heavy++;
    }
    assert.ok(heavy > 280 && heavy < 360, `${heavy} of 400`);
  });

  it("an unknown name is no searcher", () => {
    const { tree } = treeOf(1);
    const parts = { tree, random: new Random(1), distance: () => 0, weight: () => 1 };
    assert.throws(() => searcherFor("fastest", parts), /no searcher is called "fastest"/);
    assert.throws(() => searcherFor("dfs+", parts), /no searcher is called "dfs\+"/);
    assert.throws(() => searcherFor("constructor", parts), /there are dfs, /);
  });

  it("weighted ids are chosen in proportion to their weights", () => {
    const ids = new WeightedIds<number>();
    const weights = [1, 0.5, 4, 2.5];
    for (const [id, weight] of weights.entries()) ids.add(100 + id, weight);
    const random = new Random(1);
    const counts = new Array<number>(4).fill(0);
    for (let i = 0; i < 8000; i++) counts[ids.choose(random) - 100]++;
    for (const [id, weight] of weights.entries()) assert.ok(Math.abs(counts[id] - weight * 1000) < 150);
  });
});
