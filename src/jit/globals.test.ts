import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { moduleOf } from "../ir/passes/body-fixture.js";
import { layoutGlobals } from "./globals.js";
import { ShapeError } from "./shape.js";

function place(text: string): ReturnType<typeof layoutGlobals> {
  const variables = [...moduleOf(text).globals.values()].filter((value) => value.kind === "variable");
  return layoutGlobals(variables, new DataLayout(X86_64_LAYOUT));
}

test("globals: variables lie apart, each aligned", () => {
  const { infos, end } = place("@a = global [3 x i8] zeroinitializer\n@b = global i64 0, align 64\n");
  const [a, b] = infos;
  assert.ok(b.address - a.address >= 16 && b.address % 64 === 0 && end > b.address + 8);
});

test("globals: what does not fit is refused in words that name the largest", () => {
  const text = "@small = global i64 0\n@large = global [5000000000 x i8] zeroinitializer\n";
  assert.throws(
    () => place(text),
    (error) =>
      error instanceof ShapeError && /MiB there are; the largest is 'large' with 5000000000/.test(error.message),
  );
});
