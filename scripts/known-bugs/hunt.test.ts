import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResultFinding, ResultFrame } from "../../src/report/campaign-result.js";
import type { Bug, KnownProgram } from "./bug.js";
import { compare } from "./hunt.js";

const BUG: Bug = { reference: "CVE-0", what: "", kinds: /overflow/, function: /^inner$/ };
const PROGRAM: KnownProgram = {
  name: "p",
  source: "p",
  reverse: [],
  build: "",
  seeds: "",
  seconds: 1,
  bugs: [BUG],
};

function frame(name: string, origin = "program"): ResultFrame {
  return { function: name, file: "/nowhere.c", line: 1, column: 1, origin };
}

function finding(kind: string, distance: number, stack: readonly ResultFrame[]): ResultFinding {
  return {
    id: "",
    identity: "",
    group: "",
    cause: "",
    fingerprint: "",
    kind,
    title: "",
    sentence: "",
    message: "",
    severity: "",
    cwe: 0,
    location: stack[0] ?? null,
    stack,
    object: null,
    distance,
    depth: 0,
    foundMs: 0,
    program: "p",
    seedId: "",
    seedCommand: ["p"],
    witnessCommand: ["p"],
    workingDirectory: "/",
    inputs: [],
    confirmed: "vm",
  };
}

test("a known bug is found by a finding of its kind whose innermost frames of the program's own code are in its function", () => {
  const libc = Array.from({ length: 5 }, () => frame("vfprintf", "libc"));
  const { found, others } = compare(PROGRAM, [finding("stack-buffer-overflow", 1, [...libc, frame("inner")])]);
  assert.equal(found.get(BUG)?.distance, 1);
  assert.deepEqual(others, []);
});

test("a finding of another kind, or at another place, is no known bug", () => {
  const elsewhere = finding("heap-buffer-overflow", 0, [frame("a"), frame("b"), frame("c"), frame("inner")]);
  const otherKind = finding("null-dereference", 0, [frame("inner")]);
  const { found, others } = compare(PROGRAM, [elsewhere, otherKind]);
  assert.equal(found.size, 0);
  assert.deepEqual(others, [elsewhere, otherKind]);
});

test("of several findings at a known bug's place the one closest to a test counts", () => {
  const far = finding("heap-buffer-overflow", 3, [frame("inner")]);
  const near = finding("heap-buffer-overflow", 1, [frame("inner")]);
  assert.equal(compare(PROGRAM, [far, near]).found.get(BUG), near);
});
