import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "./data-layout.js";
import {
  arrayType,
  DOUBLE,
  FLOATS,
  I1,
  I8,
  I16,
  I32,
  I64,
  I80,
  I128,
  intType,
  PTR,
  type StructType,
  structType,
  type Type,
  vectorType,
} from "./types.js";
import { Argument, constInt, type Value } from "./values.js";

const layout = new DataLayout();

test("data layout: scalars have the sizes and alignments of x86-64", () => {
  const expected: readonly (readonly [Type, number, number, number])[] = [
    [I1, 1, 1, 1],
    [I8, 1, 1, 1],
    [I16, 2, 2, 2],
    [intType(24), 3, 4, 4],
    [I32, 4, 4, 4],
    [intType(33), 5, 8, 8],
    [I64, 8, 8, 8],
    [I80, 10, 16, 16],
    [I128, 16, 16, 16],
    [intType(256), 32, 32, 16],
    [PTR, 8, 8, 8],
    [FLOATS.half, 2, 2, 2],
    [DOUBLE, 8, 8, 8],
    [FLOATS.x86_fp80, 10, 16, 16],
    [FLOATS.fp128, 16, 16, 16],
    [vectorType(3, I32), 12, 16, 16],
    [vectorType(8, I1), 1, 1, 1],
    [vectorType(8, DOUBLE), 64, 64, 64],
    [arrayType(3, I16), 6, 6, 2],
    [arrayType(2, FLOATS.x86_fp80), 32, 32, 16],
  ];
  for (const [type, store, size, align] of expected) {
    const found = [layout.storeSize(type), layout.sizeOf(type), layout.abiAlign(type)];
    assert.deepEqual(found, [store, size, align], JSON.stringify(type));
  }
});

test("data layout: i128 is aligned as the string says, which changed with LLVM 18", () => {
  const before = new DataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128");
  assert.equal(before.abiAlign(I128), 8);
  assert.equal(before.sizeOf(I128), 16);
  assert.equal(before.abiAlign(I80), 8);
  assert.equal(layout.abiAlign(I128), 16);
});

test("data layout: structures are padded, packed ones are not", () => {
  const fields = [I8, I32, I8, PTR, I16];
  assert.deepEqual(layout.structLayout(structType(fields)), {
    offsets: [0, 4, 8, 16, 24],
    size: 32,
    align: 8,
    sized: true,
  });
  assert.deepEqual(layout.structLayout(structType(fields, true)), {
    offsets: [0, 1, 5, 6, 14],
    size: 16,
    align: 1,
    sized: true,
  });
  const nested = structType([I8, structType([I8, FLOATS.x86_fp80])]);
  assert.deepEqual(layout.structLayout(nested), { offsets: [0, 16], size: 48, align: 16, sized: true });
  assert.deepEqual(layout.structLayout(structType([])), { offsets: [], size: 0, align: 1, sized: true });
});

test("data layout: a structure's layout is computed once, but not before it is defined", () => {
  const struct: StructType = { kind: "struct", name: "s", fields: [], packed: false, opaque: true };
  assert.equal(layout.isSized(struct), false);
  assert.equal(layout.sizeOf(struct), 0);
  struct.fields = [I64];
  struct.opaque = false;
  assert.equal(layout.sizeOf(struct), 8);
  assert.equal(layout.structLayout(struct), layout.structLayout(struct));
  assert.equal(layout.isSized(arrayType(2, struct)), true);
});

test("getelementptr: constant indices add up to an offset, in either direction", () => {
  const struct = structType([I8, arrayType(4, I32), PTR]);
  const i = (value: number): Value => constInt(64, BigInt(value));
  assert.equal(layout.gepOffset(struct, [i(1), constInt(32, 1), i(2)]), 32n + 4n + 8n);
  assert.equal(layout.gepOffset(struct, [i(-1)]), -32n);
  assert.equal(layout.gepOffset(I32, [constInt(32, -3)]), -12n);
  assert.equal(layout.gepOffset(struct, [i(0), constInt(32, 7)]), null, "no such field");
  assert.equal(layout.gepOffset(I8, [constInt(64, 1n << 62n)]), 1n << 62n, "too wide for a number");
});

test("getelementptr: variable indices come with their scale", () => {
  const index = new Argument(I64, 0, "i");
  const struct = structType([I8, arrayType(4, I32)]);
  const terms = layout.gepTerms(struct, [index, constInt(32, 1), index]);
  assert.deepEqual(terms, {
    offset: 4n,
    terms: [
      { index, scale: 20 },
      { index, scale: 4 },
    ],
  });
  assert.equal(layout.gepOffset(struct, [index]), null);
  const huge = arrayType(2 ** 40, arrayType(2 ** 40, I8));
  assert.equal(layout.gepTerms(huge, [index]), null, "an element that no address space holds");
});
