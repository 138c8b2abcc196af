import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { type Decision, randomDecisions } from "./decision-tree-fixture.js";
import { Exploration } from "./exploration-fixture.js";
import { NO_MODEL } from "./model-store.js";
import type { PendingId } from "./pending-table.js";
import { CLOSED, NO_SEGMENT, ROW, type RowIndex } from "./tree.js";

const leaf = (name: string): Decision => ({ kind: "leaf", name });
/** One byte compared with two thresholds: of the four ways one is impossible. */
const nested: Decision = {
  kind: "branch",
  site: 0,
  byte: 0,
  below: 120,
  sides: [
    { kind: "branch", site: 1, byte: 0, below: 160, sides: [leaf("low"), leaf("impossible")] },
    { kind: "branch", site: 2, byte: 0, below: 160, sides: [leaf("middle"), leaf("high")] },
  ],
};
const guarded: Decision = { kind: "check", site: 0, byte: 4, below: 80, sides: [leaf("passed")] };
const assuming: Decision = { kind: "assume", site: 0, byte: 6, below: 80, sides: [leaf("satisfied")] };
const large = Uint8Array.of(255, 255, 255, 255, 255, 255, 255);

/** Other sides of the rows of the first run. */
function otherSides({ tree }: Exploration): string[] {
  if (tree.root === NO_SEGMENT) return [];
  return Array.from({ length: tree.length[tree.root] }, (_, row) =>
    tree.knowledge(tree.at(tree.root, row as RowIndex)),
  );
}

