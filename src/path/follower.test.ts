import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { type Decision, randomDecisions } from "./decision-tree-fixture.js";
import { Exploration } from "./exploration-fixture.js";
import type { PendingId } from "./pending-table.js";
import { CLOSED, ROW } from "./tree.js";

/** A comb of branches: the first byte below 40, the second below 40, ...; every condition is told once. */
function comb(length: number): Decision {
  let rest: Decision = { kind: "leaf", name: "end" };
  for (let site = length - 1; site >= 0; site--) {
    const out: Decision = { kind: "leaf", name: `out at ${site}` };
    const below = 200 - 40 * Math.floor(site / 3);
    rest = { kind: "branch", site, byte: site % 3, below, sides: [rest, out] };
  }
  return rest;
}

/** Explored by the input of zeros: one pending path at each tooth. */
function explored(length: number): { exploration: Exploration; pending: PendingId[] } {
  const exploration = new Exploration(comb(length));
  exploration.runSeed(new Uint8Array(7));
  return { exploration, pending: [...exploration.waiting] };
}

describe("follower, towards a pending path", () => {
  it("a run that does as predicted arrives, and takes the pending path", () => {
    const { exploration, pending } = explored(6);
    const target = pending[4];
    const input = exploration.inputFor(target);
    assert.ok(input !== null);
    const run = exploration.runTowards(target, input);
    assert.deepEqual([run.divergence, run.outcome], [null, "out at 4"]);
    assert.equal(exploration.recorder.follower.reached, target);
    assert.ok(!exploration.tree.pending.isLive(target));
  });

  it("a run that takes the side that was to be left is a divergence at that decision", () => {
    const { exploration, pending } = explored(6);
    for (const depth of [5, 3, 0]) {
      const { divergence, stopped } = exploration.runTowards(pending[depth], new Uint8Array(7));
      assert.equal(stopped, "diverged");
      assert.deepEqual(divergence, {
        position: depth,
        reason: "the side that was to be left",
        expectedSite: depth,
        site: depth,
      });
    }
  });

  it("a run that turns off earlier is a divergence where it does", () => {
    const { exploration, pending } = explored(6);
    const input = exploration.inputFor(pending[2]) as Uint8Array;
    const { divergence } = exploration.runTowards(pending[5], input);
    assert.equal(divergence?.position, 2);
    assert.equal(divergence?.reason, "the other side of a decision than predicted");
  });

  it("a run that tells another site, or ends before it arrives, is a divergence", () => {
    const { exploration, pending } = explored(6);
    const input = exploration.inputFor(pending[4]) as Uint8Array;
    const other = exploration.runTowards(pending[4], input, { at: 3, how: "another site" });
    assert.deepEqual(
      [other.divergence?.position, other.divergence?.expectedSite, other.divergence?.site],
      [3, 3, 1003],
    );
    const short = exploration.runTowards(pending[4], input, { at: 3, how: "ends" });
    assert.equal(short.stopped, null, "the program ended by itself");
    assert.deepEqual([short.divergence?.position, short.divergence?.site], [3, -1]);
    assert.match(short.divergence?.reason ?? "", /ended before/);
  });

  it("a condition in another form is followed if it is true on the input, and counted", () => {
    const { exploration, pending } = explored(6);
    const input = exploration.inputFor(pending[4]) as Uint8Array;
    const run = exploration.runTowards(pending[4], input, { at: 1, how: "another form" });
    assert.equal(run.divergence, null);
    assert.equal(exploration.recorder.follower.renamed, 1);
  });

  it("whatever departs, the rest of the tree is as it was: only the target is given up", () => {
    for (let seed = 1; seed <= 120; seed++) {
      const random = new Random(seed);
      const program = randomDecisions(random, 6);
      // Of an operation that failed on the first run the site is not compared: the next may be about another object.
      if (program.kind !== "branch") continue;
      const exploration = new Exploration(program, { seed });
      exploration.runSeed(exploration.randomInput());
      for (let steps = random.next() % 6; steps > 0; steps--) exploration.step();
      const { tree, waiting } = exploration;
      const target = waiting.find((id) => tree.kindOf(id) === ROW.branch && tree.pending.depth[id] > 0);
      if (target === undefined) continue;
      const input = exploration.inputFor(target);
      if (input === null) continue;
      const lost = exploration.outcomesBelow(target);
      const before = exploration.frontier();
      // At the very first decision: it is on the way to whatever lies deeper.
      const { divergence } = exploration.runTowards(target, input, { at: 0, how: "another site" });
      assert.equal(divergence?.position, 0, `program ${seed}`);
      assert.deepEqual(exploration.frontier(), before);
      exploration.taken(target);
      tree.close(target, CLOSED.diverged);
      for (const outcome of lost) exploration.settled.add(outcome);
      exploration.assertSound();
      exploration.finish();
      for (const outcome of lost) assert.ok(!exploration.reached.includes(outcome));
    }
  });
});

describe("follower, along the tree", () => {
  it("a seed on a way that is known to its end is no new ground", () => {
    const { exploration } = explored(6);
    exploration.runSeed(new Uint8Array(7));
    assert.ok(!exploration.recorder.isOnNewGround);
    assert.deepEqual(exploration.reached, ["end"]);
  });

  it("a seed takes a pending path that it happens to meet, without a question", () => {
    const { exploration, pending } = explored(6);
    const input = new Uint8Array(7);
    input[1] = 255;
    const { queries } = exploration.recorder.feasibility.accounts;
    exploration.runSeed(input);
    assert.deepEqual(exploration.reached, ["end", "out at 1"]);
    assert.equal(exploration.recorder.follower.reached, pending[1]);
    assert.ok(!exploration.tree.pending.isLive(pending[1]));
    assert.equal(exploration.recorder.feasibility.accounts.queries, queries);
  });

  it("a seed that takes a side found infeasible has diverged: the solver, or the program, was wrong", () => {
    const { exploration, pending } = explored(6);
    exploration.taken(pending[1]);
    exploration.tree.close(pending[1], CLOSED.infeasible);
    const input = new Uint8Array(7);
    input[1] = 255;
    assert.match(exploration.runSeed(input).divergence?.reason ?? "", /found infeasible/);
  });

  it("a seed beyond what was folded away is explored ground", () => {
    const { exploration, pending } = explored(3);
    for (const id of [pending[2], pending[1]]) {
      exploration.taken(id);
      exploration.tree.close(id, CLOSED.explored);
    }
    assert.equal(exploration.tree.rows, 1);
    const { divergence } = exploration.runSeed(new Uint8Array(7));
    assert.equal(divergence, null);
    assert.ok(!exploration.recorder.isOnNewGround);
  });
});
