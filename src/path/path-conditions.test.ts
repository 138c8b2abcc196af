import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { ConditionIndex } from "../solver/condition-index.js";
import { Random } from "../support/random.js";
import { ByteSignatures } from "./byte-signatures.js";
import { type Decision, randomDecisions, walk } from "./decision-tree-fixture.js";
import { Exploration } from "./exploration-fixture.js";
import { Negations } from "./negations.js";
import { PathConditions } from "./path-conditions.js";
import { ExecutionTree } from "./tree.js";

/** Those of `refs` that share bytes with the goal, directly or by way of others: by the book. */
function sliceByTheBook(refs: readonly number[][], goal: readonly number[]): number[] {
  const bytes = new Set(goal);
  const taken = new Set<number>();
  for (let grew = true; grew; ) {
    grew = false;
    refs.forEach((mentioned, place) => {
      if (taken.has(place) || !mentioned.some((byte) => bytes.has(byte))) return;
      taken.add(place);
      for (const byte of mentioned) bytes.add(byte);
      grew = true;
    });
  }
  return [...taken].sort((a, b) => a - b);
}

describe("path conditions", () => {
  it("slices are what shares bytes with the question, on short paths and on long ones, over few bytes and many", () => {
    const random = new Random(4);
    for (const [length, byteCount] of [
      [20, 8],
      [200, 60],
      [250, 90],
      [600, 40],
    ]) {
      const arena = new ExprArena();
      const tree = new ExecutionTree();
      const index = new ConditionIndex(arena);
      const conditions = new PathConditions(tree, new Negations(arena), index, new ByteSignatures(arena));
      const mentioned: number[][] = [];
      const pushed = new Set<ExprRef>();
      const relate = (a: number, b: number, limit: number): ExprRef => {
        const sum = a === b ? arena.variable(a) : arena.binary("add", arena.variable(a), arena.variable(b));
        return arena.binary("ult", sum, arena.constant(8, limit, 0));
      };
      for (let i = 0; i < length; i++) {
        const a = random.next() % byteCount;
        const b = random.next() % 4 === 0 ? random.next() % byteCount : a;
        const condition = relate(a, b, 1 + (random.next() % 250));
        // What already holds is implied; so are some others.
        const implied = pushed.has(condition) || random.next() % 5 === 0;
        conditions.push(condition, implied);
        pushed.add(condition);
        if (!implied) mentioned.push([a, b]);
      }
      assert.deepEqual([conditions.position, conditions.count], [length, mentioned.length]);
      for (let i = 0; i < 10; i++) {
        const byte = random.next() % byteCount;
        const { positions, constraints } = conditions.slice(relate(byte, byte, 99));
        assert.deepEqual([...positions], sliceByTheBook(mentioned, [byte]));
        assert.equal(constraints.length, positions.length);
      }
    }
  });

  it("moving from any pending path to any other gives the same conditions as coming from nowhere", () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = new Random(seed);
      const exploration = new Exploration(randomDecisions(random, 7), { seed });
      exploration.runSeed(exploration.randomInput());
      for (let steps = random.next() % 12; steps > 0; steps--) exploration.step();
      const ids = exploration.livePending();
      const { conditions } = exploration.recorder;
      const fresh = ids.map((id) => {
        conditions.reset();
        return exploration.outcomesBelow(id);
      });
      for (let move = 0; move < 40 && ids.length > 0; move++) {
        const k = random.next() % ids.length;
        assert.deepEqual(exploration.outcomesBelow(ids[k]), fresh[k]);
        assert.equal(conditions.position, exploration.tree.pending.depth[ids[k]]);
      }
    }
  });

  it("moving up and down a long path slices as if the path had always been as long as it is now", () => {
    const random = new Random(12);
    const length = 600;
    let program: Decision = { kind: "leaf", name: "end" };
    for (let site = length - 1; site >= 0; site--) {
      const out: Decision = { kind: "leaf", name: `out at ${site}` };
      program = { kind: "branch", site, byte: site % 3, below: 255 - Math.floor(site / 3), sides: [program, out] };
    }
    const exploration = new Exploration(program);
    exploration.runSeed(new Uint8Array(7));
    const ids = exploration.waiting;
    const { conditions } = exploration.recorder;
    for (let move = 0; move < 200; move++) {
      const depth = random.next() % length;
      const goal = exploration.moveTo(ids[depth]);
      const shared = Array.from({ length: depth }, (_, position) => position).filter((p) => p % 3 === depth % 3);
      assert.deepEqual([...conditions.slice(goal).positions], shared);
    }
  });

  it("what a path's conditions allow is what the program does: an input satisfies them if and only if it goes that way", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const exploration = new Exploration(randomDecisions(new Random(seed), 6), { seed });
      exploration.runSeed(exploration.randomInput());
      for (let steps = 0; steps < 5; steps++) exploration.step();
      for (const id of exploration.livePending()) {
        const below = new Set(exploration.outcomesBelow(id));
        const site = exploration.tree.siteOf(id);
        for (const [outcome, input] of exploration.outcomes) {
          const passes = walk(exploration.program, input).nodes.some((node) => node.site === site);
          if (below.has(outcome)) assert.ok(passes, `${outcome} is below site ${site}`);
        }
      }
    }
  });
});
