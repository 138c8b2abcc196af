import assert from "node:assert/strict";
import { test } from "node:test";
import { heapFillOf } from "./heap-fill.js";

test("what malloc fills with is the complement of MALLOC_PERTURB_'s lowest byte, as glibc has it", () => {
  const fill = (value: string): number => heapFillOf(["HOME=/", `MALLOC_PERTURB_=${value}`]);
  assert.equal(fill("65"), 0x100 | 0xbe);
  assert.equal(fill("0x41"), 0x100 | 0xbe);
  assert.equal(fill("0101"), 0x100 | 0xbe);
  assert.equal(fill("255"), 0x100);
  assert.equal(fill("256"), 0x1ff);
  assert.deepEqual(["0", "", "x", "-1"].map(fill), [0, 0, 0, 0]);
  assert.equal(heapFillOf(["MALLOC_PERTURB=1", Buffer.from("MALLOC_PERTURB_=1")]), 0x1fe);
  assert.equal(heapFillOf([]), 0);
});
