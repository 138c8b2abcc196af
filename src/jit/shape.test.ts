import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { lowerType } from "../ir/passes/lower-type.js";
import { I8, structType, type Type } from "../ir/types.js";
import { memoryPartsOf, partsOf } from "./shape.js";

const layout = new DataLayout(X86_64_LAYOUT);

/** A structure of two structures of two ..., so many levels deep. */
function doubled(first: Type, levels: number): Type {
  let type = first;
  for (let level = 0; level < levels; level++) type = structType([type, type], false, `t${level}`);
  return type;
}

test("shape: a structure has the parts of its fields, in order", () => {
  assert.equal(partsOf(doubled(I8, 5)).length, 32);
  assert.deepEqual(
    memoryPartsOf(doubled(I8, 2), layout).map(({ offset }) => offset),
    [0, 1, 2, 3],
  );
});

test("shape: a few lines of IR that describe a structure of billions of parts are refused, and at once", () => {
  const huge = doubled(I8, 60);
  assert.equal(lowerType(huge), huge);
  assert.throws(() => partsOf(huge), /structure of this size/);
  assert.throws(() => memoryPartsOf(huge, layout), /structure of this size/);
});

test("shape: any number of nothing is nothing", () => {
  const nothing = doubled(structType([], false, null), 60);
  assert.deepEqual(partsOf(nothing), []);
  assert.deepEqual(memoryPartsOf(nothing, layout), []);
  assert.deepEqual(partsOf({ kind: "array", element: nothing, count: 2 ** 50 }), []);
  assert.deepEqual(memoryPartsOf({ kind: "array", element: nothing, count: 2 ** 50 }, layout), []);
});
