import assert from "node:assert/strict";
import { test } from "node:test";
import type { GlobalValue } from "../module.js";
import { moduleOf } from "../passes/body-fixture.js";
import type { Body } from "../values.js";
import { collectBody, scanReferences } from "./references.js";

const TEXT = `
@plain = global i32 0
@"quoted name" = global i32 0
@"esc\\22aped" = global i32 0
@.str.1 = private constant [3 x i8] c"a@b"
@unused = global i32 0
declare void @callee(ptr)
define void @f(ptr %p) {
  store i32 1, ptr @plain
  store i32 2, ptr @"quoted name"
  store i32 3, ptr getelementptr (i8, ptr @"esc\\22aped", i64 4)
  call void @callee(ptr @.str.1)
  ret void
}
define void @g() {
  store i32 1, ptr @unused
  ret void
}`;

test("references: scanning the text finds what parsing the body finds", () => {
  const module = moduleOf(TEXT);
  for (const name of ["f", "g"]) {
    const fn = module.globals.get(name);
    assert.ok(fn?.kind === "function" && fn.references !== undefined);
    const parsed = new Set<GlobalValue>();
    collectBody(fn.parseBody() as Body, parsed);
    assert.deepEqual(new Set(fn.references()), parsed, name);
  }
});

test("references: the scan stops at the end of the range and skips unknown names", () => {
  const module = moduleOf(TEXT);
  const text = "x @plain @nobody @unused";
  const names = (end: number): string[] => scanReferences(text, 0, end, module.globals).map((value) => value.name);
  assert.deepEqual(names(text.length), ["plain", "unused"]);
  assert.deepEqual(names(10), ["plain"]);
  assert.deepEqual(scanReferences('@"no end', 0, 8, module.globals), []);
});
