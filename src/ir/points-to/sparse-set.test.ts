import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../../support/random.js";
import { SparseSet } from "./sparse-set.js";

function random(seed: Random, count: number, range: number): number[] {
  return Array.from({ length: count }, () => seed.next() % range);
}
function setOf(values: readonly number[]): SparseSet {
  const set = new SparseSet();
  for (const value of values) set.add(value);
  return set;
}
const sorted = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => a - b);

describe("sparse set", () => {
  it("does what a Set does, for random sets of all densities", () => {
    const seed = new Random(7);
    for (let round = 0; round < 300; round++) {
      const range = [40, 300, 5000, 100_000][round % 4];
      const a = random(seed, seed.next() % 120, range);
      const b = random(seed, seed.next() % 120, range);
      const set = setOf(a);
      assert.deepEqual(set.values(), sorted(a));
      assert.equal(set.size, new Set(a).size);
      for (const value of b) assert.equal(set.has(value), a.includes(value));
      const rest = setOf(b).minus(set);
      const expected = sorted(b.filter((value) => !a.includes(value)));
      assert.deepEqual(rest?.values() ?? [], expected);
      const copy = set.copy();
      assert.equal(set.addAll(setOf(b)), expected.length > 0);
      assert.deepEqual(set.values(), sorted([...a, ...b]));
      assert.equal(set.addAll(setOf(b)), false);
      assert.deepEqual(copy.values(), sorted(a));
    }
  });
});
