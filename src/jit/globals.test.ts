import assert from "node:assert/strict";
import { test } from "node:test";
import { DataLayout, X86_64_LAYOUT } from "../ir/data-layout.js";
import { moduleOf } from "../ir/passes/body-fixture.js";
import { initialSegments, layoutGlobals } from "./globals.js";
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

test("globals: thread-local variables lie together behind the others, and their image behind them", () => {
  const text =
    "@a = global i64 1\n@t = thread_local global i32 7\n@u = thread_local global [40 x i8] zeroinitializer\n";
  const variables = [...moduleOf(text).globals.values()].filter((value) => value.kind === "variable");
  const layout = new DataLayout(X86_64_LAYOUT);
  const globals = layoutGlobals(variables, layout);
  const [, t, u] = globals.infos;
  const { address, size, image } = globals.threadLocals;
  assert.equal(address, t.address);
  assert.ok(u.address + 40 <= address + size && image >= address + size && globals.end === image + size);
  const segments = initialSegments(variables, globals, layout, () => 0n);
  const byteAt = (at: number): number | undefined =>
    segments.flatMap((s) => (at >= s.address && at < s.address + s.bytes.length ? [s.bytes[at - s.address]] : []))[0];
  assert.equal(byteAt(t.address), 7);
  assert.equal(byteAt(t.address - address + image), 7);
});

test("globals: a program without thread-local variables has no image of them", () => {
  assert.equal(place("@a = global i64 1\n").threadLocals.size, 0);
});

test("globals: what does not fit is refused in words that name the largest", () => {
  const text = "@small = global i64 0\n@large = global [5000000000 x i8] zeroinitializer\n";
  assert.throws(
    () => place(text),
    (error) =>
      error instanceof ShapeError && /MiB there are; the largest is 'large' with 5000000000/.test(error.message),
  );
});
