import assert from "node:assert/strict";
import { test } from "node:test";
import { programsNamed } from "./chosen-programs.js";
import { isNamed, unknownName } from "./program-option.js";

const COPY = "/home/u/proj/.tangent/build";

test("--program: a program is named by its file's name, by the end of its path, or by all of it", () => {
  for (const name of ["sort", "src/sort", "./src/sort", "../src/sort", "build/src/sort", `${COPY}/src/sort`]) {
    assert.ok(isNamed(`${COPY}/src/sort`, name), name);
  }
  for (const name of ["ort", "rc/sort", "lib/sort", "/src/sort", "sort.c", ""]) {
    assert.ok(!isNamed(`${COPY}/src/sort`, name), name);
  }
});

test("--program: what libtool hides is found by the name that users know", () => {
  for (const path of [`${COPY}/src/.libs/png`, `${COPY}/src/.libs/lt-png`, `${COPY}/src/lt-png`]) {
    assert.ok(isNamed(path, "png"), path);
    assert.ok(isNamed(path, "src/png"), path);
  }
});

test("--program: a name that nothing has is told, with the names there are", () => {
  const paths = [`${COPY}/a`, `${COPY}/x/b`, `${COPY}/y/b`];
  assert.equal(unknownName(["a", "b"], paths), null);
  assert.equal(unknownName(["a", "c"], paths), "--program c: there is no such program; the programs are a, b");
  assert.match(unknownName(["c"], []) ?? "", /there is none at all$/);
});

test("--program: several may have one name, and a path may lead elsewhere", () => {
  const paths = [`${COPY}/a`, `${COPY}/x/b`, `${COPY}/y/b`];
  assert.deepEqual(programsNamed([], paths), { kind: "programs", programs: paths });
  assert.deepEqual(programsNamed(["b"], paths), { kind: "programs", programs: paths.slice(1) });
  assert.deepEqual(programsNamed(["y/b", "a"], paths), { kind: "programs", programs: [paths[2], paths[0]] });
  assert.deepEqual(programsNamed(["/bin/sh"], paths), { kind: "programs", programs: ["/bin/sh"] });
  assert.equal(programsNamed(["/bin/no-such-program"], paths).kind, "wrong");
  assert.equal(programsNamed(["sh"], paths).kind, "wrong");
});
