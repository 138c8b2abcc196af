import assert from "node:assert/strict";
import { test } from "node:test";
import { isReportOf, reportInWords, sanitizerReports } from "./sanitizer-report.js";

test("sanitizer report: the kind and the first line of the project's own", () => {
  const output = `text of the program
=================================================================
==4711==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x7ffd at pc 0x55 bp 0x7f sp 0x7f
WRITE of size 14 at 0x7ffd thread T0
    #0 0x7f2a in __interceptor_strcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:425
    #1 0x55aa in copy_name /w/proj/src/name.c:24
    #2 0x55bb in main /w/proj/src/main.c:5

Address 0x7ffd is located in stack of thread T0 at offset 40 in frame
    #0 0x55cc in other /w/proj/src/other.c:9
SUMMARY: AddressSanitizer: stack-buffer-overflow ../asan_interceptors.cpp:425 in __interceptor_strcpy
`;
  const [report] = sanitizerReports(output, "/w/proj");
  assert.deepEqual(report, {
    ...{ tool: "AddressSanitizer", kind: "stack-buffer-overflow", place: "src/name.c:24", function: "copy_name" },
  });
  assert.equal(reportInWords(report), "AddressSanitizer sees stack-buffer-overflow at src/name.c:24 in copy_name");
});

test("sanitizer report: a crash without a line, what UBSan prints, and nothing", () => {
  const crash =
    "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0 (pc 0x7f)\n    #0 0x7f in strlen (/lib/libc.so.6+0x9)\n";
  assert.deepEqual(sanitizerReports(crash, "/w"), [
    { tool: "AddressSanitizer", kind: "SEGV", place: null, function: null },
  ]);
  const undefined_ = "x\n/w/a.c:7:12: runtime error: index 9 out of bounds for type 'char [8]'\n";
  assert.deepEqual(
    sanitizerReports(`${undefined_}${crash}`, "/w").map(({ place }) => place),
    ["a.c:7", null],
  );
  assert.deepEqual(sanitizerReports("runtime error: the program's own words\n", "/w"), []);
});

test("sanitizer report: one of another place is not of the finding", () => {
  const stack = [
    { function: "copy", file: "/w/src/a.c", line: 20 },
    { function: "main", file: "/w/src/main.c", line: 5 },
  ];
  const report = (place: string | null, name: string | null) =>
    isReportOf({ tool: "AddressSanitizer", kind: "x", place, function: name }, stack);
  assert.ok(report("src/a.c:21", null));
  assert.ok(report("a.c:90", "copy"));
  assert.ok(report("src/main.c:5", "main"));
  assert.ok(report(null, null));
  assert.ok(!report("src/a.c:90", "other"));
  assert.ok(!report("src/b.c:20", "copy"));
});
