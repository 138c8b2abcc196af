import assert from "node:assert/strict";
import { test } from "node:test";
import { NOISE, normalised } from "./normalise.js";

const NOWHERE = { roots: [] };

for (const { name, pattern, put, same, different } of NOISE) {
  test(`noise: ${name}`, () => {
    assert.ok(same.length > 0 && different.length > 0);
    for (const [one, two] of same) {
      assert.notEqual(one, two);
      assert.equal(one.replace(pattern, put), two.replace(pattern, put), "the rule itself");
      assert.equal(normalised(one, NOWHERE), normalised(two, NOWHERE), "all of them");
    }
    for (const [one, two] of different) assert.notEqual(normalised(one, NOWHERE), normalised(two, NOWHERE));
  });
}

test("noise: each version's own directories, the longer first", () => {
  const old = { roots: ["/home/u/old", "/home/u/old/build"] };
  const fresh = { roots: ["/home/u/project"] };
  assert.equal(normalised("in /home/u/old/a.txt", old), normalised("in /home/u/project/a.txt", fresh));
  assert.equal(normalised("in /home/u/old/build/a", old), "in <root>/a");
  assert.notEqual(normalised("/home/u/old/a", old), normalised("/home/u/project/b", fresh));
  assert.equal(normalised("a/b", { roots: ["/", ""] }), "a/b");
});

test("noise: no rule takes long for a text that is made to make it", () => {
  const hostile = [
    "a".repeat(50_000),
    "1.".repeat(25_000),
    "(".repeat(50_000),
    `/tmp/${"x.".repeat(25_000)}`,
    `${"a/".repeat(25_000)}b.c`,
    "Mon ".repeat(12_000),
    `version 1${".1".repeat(25_000)}-`,
  ];
  for (const text of hostile) assert.equal(typeof normalised(text, NOWHERE), "string");
});
