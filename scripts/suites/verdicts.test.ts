import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  automakeVerdicts,
  autotestVerdicts,
  dejagnuVerdicts,
  exactAutomakeVerdicts,
  m4Verdicts,
  minicheckVerdicts,
  statusVerdicts,
  unityVerdicts,
} from "./verdicts.js";

test("verdicts: automake's .trs files, where one failed line fails the test", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-verdicts-"));
  writeFileSync(join(folder, "a.trs"), ":test-result: PASS\n:recheck: no\n");
  writeFileSync(join(folder, "b.trs"), ":test-result: PASS one\n:test-result: FAIL two\n");
  writeFileSync(join(folder, "c.trs"), ":test-result: SKIP\n");
  writeFileSync(join(folder, "d.trs"), ":test-result: XFAIL\n");
  writeFileSync(join(folder, "e.trs"), ":test-result: ERROR\n");
  assert.deepEqual(Object.fromEntries(automakeVerdicts(folder)), {
    a: "pass",
    b: "fail",
    c: "skip",
    d: "pass",
    e: "fail",
  });
  rmSync(folder, { recursive: true });
});

test("verdicts: automake's own words, where comparing two runs must not lose one", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-verdicts-"));
  writeFileSync(join(folder, "a.trs"), ":test-result: XFAIL\n:recheck: no\n");
  writeFileSync(join(folder, "b.trs"), ":test-result: PASS one\n:test-result: ERROR two\n");
  assert.deepEqual(Object.fromEntries(exactAutomakeVerdicts(folder)), { a: "XFAIL", b: "PASS ERROR" });
  rmSync(folder, { recursive: true });
});

test("verdicts: autotest's lines, with names that hold blanks and numbers", () => {
  const text = `  1: tar version                                     ok
 22: files: from 2 lists                             skipped (list.at:21)
 23: long name                                       FAILED (long.at:31)
101: known                                           expected failure (known.at:2)
`;
  assert.deepEqual(Object.fromEntries(autotestVerdicts(text)), {
    "1: tar version": "ok",
    "22: files: from 2 lists": "skipped",
    "23: long name": "FAILED",
    "101: known": "expected failure",
  });
});

test("verdicts: DejaGnu's summaries, where a name that comes again is another test", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-verdicts-"));
  writeFileSync(
    join(folder, "find.sum"),
    "Running x\nPASS: old, size\nFAIL: old, size differs\nXFAIL: new\n# of tests 3\n",
  );
  assert.deepEqual(Object.fromEntries(dejagnuVerdicts(folder)), {
    "find.sum: old": "PASS",
    "find.sum: old (2)": "FAIL",
    "find.sum: new": "XFAIL",
  });
  rmSync(folder, { recursive: true });
});

test("verdicts: m4's list of checks with those skipped and failed at the end", () => {
  const text =
    "Checking ./001.a\nChecking ./002.b\nChecking ./003.c\n\nSkipped checks were:\n  ./002.b\nFailed checks were:\n  ./003.c:out\n";
  assert.deepEqual(Object.fromEntries(m4Verdicts(text)), { "001.a": "pass", "002.b": "skip", "003.c": "fail" });
});

test("verdicts: Unity's lines under each program's name", () => {
  const text = "program one\n/x/one.c:3:first:PASS\none.c:5:second:FAIL: Expected 1\nstatus 1\n";
  assert.deepEqual(Object.fromEntries(unityVerdicts(text)), {
    "one/first": "pass",
    "one/second": "fail",
    "one ends": "fail",
  });
});

test("verdicts: minicheck's lines, where a failure in one context counts", () => {
  const text = "PASS: a\nFAIL [chunksize=1]: b (t.c:1): no\nPASS: b\n100%: Checks: 2\n";
  assert.deepEqual(Object.fromEntries(minicheckVerdicts(text)), { a: "pass", b: "fail" });
});

test("verdicts: exit statuses", () => {
  assert.deepEqual(Object.fromEntries(statusVerdicts("verdict x 0\nnoise\nverdict y 1\n")), { x: "pass", y: "fail" });
});
