import assert from "node:assert/strict";
import { test } from "node:test";
import { patchResult } from "../../src/report/patch-fixture.js";
import { finding } from "../../src/report/result-fixture.js";
import type { Bug } from "./bug.js";
import { judge } from "./introduce.js";
import { LIBRARIES } from "./libraries.js";
import { TOOLS } from "./tools.js";

const frame = (name: string) => ({ function: name, file: "/nowhere.c", line: 1, column: 1, origin: "program" });
const BUG: Bug = { reference: "CVE-0", what: "", kinds: /overflow/, function: /^inner$/ };
const late = finding({ id: "aaa", kind: "heap-buffer-overflow", stack: [frame("inner")], foundMs: 900 });
const soon = finding({ id: "bbb", kind: "heap-buffer-overflow", stack: [frame("inner")], foundMs: 100 });
const other = finding({ id: "ccc", kind: "heap-buffer-overflow", stack: [frame("outer")], foundMs: 1 });

test("a bug is found by the first finding at its place, and a regression only if the old version does not fail there", () => {
  const found = judge(BUG, patchResult({ findings: [late, { ...soon, since: "before" }, other] }));
  assert.deepEqual([found.finding?.id, found.isRegression], ["bbb", false]);
  const since = patchResult({ findings: [{ ...late, since: "patch" }, soon] });
  assert.equal(judge(BUG, since).isRegression, true);
  assert.equal(judge(BUG, patchResult({ findings: [late, { ...other, since: "patch" }] })).isRegression, false);
  assert.equal(judge(BUG, patchResult({ findings: [other] })).finding, null);
});

test("what brings a bug back by itself is among what brings all of a program's back", () => {
  for (const { reverse, edits = [], bugs } of [...LIBRARIES, ...TOOLS]) {
    for (const { by, reference } of bugs) {
      for (const name of by?.reverse ?? []) assert.ok(reverse.includes(name), `${reference}: ${name}`);
      for (const index of by?.edits ?? []) assert.ok(index < edits.length, reference);
    }
  }
});
