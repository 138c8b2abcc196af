import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout } from "../data-layout.js";
import { aggregateParts } from "../passes/aggregate-parts.js";
import { functionOf } from "../passes/body-fixture.js";
import { arrayType, I8, I32, I64, PTR, structType, typeToString, vectorType } from "../types.js";
import { addressOf } from "./gep.js";

const layout = new DataLayout();

/** The address that the last getelementptr of these computes, as "base + offset". */
function address(...steps: string[]): string {
  const text = steps.map((step, k) => `%p${k} = getelementptr ${step.replace("$", k === 0 ? "%p" : `%p${k - 1}`)}`);
  const { body } = functionOf(`define void @f(ptr %p, i64 %n) {\n${text.join("\n")}\nret void\n}`);
  const { instructions } = body.blocks[0];
  const { base, offset } = addressOf(layout, instructions[steps.length - 1]);
  return `${base.kind === "instruction" ? `step ${instructions.indexOf(base)}` : base.kind} + ${offset}`;
}

test("gep: constant steps add up to an offset from the pointer they start at", () => {
  assert.equal(address("i32, ptr $, i64 3"), "argument + 12");
  assert.equal(address("{ i8, i32 }, ptr $, i64 1, i32 1"), "argument + 12");
  assert.equal(address("[4 x i16], ptr $, i64 0, i64 -1", "i8, ptr $, i8 -1"), "argument + -3");
});

test("gep: a step that is not constant is where an address begins", () => {
  assert.equal(address("i32, ptr $, i64 %n"), "step 0 + 0");
  assert.equal(address("i32, ptr $, i64 %n", "i32, ptr $, i64 2"), "step 0 + 8");
});

test("gep: an index too large to count with is not constant", () => {
  assert.equal(address("i32, ptr $, i64 4611686018427387904"), "step 0 + 0");
});

test("aggregate parts: scalars in order with offset and path; a scalar is its own part", () => {
  const type = structType([I8, structType([I64, arrayType(2, I32)]), vectorType(2, I32)]);
  assert.deepEqual(
    aggregateParts(type, layout)?.map((part) => `${part.path}: ${typeToString(part.type)} at ${part.offset}`),
    ["0: i8 at 0", "1,0: i64 at 8", "1,1,0: i32 at 16", "1,1,1: i32 at 20", "2,0: i32 at 24", "2,1: i32 at 28"],
  );
  assert.deepEqual(aggregateParts(PTR, layout), [{ offset: 0, type: PTR, path: [] }]);
  assert.equal(aggregateParts(arrayType(1000, I8), layout), null);
});
