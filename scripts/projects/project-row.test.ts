import assert from "node:assert/strict";
import { test } from "node:test";
import { namedVerdicts, otherVerdicts, type ProjectRow, projectTable } from "./project-row.js";

test("verdicts of ctest and of Meson", () => {
  const ctest = `      Start 1: parse
1/3 Test #1: parse ............................   Passed    0.01 sec
2/3 Test #2: long name ........................***Failed    0.02 sec
3/3 Test #3: none .............................***Not Run   0.00 sec
`;
  assert.deepEqual(
    [...namedVerdicts(ctest)],
    [
      ["parse", "pass"],
      ["long name", "fail"],
      ["none", "fail"],
    ],
  );
  const meson =
    " 1/3 proj:unit / a           OK              0.01s\n2/3 b  SKIP 0.1s\n3/3 c FAIL 0.0s   exit status 1\n";
  assert.deepEqual(
    [...namedVerdicts(meson)],
    [
      ["proj:unit / a", "pass"],
      ["b", "skip"],
      ["c", "fail"],
    ],
  );
});

test("a test that is missing with us is another verdict", () => {
  const plain = new Map([
    ["a", "pass"],
    ["b", "pass"],
  ]);
  assert.deepEqual(otherVerdicts(plain, new Map([["a", "pass"]])), ["b: pass, missing"]);
});

test("the table counts what builds, what ends the same, and what was checked", () => {
  const row: ProjectRow = {
    name: "x",
    system: "make (Makefile)",
    plainProblem: null,
    problem: null,
    plainTests: 3,
    plainPassed: 3,
    otherVerdicts: [],
    programs: 1,
    seeds: 3,
    checks: 10,
    findings: ["null-dereference x.c:3"],
    plainSeconds: 1,
    oursSeconds: 2,
    firstCheckSeconds: 30,
    notCaptured: [],
  };
  const table = projectTable([row, { ...row, name: "y", problem: "no rule", checks: 0 }]);
  assert.match(table, /\| x \| make \(Makefile\) \| yes \| 3 of 3 pass \| the same \| 3 \| 10 \| 1 \| 0\.5 min \|/);
  assert.match(table, /1 of 2 build, 1 have the verdicts of their plain build, 1 come to checks\./);
});
