import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../findings/finding.js";
import { KINDS, type KindName } from "../findings/kinds.js";
import { kleeSuffix, renderKleeError, renderKleeExternal } from "./klee-error.js";

const finding = (kind: KindName, more: Partial<Finding> = {}): Finding => ({
  kind,
  access: null,
  size: 0,
  address: null,
  firstBadAddress: null,
  stack: [
    { functionName: "memcpy", origin: "libc", file: null, line: 0, column: 0 },
    { functionName: "main", origin: "program", file: "/src/a.c", line: 7, column: 3 },
  ],
  userFrame: 1,
  object: null,
  message: "it happened",
  check: null,
  confirmed: true,
  ...more,
});

test("klee error: the text has KLEE's lines, and ours under Info", () => {
  assert.equal(
    renderKleeError(finding("heap-buffer-overflow", { address: 4096 })),
    [
      "Error: memory error: out of bound pointer",
      "File: /src/a.c",
      "Line: 7",
      "Stack: ",
      "\t#0 in memcpy ()",
      "\t#1 in main () at /src/a.c:7",
      "Info: ",
      "\tkind: heap-buffer-overflow",
      "\tmessage: it happened",
      "\taddress: 4096",
      "",
    ].join("\n"),
  );
});

test("klee error: an assertion is quoted as KLEE quotes it", () => {
  const text = renderKleeError(finding("assertion-failure", { message: "the assertion `x < 3' does not hold" }));
  assert.match(text, /^Error: ASSERTION FAIL: x < 3\n/);
});

test("klee error: what the program reports itself has its own words, place and suffix; an odd suffix is none", () => {
  const message = "own.c:12: the pair is a double (double.err)";
  const reported = finding("reported-error", { message });
  assert.equal(kleeSuffix(reported), "double");
  assert.match(renderKleeError(reported), /^Error: the pair is a double\nFile: own\.c\nLine: 12\n/);
  assert.equal(kleeSuffix(finding("reported-error", { message: "own.c:12: odd (../x)" })), "user");
});

test("klee error: a call of a function that is defined nowhere is a failed external call; other ends have no such text", () => {
  const external = renderKleeExternal("unsupported a call of poof, which is defined nowhere");
  assert.equal(external?.callee, "poof");
  assert.match(external?.text ?? "", /^Error: failed external call: poof\nInfo: \n\tmessage: a call of poof, which/);
  const foreign = renderKleeExternal("unsupported a call of SSL_new (SSL_new is foreign: libssl was not built)");
  assert.equal(foreign?.callee, "SSL_new");
  assert.equal(renderKleeExternal("unsupported inline assembly"), null);
  assert.equal(renderKleeExternal("exit 0"), null);
});

test("klee error: suffixes are those scripts look for, and every kind has one", () => {
  assert.equal(kleeSuffix(finding("division-by-zero")), "div");
  assert.equal(kleeSuffix(finding("abort")), "abort");
  assert.equal(kleeSuffix(finding("heap-use-after-free")), "ptr");
  assert.equal(kleeSuffix(finding("undefined-behaviour", { check: "shift-out-of-bounds" })), "overshift");
  assert.equal(kleeSuffix(finding("undefined-behaviour", { check: "add-overflow" })), "overflow");
  for (const kind of Object.keys(KINDS) as KindName[]) assert.match(kleeSuffix(finding(kind)), /^[a-z_]+$/);
});
