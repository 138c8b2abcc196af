import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultJobs } from "./default-jobs.js";

const GIGABYTE = 2 ** 30;

test("a thread for each core, as far as the memory goes, and one at least", () => {
  assert.equal(defaultJobs(4, 64 * GIGABYTE), 4);
  assert.equal(defaultJobs(64, 16 * GIGABYTE), 8);
  assert.equal(defaultJobs(4, GIGABYTE), 1);
  assert.ok(defaultJobs() >= 1);
});
