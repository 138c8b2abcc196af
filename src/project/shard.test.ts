import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readShard, shardOf } from "./shard.js";

const seeds = Array.from({ length: 50 }, (_, n) => ({
  id: `s${(n * 37) % 101}`,
  program: n % 5 === 0 ? "/p/rare" : "/p/often",
}));

describe("shards", () => {
  it("are named as part/parts", () => {
    assert.deepEqual(readShard("3/10"), { part: 3, parts: 10 });
    for (const wrong of ["0/3", "4/3", "3", "3/", "a/b", "1/0", "-1/3", "1/100000"])
      assert.equal(readShard(wrong), null, wrong);
  });

  it("together are all tests, each once, whatever the order they were recorded in", () => {
    const parts = [1, 2, 3].map((part) => shardOf(seeds, { part, parts: 3 }));
    assert.deepEqual(
      parts
        .flat()
        .map(({ id }) => id)
        .sort(),
      seeds.map(({ id }) => id).sort(),
    );
    const again = shardOf([...seeds].reverse(), { part: 2, parts: 3 });
    assert.deepEqual(again.map(({ id }) => id).sort(), parts[1].map(({ id }) => id).sort());
  });

  it("have tests of every program", () => {
    for (const part of [1, 2, 3]) {
      const own = shardOf(seeds, { part, parts: 3 });
      assert.ok(own.length >= 16 && own.length <= 17);
      assert.ok(own.filter(({ program }) => program === "/p/rare").length >= 3);
    }
  });

  it("may be empty where there are fewer tests than parts", () => {
    assert.equal(shardOf(seeds.slice(0, 2), { part: 3, parts: 3 }).length, 0);
  });
});
