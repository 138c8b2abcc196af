// `tangent unit` in a project whose recorded tests call the function: it is explored in these calls first, and what is said of each failure
// tells how it was started.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static int limit = 3;
static int sums[4];
struct line { const char *text; int number; };
static int add(struct line *line, int amount) {
  int kind = line->text[0] - 'a';
  if (kind < 0 || kind > limit) return 0;
  sums[kind] += amount;
  return 100 / (line->number - 7);
}
int unused(int n) { return 10 / n; }
int dots(const char *data, int len) { int n = 0; for (int k = 0; k < len; k++) n += data[k] == '.'; return n; }
int main(int argc, char **argv) {
  char text[32];
  if (argc > 1) limit = atoi(argv[1]);
  struct line line = {text, 0};
  while (fgets(text, sizeof text, stdin)) { line.number++; add(&line, text[1] - '0'); }
  printf("%d\\n", sums[0] + dots(text, line.number));
  return 0;
}
`;
const TESTS = `printf 'a1\\nb2\\n' | ./till; printf 'd5\\n' | ./till 5; ./till </dev/null`;
const OVERFLOW = 9;
const DIVISION = 10;
const NULL_USE = 7;
const TROUBLE_STATUS = 3;

interface Start {
  readonly kind: string;
  readonly test?: string;
  readonly command?: readonly string[];
  readonly call?: number;
}
interface Result {
  readonly starts: readonly (Start & { readonly description?: { readonly context: object }; readonly paths: number })[];
  readonly failures: readonly { readonly start: Start; readonly stack: readonly { readonly line: number }[] }[];
  readonly coverage: { readonly blocks: number; readonly coveredBlocks: number };
  readonly paths: number;
}

let project = "";
const tangent = (...words: string[]): SpawnSyncReturns<string> =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
const resultOf = (...words: string[]): Result => {
  const { stdout, stderr } = tangent("unit", ...words, "--json", "-", "--quiet");
  assert.notEqual(stdout, "", stderr);
  return JSON.parse(stdout) as Result;
};
const kindAt = ({ failures }: Result, line: number): string | undefined =>
  failures.find(({ stack }) => stack[0].line === line)?.start.kind;

describe("tangent unit, as recorded tests call the function", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-unit-tests-"));
    writeFileSync(join(project, "till.c"), PROGRAM);
    assert.equal(tangent("cc", "-g", "till.c", "-o", "till").status, 0);
    assert.equal(tangent("record", "--", "sh", "-c", TESTS).status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("each failing line is told once, started in the most real way that shows it", () => {
    const result = resultOf("add");
    assert.deepEqual(
      result.failures.map(({ stack }) => stack[0].line).sort((a, b) => a - b),
      [NULL_USE, OVERFLOW, DIVISION],
    );
    // The limit is an argument of one test: with it, the input alone leads out of bounds.
    assert.equal(kindAt(result, OVERFLOW), "input");
    assert.equal(kindAt(result, DIVISION), "context");
    // No call has a null pointer.
    assert.equal(kindAt(result, NULL_USE), "types");
    const overflow = result.failures.find(({ stack }) => stack[0].line === OVERFLOW);
    assert.deepEqual(overflow?.start.command, ["./till", "5"]);
    assert.equal(overflow.start.call, 0);
    assert.ok(tangent("seeds").stdout.includes(overflow.start.test ?? "nothing"));
  });

  it("the report has every start, without the test's bytes, and sums", () => {
    const { starts, paths, coverage } = resultOf("add");
    const kinds = starts.map(({ kind }) => kind);
    assert.deepEqual(
      kinds,
      [...kinds].sort((a, b) => ["input", "context", "types"].indexOf(a) - ["input", "context", "types"].indexOf(b)),
    );
    assert.ok(!kinds.includes("texts"), "it is given no text");
    assert.equal(kinds.filter((kind) => kind === "types").length, 1);
    assert.equal(
      starts.reduce((sum, start) => sum + start.paths, 0),
      paths,
    );
    assert.deepEqual(Object.keys(starts[0].description?.context ?? {}), ["call", "objects"]);
    assert.equal(coverage.coveredBlocks, coverage.blocks);
  });

  it("a text and its length stay together", () => {
    const { status, stdout } = tangent("unit", "dots");
    assert.equal(status, 0, stdout);
    assert.match(stdout, /where everything there is free: \d+ paths?/);
    assert.match(stdout, /in calls of tests no length is larger than the memory there: len\n/);
  });

  it("people are told how a failure was started, and where to ask further", () => {
    const { status, stdout } = tangent("unit", "add");
    assert.equal(status, 1);
    assert.match(stdout, /called by test `till( 5)?` \(call \d\)/);
    assert.match(stdout, /started {4}as in test `till 5` \(call 1\): what depends on its input is free/);
    assert.match(stdout, /started {4}as in test .*: everything there is free/);
    assert.match(stdout, /started {4}made by its types/);
    assert.match(stdout, /started {3}in \d calls of tests, where what depends on its input is free: \d+ paths/);
    assert.match(stdout, /`tangent compose --function add` asks the callers/);
  });

  it("--types is as without tests, --tests is without types", () => {
    const typed = resultOf("add", "--types");
    assert.ok(typed.failures.every(({ start }) => start.kind === "types"));
    assert.equal(kindAt(typed, NULL_USE), "types");
    assert.doesNotMatch(tangent("unit", "add", "--types").stdout, /started|called by/);
    const tested = resultOf("add", "--tests");
    assert.ok(tested.starts.every(({ kind }) => kind !== "types"));
    assert.equal(kindAt(tested, NULL_USE), undefined);
    assert.equal(kindAt(tested, OVERFLOW), "input");
    assert.equal(tangent("unit", "add", "--types", "--tests").status, 2);
  });

  it("the program may be named; sources are no program that was recorded", () => {
    assert.equal(kindAt(resultOf("add", "./till"), OVERFLOW), "input");
    assert.ok(resultOf("add", "till.c").starts.every(({ kind }) => kind === "types"));
    const { status, stderr } = tangent("unit", "add", "till.c", "--tests");
    assert.equal(status, TROUBLE_STATUS);
    assert.match(stderr, /no test of till\.c is recorded: `tangent record/);
  });

  it("what no test calls is made by its types, and --tests says what to do", () => {
    const { status, stdout } = tangent("unit", "unused");
    assert.equal(status, 1);
    assert.match(stdout, /none of 3 tests calls it: it is made by its types/);
    assert.doesNotMatch(stdout, /started/);
    const tested = tangent("unit", "unused", "--tests");
    assert.equal(tested.status, TROUBLE_STATUS);
    assert.match(tested.stderr, /^tangent unit: none of the 3 recorded tests calls unused\. Record a test that does/m);
  });

  it("C files are of what types make, also where a test's call was told; the rest is said to have none", () => {
    const { stderr } = tangent("unit", "add", "--export", "c", "made");
    // The first is beyond the limit that the program begins with.
    assert.match(stderr, /there is no C file of failure 1: it was found in a test's call/);
    assert.match(stderr, /made\/unit-add-2\.c reproduces failure 2, with arguments made by its types/);
    assert.match(stderr, /made\/unit-add-3\.c reproduces failure 3 \(not tried: it needs the program's objects\)\n/);
    assert.deepEqual(readdirSync(join(project, "made")).sort(), ["unit-add-2.c", "unit-add-3.c"]);
    assert.match(readFileSync(join(project, "made/unit-add-2.c"), "utf8"), /divided an integer by zero/);
  });

  it("stubs hold in calls of tests too", () => {
    const { starts, failures } = resultOf("main", "--tests", "--stub", "add");
    assert.ok(starts.length > 0);
    assert.ok(failures.every(({ stack }) => stack.every(({ line }) => line !== OVERFLOW && line !== DIVISION)));
  });
});
