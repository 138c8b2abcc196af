import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { KeptInputs } from "./kept-inputs.js";

function chosen(kept: KeptInputs<string>, times: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i < times; i++) {
    const input = kept.choose() ?? "none";
    counts.set(input, (counts.get(input) ?? 0) + 1);
  }
  return counts;
}

describe("inputs that are worth editing", () => {
  it("did something that none before them did: another block, or one of them more often by a step", () => {
    const kept = new KeptInputs<string>(6, new Random(1));
    const offer = (...hits: number[]): boolean => kept.offer("input", Uint8Array.of(...hits), 1);
    assert.equal(offer(1, 0, 0, 0, 0, 0), true);
    assert.equal(offer(1, 0, 0, 0, 0, 0), false);
    assert.equal(offer(0, 0, 0, 0, 0, 1), true, "a block behind the last word");
    assert.deepEqual(
      [2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 127, 128, 255].map((count) => offer(count, 0, 0, 0, 0, 0)),
      [true, true, true, false, false, true, false, true, false, true, false, true, false],
    );
    assert.equal(offer(1, 0, 0, 0, 0, 0), false, "what was done before is not new because more was done since");
  });

  it("are chosen less often if cheaper ones execute the same blocks", () => {
    const kept = new KeptInputs<string>(4, new Random(1));
    kept.offer("long", Uint8Array.of(1, 1, 1, 0), 1000);
    kept.offer("short", Uint8Array.of(2, 1, 1, 0), 10);
    kept.offer("other", Uint8Array.of(0, 0, 0, 1), 10);
    const counts = chosen(kept, 1000);
    const [long = 0, short = 0, other = 0] = ["long", "short", "other"].map((name) => counts.get(name));
    assert.ok(long > 0 && long < 150, `${long}`);
    assert.ok(Math.abs(short - other) < 100, `${short} ${other}`);
  });

  it("are none before one was offered", () => {
    assert.equal(new KeptInputs<string>(4, new Random(1)).choose(), null);
  });

  it("are forgotten when they are too many, those that keep least first", () => {
    const kept = new KeptInputs<string>(8, new Random(1), 6);
    kept.offer("first", Uint8Array.of(1, 1, 1, 1, 0, 0, 0, 0), 1);
    for (const count of [2, 3, 4, 8, 16, 32, 128]) kept.offer(`${count} times`, Uint8Array.of(count), 100);
    assert.ok(kept.size <= 6);
    const names = [...chosen(kept, 2000).keys()];
    assert.ok(names.includes("first"), "the oldest of all, but it keeps four blocks");
    assert.ok(names.includes("128 times"), "the newest");
    assert.ok(!names.includes("2 times"));
  });
});
