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
import { SettledBytes } from "./settled-bytes.js";
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
      const conditions = new PathConditions(
        tree,
        new Negations(arena),
        index,
        new ByteSignatures(arena),
        new SettledBytes(arena),
      );
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

  it("moving between long paths slices as if there had never been another", () => {
    const random = new Random(12);
    const length = 400;
    /** Branches on three bytes in turn, the first of them `first`. */
    const comb = (first: number): Decision => {
      let rest: Decision = { kind: "leaf", name: `end ${first}` };
      for (let k = length - 1; k >= 0; k--) {
        const out: Decision = { kind: "leaf", name: `out at ${k} of ${first}` };
        const below = 255 - Math.floor(k / 3);
        rest = { kind: "branch", site: 1 + k, byte: (first + k) % 3, below, sides: [rest, out] };
      }
      return rest;
    };
    const exploration = new Exploration({ kind: "choose", site: 0, byte: 3, cuts: [40], sides: [comb(0), comb(1)] });
    exploration.runSeed(new Uint8Array(7));
    exploration.runSeed(Uint8Array.of(0, 0, 0, 50, 0, 0, 0));
    const { arena, tree, waiting, recorder } = exploration;
    assert.equal(waiting.length, 2 * length);
    for (let move = 0; move < 200; move++) {
      const id = waiting[random.next() % waiting.length];
      const goal = exploration.moveTo(id);
      const depth = tree.pending.depth[id];
      const { positions, constraints } = recorder.conditions.slice(goal);
      const before = Array.from({ length: depth - 1 }, (_, k) => k + 1);
      assert.deepEqual(
        [...positions],
        before.filter((position) => position % 3 === depth % 3),
      );
      for (const constraint of constraints) assert.deepEqual(arena.support(constraint), arena.support(goal));
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
