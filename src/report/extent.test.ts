import assert from "node:assert/strict";
import { test } from "node:test";
import type { AmplifyCampaignResult, ResultSeed } from "./campaign-result.js";
import { extent, testsDone } from "./extent.js";

const seed = (distance: number, skipped: string | null = null): ResultSeed =>
  ({ distance, skipped }) as Partial<ResultSeed> as ResultSeed;
const result = (distance: number, ...seeds: ResultSeed[]): AmplifyCampaignResult =>
  ({ totals: { distance }, seeds }) as unknown as AmplifyCampaignResult;

test("extent: everything done at least once is told by its distance", () => {
  assert.equal(extent(result(2, seed(2), seed(0))), "2 tests up to distance 2");
  assert.equal(extent(result(0, seed(0))), "1 test up to distance 0");
});

test("extent: tests that were not reached are not claimed", () => {
  assert.equal(extent(result(0, seed(0), seed(-1), seed(-1))), "1 of 3 tests, only on their own paths");
});

test("extent: tests that cannot be used are not waited for", () => {
  const skipping = result(1, seed(1), seed(-1, "its program is gone"));
  assert.equal(extent(skipping), "1 test up to distance 1");
  assert.deepEqual(testsDone(skipping), { done: 1, usable: 1 });
});
