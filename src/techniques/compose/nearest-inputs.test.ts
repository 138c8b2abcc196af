import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { NearestInputs } from "./nearest-inputs.js";

test("nearest inputs: what is nearer is kept, and chosen more often; what never came there is not", () => {
  const nearest = new NearestInputs<string>(new Random(1));
  assert.equal(nearest.choose(), null);
  assert.equal(nearest.least, Number.POSITIVE_INFINITY);
  nearest.offer("nowhere", Number.POSITIVE_INFINITY, 1);
  assert.equal(nearest.choose(), null);
  for (let distance = 30; distance > 0; distance--) nearest.offer(`at ${distance}`, distance, 1);
  nearest.offer("far", 100, 1);
  assert.equal(nearest.least, 1);
  const chosen = Array.from({ length: 400 }, () => nearest.choose());
  const times = (text: string): number => chosen.filter((one) => one === text).length;
  assert.ok(times("at 1") > times("at 8") && times("at 8") > 0);
  assert.equal(times("at 9") + times("far"), 0);
});

test("nearest inputs: others that are as near take the place of some", () => {
  const nearest = new NearestInputs<number>(new Random(1));
  for (let input = 0; input < 500; input++) nearest.offer(input, 3, 1);
  assert.ok(Array.from({ length: 50 }, () => nearest.choose()).some((input) => (input ?? 0) >= 8));
});

test("nearest inputs: of those that are as near the shorter ones are kept", () => {
  const nearest = new NearestInputs<number>(new Random(1));
  for (let size = 1; size <= 100; size++) nearest.offer(size, 3, size);
  nearest.offer(1000, 2, 1000);
  assert.equal(nearest.least, 2);
  const chosen = Array.from({ length: 1000 }, () => nearest.choose() ?? 0);
  assert.deepEqual(
    [...new Set(chosen)].sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 1000],
  );
});
