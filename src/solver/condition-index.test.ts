import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { Random } from "../support/random.js";
import { ConditionIndex } from "./condition-index.js";

/** x < y for two input bytes, or x < 100 for one. */
function condition(arena: ExprArena, x: number, y: number): ExprRef {
  if (x === y) return arena.binary("ult", arena.variable(x), arena.constant(8, 100, 0));
  return arena.binary("ult", arena.variable(x), arena.variable(y));
}

function sliceByFixpoint(arena: ExprArena, conditions: readonly ExprRef[], goal: ExprRef): number[] {
  const bytes = new Set(arena.support(goal));
  const chosen = new Set<number>();
  for (let changed = true; changed; ) {
    changed = false;
    conditions.forEach((ref, position) => {
      if (chosen.has(position) || conditions.indexOf(ref) !== position) return;
      const support = Array.from(arena.support(ref));
      if (!support.some((byte) => bytes.has(byte))) return;
      chosen.add(position);
      for (const byte of support) bytes.add(byte);
      changed = true;
    });
  }
  return Array.from(chosen).sort((x, y) => x - y);
}

describe("condition index", () => {
  it("a slice has exactly the earlier conditions that transitively share input bytes with the goal", () => {
    const arena = new ExprArena();
    const random = new Random(3);
    for (let round = 0; round < 60; round++) {
      const index = new ConditionIndex(arena);
      const bytes = 4 + (random.next() % 40);
      const conditions: ExprRef[] = [];
      for (let i = 0; i < 50; i++) {
        const x = random.next() % bytes;
        conditions.push(condition(arena, x, random.next() % 3 === 0 ? random.next() % bytes : x));
        index.append(conditions[i]);
      }
      const goal = condition(arena, random.next() % bytes, random.next() % bytes);
      const length = random.next() % 51;
      const { positions, constraints } = index.slice(length, goal);
      assert.deepEqual(positions, sliceByFixpoint(arena, conditions.slice(0, length), goal));
      assert.deepEqual(
        constraints,
        positions.map((position) => conditions[position]),
      );
    }
  });

  it("a condition that is there already keeps its first position and is in a slice once", () => {
    const arena = new ExprArena();
    const index = new ConditionIndex(arena);
    const first = condition(arena, 0, 0);
    const second = condition(arena, 0, 1);
    assert.equal(index.append(first), 0);
    assert.equal(index.append(second), 1);
    assert.equal(index.append(first), 0);
    assert.equal(index.length, 3);
    assert.equal(index.ref(2), first);
    assert.deepEqual(index.slice(3, condition(arena, 1, 1)).positions, [0, 1]);
  });

  it("truncating forgets the positions from there on and nothing else", () => {
    const arena = new ExprArena();
    const index = new ConditionIndex(arena);
    const refs = [condition(arena, 0, 0), condition(arena, 0, 1), condition(arena, 1, 2), condition(arena, 3, 3)];
    for (const ref of refs) index.append(ref);
    index.append(refs[0]);
    index.truncate(1);
    assert.equal(index.length, 1);
    assert.ok(index.contains(refs[0]));
    assert.ok(!index.contains(refs[1]));
    assert.deepEqual(index.slice(1, condition(arena, 2, 2)).positions, []);
    assert.equal(index.append(refs[2]), 1);
    assert.deepEqual(index.slice(2, condition(arena, 2, 2)).positions, [1]);
    index.truncate(0);
    assert.ok(!index.contains(refs[0]));
    assert.equal(index.append(refs[0]), 0);
  });

  it("a run of a million conditions answers small slices at once", () => {
    const arena = new ExprArena();
    const index = new ConditionIndex(arena);
    const refs: ExprRef[] = [];
    for (let byte = 0; byte < 5000; byte++) {
      for (let value = 0; value < 200; value++) {
        refs.push(arena.not(arena.binary("eq", arena.variable(byte), arena.constant(8, value, 0))));
      }
    }
    const work = (act: () => void): number => {
      const before = process.cpuUsage().user;
      act();
      return process.cpuUsage().user - before;
    };
    const filling = work(() => {
      for (const ref of refs) index.append(ref);
    });
    assert.equal(index.length, 1_000_000);
    const asking = work(() => {
      for (let byte = 0; byte < 1000; byte++) {
        const goal = arena.binary("ult", arena.variable(byte), arena.constant(8, 240, 0));
        assert.equal(index.slice(1_000_000, goal).positions.length, 200);
      }
    });
    // Looking at all conditions for each of them would be the work of filling it a thousand times.
    assert.ok(asking < 20 * filling, `${asking} and ${filling} microseconds`);
  });
});
