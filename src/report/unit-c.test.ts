// Failures of units written as C: each file, compiled and run by itself in the machine, fails as the unit did, and at the same line.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runChecked } from "../findings/check.js";
import type { Finding } from "../findings/finding.js";
import { userFrameOf } from "../findings/finding.js";
import { DEFAULT_COMPILE_OPTIONS, UNIT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import { loadLinkedProgram } from "../program/load-linked.js";
import { DEFAULT_DESCRIBE_OPTIONS, type DescribeOptions, describeUnit } from "../techniques/unit/describe-unit.js";
import { DEFAULT_UNIT_PLAN, type UnitFailure, unitExploration } from "../techniques/unit/explore-unit.js";
import { findUnit } from "../techniques/unit/find-unit.js";
import type { DescribedUnit } from "../techniques/unit/unit-inputs.js";
import { readHeap } from "../vm/heap.js";
import { DEFAULT_OPTIONS } from "../vm/run-options.js";
import { renderUnitC, unitFileName } from "./unit-c.js";

const SOURCE = `#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; char *name; };
struct mixed { double d; int i; };
struct large { long a[3]; char *text; };
struct wide { long a, b, c; };
int table[8];
int limit = 3;
static int hidden(const char *s, unsigned u) { if (s[0] == 'x' && u > 4000000000u) return 1 / (s[1] - 'y'); return 0; }
int list(struct node *p, int len) {
  if (p->next && p->next->value == -3 && p->next->name[1] == 'q') return table[len];
  return 0;
}
int values(struct mixed m, struct large l, float f, long low, signed char c) {
  if (m.i == 77 && l.a[2] == 5 && low < -9223372036854775807l && c == -7 && f != f + 1) { if (l.text[0] == 'k') abort(); }
  return 0;
}
struct wide result(int n) { struct wide w = {n, 0, 0}; if (n == 12345) abort(); return w; }
static int twice(int n) { return 2 * n; }
int calls(int (*f)(int), int n) { if (f(n) == 64) abort(); return 0; }
int variable(int n) { if (limit == 99 && n == 1) abort(); return 0; }
int words(char **list) { if (strcmp(list[0], "ab") == 0 && list[1] == 0) abort(); return 0; }
#ifndef NO_MAIN
int main(void) { return hidden("", 0) + calls(twice, 1); }
#endif
`;

describe("failures of units as C", () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-unit-c-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(folder, "source.c");
  const load = { env: process.env, clang: null, flags: [] };
  before(() => writeFileSync(source, SOURCE));

  const failuresOf = async (
    name: string,
    more: Partial<DescribeOptions>,
    files: readonly string[] = [source],
  ): Promise<{ readonly unit: DescribedUnit; readonly failures: readonly UnitFailure[] }> => {
    const options = { ...load, compile: UNIT_COMPILE_OPTIONS };
    const loaded = await loadProgram(files, options);
    const linked = await loadLinkedProgram(files, options);
    assert.ok(loaded.kind === "loaded" && linked.kind === "linked");
    const found = findUnit(linked.program, name, null);
    assert.ok(found.kind === "found");
    const described = describeUnit(linked.program, loaded.image, found.fn, { ...DEFAULT_DESCRIBE_OPTIONS, ...more });
    assert.ok(described.kind === "described", described.kind === "failed" ? described.message : "");
    const host = { abort: { aborted: false }, memoryUsed: null };
    const plan = { ...DEFAULT_UNIT_PLAN, timeMs: 5000 };
    const made = unitExploration(loaded.image, described.unit, plan, host);
    assert.ok(made.kind === "made");
    const failures: UnitFailure[] = [];
    for (const event of made.exploration.events()) {
      if (event.kind !== "failure") continue;
      failures.push(event.failure);
      break;
    }
    return { unit: described.unit, failures };
  };

  const runFile = async (files: readonly string[], flags: readonly string[]): Promise<Finding | null> => {
    const loaded = await loadProgram(files, { ...load, flags, compile: DEFAULT_COMPILE_OPTIONS });
    assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
    return runChecked(loaded.image, DEFAULT_OPTIONS, { repeat: "never", leaks: false, heap: readHeap }).finding;
  };

  /** The failure, and what the file does. */
  const check = async (name: string, isIncluded: boolean, more: Partial<DescribeOptions> = {}): Promise<void> => {
    const { unit, failures } = await failuresOf(name, more);
    assert.equal(failures.length, 1, name);
    const file = join(folder, unitFileName(unit, 0));
    const text = renderUnitC(unit, failures[0], unitFileName(unit, 0));
    writeFileSync(file, text);
    assert.equal(text.includes('#include "'), isIncluded);
    const finding = isIncluded ? await runFile([file], []) : await runFile([file, source], ["-DNO_MAIN"]);
    assert.ok(finding !== null, text);
    const expected = failures[0].finding;
    assert.deepEqual(
      [finding.kind, userFrameOf(finding)?.line, userFrameOf(finding)?.functionName],
      [expected.kind, userFrameOf(expected)?.line, userFrameOf(expected)?.functionName],
      text,
    );
  };

  it("a function that other files see is declared; objects point to each other", () => check("list", false));
  it("a static function comes with its source", () => check("hidden", true));
  it("structures by value, in registers and in memory, floats, the smallest number", () => check("values", false));
  it("a result in memory", () => check("result", false));
  it("a pointer to a pointer, and null at the end", () => check("words", false));
  it("a pointer to a static function", () => check("calls", true));
  it("variables are set, in the source's own file", () => check("variable", true, { globalBytes: 64 }));

  it("functions of other files are declared beside an included source, which may have declared them too", async () => {
    const other = join(folder, "other.c");
    const own = join(folder, "own.c");
    writeFileSync(
      own,
      `#include <stdlib.h>
int triple(int n);
static int apply(int (*f)(int), int n) { if (f(n) == 66) abort(); return 0; }
static int apply_long(long (*f)(long), long n) { if (f(n) == 66) abort(); return 0; }
int use(int n) { return apply(triple, n) + apply_long(0, n); }
`,
    );
    writeFileSync(
      other,
      `int use(int n);
int triple(int n) { return 3 * n; }
static long half(long n) { return n / 2; }
long (*halves)(long) = half;
#ifndef NO_MAIN
int main(void) { return use(1) + triple(1) + (int)halves(2); }
#endif
int (*triples)(int) = triple;
`,
    );
    const { unit, failures } = await failuresOf("apply", {}, [own, other]);
    const file = join(folder, unitFileName(unit, 0));
    const text = renderUnitC(unit, failures[0], unitFileName(unit, 0));
    writeFileSync(file, text);
    assert.match(text, /#include ".*own\.c"/);
    const finding = await runFile([file, other], ["-DNO_MAIN"]);
    assert.equal(finding === null ? null : userFrameOf(finding)?.functionName, "apply", text);
    const hidden = await failuresOf("apply_long", {}, [own, other]);
    assert.match(
      renderUnitC(hidden.unit, hidden.failures[0], "x.c"),
      /#error .*half, which a pointer leads to, is static in another file/,
    );
  });

  it("where the project was built is said: objects are there, and headers that the build made", async () => {
    const folders = ["/p/.tangent/build", "/p/.tangent/build/src"];
    const included = await failuresOf("hidden", {});
    assert.match(
      renderUnitC(included.unit, included.failures[0], "x.c", folders),
      / \* The project was built in \/p\/\.tangent\/build: its objects are there, headers .*: -I\S+build -I\S+build\/src\.\n/,
    );
    const declared = await failuresOf("list", {});
    const text = renderUnitC(declared.unit, declared.failures[0], "x.c", folders);
    assert.match(text, /built in \/p\/\.tangent\/build: its objects are there\.\n/);
    assert.doesNotMatch(renderUnitC(declared.unit, declared.failures[0], "x.c"), /was built in/);
  });

  it("what is no plain name is not written into code", async () => {
    const { unit, failures } = await failuresOf("hidden", {});
    const hostile = {
      ...unit,
      file: '/tmp/x"\n#include "/etc/passwd',
      function: { ...unit.function, name: "a(); system" },
    };
    const text = renderUnitC(hostile, failures[0], unitFileName(hostile, 0));
    assert.equal(unitFileName(hostile, 0), "unit-a____system-1.c");
    assert.ok(!text.includes("passwd"));
    assert.match(text, /#error .*no plain name/);
  });
});
