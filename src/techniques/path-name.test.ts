import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../support/random.js";
import { PathName } from "./path-name.js";

function nameOf(decisions: readonly number[]): string {
  const name = new PathName();
  for (const decision of decisions) name.add(decision);
  return name.text;
}

test("names of paths: the same for the same decisions, another for any others", () => {
  assert.equal(nameOf([1, 2, 3]), nameOf([1, 2, 3]));
  const others = [[], [0], [0, 0], [1, 2], [2, 1], [1, 2, 3, 0], [-1], [0x1_0000_0001], [1], [256, 1], [1, 256]];
  assert.equal(new Set(others.map(nameOf)).size, others.length - 1, "a decision has 32 bits");
});

test("names of paths: of 200,000 no two are equal, nor any part of 64 bits; of 32 bits several are", () => {
  const random = new Random(7);
  const names = new Set<string>();
  const halves = new Set<string>();
  const words = new Set<string>();
  const count = 200_000;
  for (let n = 0; n < count; n++) {
    const name = nameOf([n >>> 9, random.next() & 0xff, n & 0x1ff, 5, 6]);
    names.add(name);
    halves.add(name.slice(0, 16)).add(name.slice(16, 32));
    words.add(name.slice(0, 8));
  }
  assert.deepEqual([names.size, halves.size], [count, 2 * count]);
  assert.ok(words.size < count);
});
