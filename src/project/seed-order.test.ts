import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { blocksOf, orderSeeds, packedBlocks, type SeedProfile, unpackedBlocks } from "./seed-order.js";

const profile = (id: string, milliseconds: number, ...blocks: number[]): SeedProfile => {
  const coverage = new Uint8Array(70);
  for (const block of blocks) coverage[block] = 1;
  return { id, milliseconds, blocks: blocksOf(coverage) };
};

describe("the order of tests", () => {
  it("is by what each covers beyond those before it, then again for the rest", () => {
    const order = orderSeeds([
      profile("part", 1, 1, 2),
      profile("whole", 9, 1, 2, 3, 64),
      profile("other", 5, 40),
      profile("most", 5, 1, 2, 3),
    ]);
    assert.deepEqual(order, ["whole", "other", "most", "part"]);
  });

  it("what a test covers survives being written down", () => {
    const { blocks } = profile("any", 1, 0, 31, 32, 69);
    assert.ok(blocks !== null);
    assert.deepEqual(unpackedBlocks(packedBlocks(blocks)), blocks);
  });

  it("of equal tests the cheaper goes first, and nearly as cheap ones stay in their order", () => {
    assert.deepEqual(orderSeeds([profile("dear", 9000, 1), profile("cheap", 10, 1)]), ["cheap", "dear"]);
    assert.deepEqual(orderSeeds([profile("first", 99, 1), profile("second", 10, 1)]), ["first", "second"]);
  });

  it("tests of which nothing is known come last, and all tests are there", () => {
    const order = orderSeeds([
      { id: "unknown", milliseconds: 0, blocks: null },
      profile("empty", 1),
      profile("one", 1, 5),
    ]);
    assert.deepEqual(order, ["one", "empty", "unknown"]);
  });
});