describe("frontier", () => {
  it("pending mode asks nothing: what a run did not do is open, shallowest first", () => {
    const exploration = new Exploration(nested);
    exploration.runSeed(new Uint8Array(7));
    assert.equal(exploration.recorder.feasibility.accounts.queries, 0);
    assert.deepEqual(otherSides(exploration), ["open", "open"]);
    assert.deepEqual(
      exploration.waiting.map((id) => exploration.tree.pending.depth[id]),
      [0, 1],
    );
  });

  it("for a block of a joined branch an input is asked for a few times, each time with more patience", () => {
    const exploration = new Exploration(nested);
    exploration.covers = false;
    const { recorder, arena } = exploration;
    const limits: number[] = [];
    recorder.feasibility.ask = (_goal, _hint, mostMs = Number.POSITIVE_INFINITY) => {
      limits.push(mostMs);
      return { kind: "unknown", reason: "time" };
    };
    recorder.startSeed(new Uint8Array(7));
    for (let time = 0; time < 10; time++) recorder.side(3, arena.constant(1, 1, 0));
    assert.deepEqual(limits, [50, 200, 800, 3200]);
  });

  it("a check that cannot be decided at once is pending, where time for checks is short; else it is given up", () => {
    for (const [choices, putOff] of [
      [{ checkShare: 0.2 }, 1],
      [{}, 0],
    ] as const) {
      const exploration = new Exploration(guarded, choices);
      const { feasibility } = exploration.recorder;
      feasibility.ask = () => ({ kind: "unknown", reason: "time" });
      exploration.runSeed(new Uint8Array(7));
      assert.equal(feasibility.accounts.checksPutOff, putOff);
      assert.equal(exploration.waiting.length, putOff);
      assert.equal(exploration.tree.closed(CLOSED.unknown), 1 - putOff);
    }
  });

  it("eager mode asks at each branch: an infeasible side is closed, a feasible one has its input, and the run is a state too", () => {
    const exploration = new Exploration(nested, { mode: "eager", seed: 3 });
    exploration.runSeed(new Uint8Array(7));
    exploration.finish();
    const { accounts } = exploration.recorder.feasibility;
    assert.deepEqual([accounts.queries, accounts.satisfiable, accounts.unsatisfiable], [3, 2, 1]);
    assert.equal(exploration.tree.closed(CLOSED.infeasible), 1);
    assert.deepEqual(exploration.reached.sort(), ["high", "low", "middle"]);
  });

  it("eager mode: at a branch, a choice or a pin the run goes on only if it is chosen, and goes on later from there", () => {
    const sides = ["a", "b", "c", "d"].map(leaf);
    const programs: Decision[] = [
      { kind: "branch", site: 0, byte: 0, below: 40, sides: sides.slice(0, 2) },
      { kind: "choose", site: 0, byte: 3, cuts: [40, 80, 120], sides },
      { kind: "pin", site: 0, byte: 5, sides },
    ];
    for (const program of programs) {
      const exploration = new Exploration(program, { mode: "eager" });
      // The first state there is, which is never the run itself.
      exploration.choose = () => {
        const id = exploration.waiting.shift() as PendingId;
        exploration.tree.pending.selectable[id] = 0;
        return id;
      };
      assert.equal(exploration.runSeed(new Uint8Array(7)).stopped, "set-aside", program.kind);
      const kinds = exploration.livePending().map((id) => exploration.tree.kindOf(id));
      assert.equal(kinds.filter((kind) => kind === ROW.fork).length, 1);
      exploration.finish();
      assert.deepEqual(exploration.reached.sort(), [...exploration.outcomes.keys()].sort());
    }
  });

  it("eager mode: every state that waits comes with its input, or is a run to be continued", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const exploration = new Exploration(randomDecisions(new Random(seed), 6), { mode: "eager", seed });
      exploration.runSeed(exploration.randomInput());
      do {
        for (const id of exploration.waiting) {
          const { tree } = exploration;
          assert.ok(tree.kindOf(id) === ROW.fork || tree.pending.model[id] !== NO_MODEL);
          assert.ok(exploration.outcomesBelow(id).length > 0, "and is feasible indeed");
        }
      } while (exploration.step());
    }
  });

  it("checks: asked at once, left pending, or forgotten", () => {
    const eager = new Exploration(guarded, { checks: "eager" });
    eager.runSeed(new Uint8Array(7));
    assert.equal(eager.recorder.frontier.checksAsked, 1);
    assert.equal(eager.known.length, 1, "to be run before anything else");
    assert.equal(eager.tree.pending.selectable[eager.known[0]], 0, "and not for a searcher to choose");
    const relaxed = new Exploration(guarded, { checks: "relaxed" });
    relaxed.runSeed(new Uint8Array(7));
    assert.deepEqual([relaxed.known.length, relaxed.waiting.length], [0, 1]);
    assert.equal(relaxed.recorder.feasibility.accounts.queries, 0);
    const off = new Exploration(guarded, { checks: "off" });
    off.runSeed(new Uint8Array(7));
    assert.ok(off.tree.finished);
    for (const exploration of [eager, relaxed]) {
      exploration.finish();
      assert.deepEqual(exploration.reached.sort(), ["fails at 0", "passed"]);
    }
  });

  it("a check whose site has shown its finding often enough is not asked, and counted as skipped", () => {
    const exploration = new Exploration(guarded);
    exploration.isExhausted = () => true;
    exploration.runSeed(new Uint8Array(7));
    assert.deepEqual([exploration.recorder.frontier.checksAsked, exploration.recorder.frontier.checksSkipped], [0, 1]);
  });

  it("an operation that fails on the first run leaves the safe side pending, whatever the policy", () => {
    for (const checks of ["eager", "relaxed", "off"] as const) {
      const exploration = new Exploration(guarded, { checks });
      exploration.runSeed(large);
      assert.deepEqual(otherSides(exploration), ["open"]);
      exploration.finish();
      assert.deepEqual(exploration.reached, ["fails at 0", "passed"]);
    }
  });

  it("a violated assumption ends the run; an input that satisfies it is run next, or there is none", () => {
    const exploration = new Exploration(assuming);
    assert.equal(exploration.runSeed(large).stopped, "assumption");
    assert.equal(exploration.known.length, 1);
    exploration.finish();
    assert.deepEqual(exploration.reached, ["violates 0", "satisfied"]);
    const twice: Decision = { ...assuming, sides: [{ ...assuming, site: 1, below: 40, sides: [leaf("both")] }] };
    const second = new Exploration(twice);
    second.runSeed(Uint8Array.of(0, 0, 0, 0, 0, 0, 50));
    second.finish();
    assert.deepEqual(second.reached, ["violates 1", "both"]);
  });

  it("the limit on decisions stops a run there; what it saw before stays pending", () => {
    for (const mode of ["pending", "eager"] as const) {
      const exploration = new Exploration(nested, { mode, maxDepth: 1 });
      const ends = [exploration.runSeed(new Uint8Array(7)).stopped];
      while (exploration.tree.pending.count > 0) {
        const id = exploration.livePending()[0];
        exploration.taken(id);
        exploration.tree.pending.selectable[id] = 0;
        const input = exploration.inputFor(id);
        if (input === null) exploration.tree.close(id, CLOSED.infeasible);
        else ends.push(exploration.runTowards(id, input).stopped);
      }
      assert.equal(ends.filter((end) => end === "depth").length, 2, mode);
      assert.deepEqual(exploration.reached, []);
      assert.ok(exploration.tree.finished);
    }
  });
});
