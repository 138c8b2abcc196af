import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProgramImage } from "../jit/image.js";
import { ToldCoverage } from "./told-coverage.js";

const one = {} as ProgramImage;
const other = {} as ProgramImage;

test("the same blocks are told once for each program, and apart for tests and other runs", () => {
  const told = new ToldCoverage();
  assert.equal(told.isNew(one, Uint8Array.of(1, 0, 0), "tests"), true);
  assert.equal(told.isNew(one, Uint8Array.of(1, 0, 0), "tests"), false);
  assert.equal(told.isNew(one, Uint8Array.of(1, 0, 0), "runs"), true);
  assert.equal(told.isNew(other, Uint8Array.of(1, 0, 0), "tests"), true);
});

test("one block more is news", () => {
  const told = new ToldCoverage();
  told.isNew(one, Uint8Array.of(1, 0, 1), "runs");
  assert.equal(told.isNew(one, Uint8Array.of(0, 0, 1), "runs"), false);
  assert.equal(told.isNew(one, Uint8Array.of(0, 7, 1), "runs"), true);
  assert.equal(told.isNew(one, Uint8Array.of(1, 1, 1), "runs"), false);
});
