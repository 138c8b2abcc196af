// A library with a test program that it calls back, and functions that take a format: what is told of them, and what is only counted.

import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Finding } from "../../findings/finding.js";
import { loadModule } from "../../jit/load-module.js";
import { DEFAULT_UNIT_PLAN, unitExploration } from "./explore-unit.js";
import { notOfUnit } from "./not-of-unit.js";
import { type UnitProgram, unitProgram } from "./unit-program-fixture.js";

const LIBRARY = `
#include <stdarg.h>
#include <stdio.h>
struct hooks { int (*done)(int n); long (*named)(long n, long m); int (*close)(void *file); };
extern int (*hook)(int n);
static long add(long n, long m) { return n + m; }
struct hooks defaults = {0, add};
int run(struct hooks *hooks, int n) {
  if (hooks->done) hooks->done(n);
  if (hooks->close) hooks->close(stdout);
  return hooks->named ? (int)hooks->named(n, 2) : 0;
}
int call_back(int n) { return n == 7 ? 1 / (n - 7) : hook(n); }
void complain(const char *format, ...) {
  char text[64];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
}
void complain_long(const char *format, ...) {
  char text[4];
  va_list list;
  va_start(list, format);
  vsprintf(text, format, list);
  va_end(list);
}
void complain_wrong(const char *format, ...) { printf(format); }
`;
const TEST = `
#include <assert.h>
struct hooks { int (*done)(int n); long (*named)(long n, long m); int (*close)(void *file); };
int run(struct hooks *hooks, int n);
extern struct hooks defaults;
int call_back(int n);
void complain(const char *format, ...);
void complain_long(const char *format, ...);
void complain_wrong(const char *format, ...);
static int expects(int n) { assert(n == 3); return n; }
static long expects_two(long n, long m) { assert(n == m); return n; }
int helper(int n) { return expects(n); }
int (*hook)(int n) = expects;
int main(void) {
  struct hooks own = {expects, expects_two, 0};
  complain("%d", 1);
  complain_long("%d", 1);
  complain_wrong("x");
  return run(&own, 3) + run(&defaults, 3) + call_back(3) + helper(3);
}
`;

describe("what says nothing of a unit", () => {
  let units: UnitProgram;
  before(async () => {
    units = await unitProgram({ "library.c": LIBRARY, "test-library.c": TEST });
  });
  const explored = (name: string): { readonly told: readonly string[]; readonly untold: readonly string[] } => {
    const plan = { ...DEFAULT_UNIT_PLAN, timeMs: 5000, studyMs: 500 };
    const host = { abort: { aborted: false }, memoryUsed: null };
    const made = unitExploration(units.image, units.describe(name), plan, host, loadModule(units.image));
    if (made.kind === "failed") throw new Error(made.message);
    const told: string[] = [];
    for (const event of made.exploration.events()) if (event.kind === "failure") told.push(event.failure.finding.kind);
    return { told, untold: [...made.exploration.summary("exhausted", true).untold.values()] };
  };

  it("pointers lead to functions of the code under test, never to those of its tests", () => {
    const { fixed } = units.describe("run");
    assert.deepEqual(
      fixed.map(({ words, value }) => [words, value]),
      [
        ["hooks->done", "NULL"],
        ["hooks->named", "add"],
        // What libc keeps for itself is not for others.
        ["hooks->close", "NULL"],
      ],
    );
    assert.equal(fixed[0].why, "only the tests' own functions of this type have their address taken in the program");
    assert.equal(fixed[1].why, "the only function of its type");
  });

  it("what fails in the tests' own code is counted, unless a function of the tests is what is explored", () => {
    assert.deepEqual(explored("call_back"), { told: ["division-by-zero"], untold: ["tests"] });
    assert.deepEqual(explored("helper"), { told: ["assertion-failure"], untold: [] });
  });

  it("a format that asks for further arguments than there are is counted", () => {
    const { told, untold } = explored("complain");
    assert.deepEqual(told, []);
    assert.ok(untold.length > 0 && untold.every((why) => why === "arguments"), untold.join());
    const unit = units.describe("complain");
    const why = (kind: string, ...inLibc: readonly string[]): string | null => {
      const stack = [...inLibc, "complain"].map((functionName) => ({ file: "library.c", functionName }));
      const finding = { kind, access: "read", object: null, stack, userFrame: inLibc.length } as unknown as Finding;
      return notOfUnit({ tests: null }, unit, finding);
    };
    assert.equal(why("missing-argument"), "arguments", "it takes them itself");
    assert.equal(why("null-dereference"), null);
    assert.equal(why("wild-access", "strnlen", "printf_core", "vfprintf", "verrx"), "arguments");
    assert.equal(why("missing-argument", "printf_core", "vfprintf", "printf"), null);
    const missing = { kind: "missing-argument", stack: [], userFrame: -1 } as unknown as Finding;
    assert.equal(notOfUnit({ tests: null }, units.describe("run"), missing), null);
  });

  it("a buffer that a long text leaves is told, and a format that nobody gives arguments to", () => {
    assert.ok(explored("complain_long").told.includes("stack-buffer-overflow"));
    assert.notDeepEqual(explored("complain_wrong").told, []);
  });
});
