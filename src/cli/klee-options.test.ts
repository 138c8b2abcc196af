import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPLORE_OPTIONS } from "./explore-options.js";
import { withoutKleeOptions } from "./klee-options.js";

function translated(line: string) {
  const result = withoutKleeOptions(EXPLORE_OPTIONS, line.split(" "));
  if (result.kind === "wrong") throw new Error(result.problem);
  return { line: result.words.join(" "), notes: result.notes };
}

test("klee options: what is ours by another word becomes that, with one dash or two, = or a word of its own", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["-output-dir=o --max-time=1min p.bc", "--output o --max-time 1min p.bc"],
    ["--output-dir o -exit-on-error p.bc", "--output o --stop-at-first p.bc"],
    ["-exit-on-error-type Assert p.bc", "--stop-at-first=assertion-failure p.bc"],
    ["--exit-on-error=false --check-overshift=0 p.bc", "p.bc"],
    ["--check-overshift p.bc", "--ubsan shift p.bc"],
    ["--search=dfs --seed-file a.ktest -search nurs:covnew p.bc", "--seed a.ktest --search dfs,covnew p.bc"],
    ["--max-depth=0 -max-time 0 p.bc", "p.bc"],
    ["--solver-backend=z3 --only-output-states-covering-new p.bc", "--solver z3 --only-new-tests p.bc"],
    ["-sym-args 0 2 3 --log-queries d -X -DN=3 -q p.bc", "-sym-args 0 2 3 --log-queries d -X -DN=3 -q p.bc"],
    // The program's own.
    ["--max-paths 3 p.bc --output-dir=x -optimize", "--max-paths 3 p.bc --output-dir=x -optimize"],
    ["-- p.bc --optimize", "-- p.bc --optimize"],
  ];
  for (const [klee, ours] of cases) assert.equal(translated(klee).line, ours);
});

test("klee options: what is needless is noted, with a reason", () => {
  const needless = [
    ...["--posix-runtime", "--libc=uclibc", "-libc uclibc", "--optimize", "--watchdog", "--external-calls=all"],
    ...["--simplify-sym-indices", "--emit-all-errors", "--write-cov", "--write-kqueries", "--write-paths"],
    ...["--use-cex-cache=false", "--use-batching-search", "--kdalloc", "--solver-backend=stp", "--max-memory=0"],
  ];
  for (const option of needless) {
    const { line, notes } = translated(`${option} p.bc`);
    assert.equal(line, "p.bc");
    assert.equal(notes.length, 1);
    assert.match(notes[0], /^-\S+: \S.{10}/);
  }
});

test("klee options: what changes the search and cannot be had is refused, with what to use instead", () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ["--max-forks=10", /--max-paths/],
    ["--max-sym-array-size=5000", /--store-cells/],
    ["--max-instructions 500", /--max-instructions-per-path/],
    ["--entry-point=f", /tangent unit/],
    ["--search=nurs:qc", /covnew/],
    ["--exit-on-error-type=Ptr", /--stop-at-first=KIND/],
    ["--replay-ktest-file=a.ktest", /tangent replay/],
    ["--check-div-zero=false", /--checks off/],
  ];
  for (const [option, instead] of refused) {
    const result = withoutKleeOptions(EXPLORE_OPTIONS, [...option.split(" "), "p.bc"]);
    assert.ok(result.kind === "wrong", option);
    assert.match(result.problem, instead);
  }
});
