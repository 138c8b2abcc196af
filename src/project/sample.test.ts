import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../support/random.js";
import { missProbability, sampledOf, sampleOf } from "./sample.js";

describe("a sample of the tests", () => {
  it("misses a bug as often as the paper says: 7, 20 and 32 of 100 are enough for 30, 10 and 6 %", () => {
    for (const [m, k] of [
      [30, 7],
      [10, 20],
      [6, 32],
    ]) {
      assert.ok(missProbability(100, m, k) <= 0.1);
      assert.ok(missProbability(100, m, k - 1) > 0.1);
    }
  });

  it("misses nothing if it must hold an exposing test, and everything if none is exposing", () => {
    assert.equal(missProbability(10, 3, 8), 0);
    assert.equal(missProbability(10, 3, 10), 0);
    assert.equal(missProbability(10, 0, 10), 1);
    assert.equal(missProbability(10, 3, 0), 1);
  });

  it("agrees with drawing", () => {
    const random = new Random(7);
    const all = Array.from({ length: 20 }, (_, index) => index);
    let missed = 0;
    const trials = 20_000;
    for (let i = 0; i < trials; i++) if (sampleOf(all, 5, random).every((one) => one >= 4)) missed++;
    assert.ok(Math.abs(missed / trials - missProbability(20, 4, 5)) < 0.02);
  });

  it("keeps the order, holds each test once, and is everything when there are too few", () => {
    const sample = sampleOf([1, 2, 3, 4, 5, 6, 7, 8], 4, new Random(1));
    assert.equal(new Set(sample).size, 4);
    assert.deepEqual([...sample].sort(), sample);
    assert.deepEqual(sampleOf([1, 2], 5, new Random(1)), [1, 2]);
  });

  it("says how sure one can be", () => {
    assert.match(sampledOf(100, 20).confidence, /20 of 100 tests: 99 % for one that 30 of the 100 tests expose, 90 % /);
  });
});
