import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Seed } from "../seed.js";
import { seedId } from "../seed-store.js";
import { type RebindTarget, rebindSeeds, sortSeeds, testsIdentity } from "./rebind-seeds.js";

function seedOf(program: string, programContent: string, word: string, at = "2026-01-01"): Seed {
  const content = {
    program,
    programContent,
    arguments: [program, word],
    environment: ["A=b"],
    workingDirectory: "/p/.tangent/build/tests",
    umask: 0o22,
    stdin: { kind: "empty" },
    files: [],
    end: { kind: "exit", code: 0 },
  } as const;
  return { ...content, id: seedId(content), recorded: { at, milliseconds: 1, times: 1 } };
}

const TARGET: RebindTarget = {
  directory: "/p/.tangent/patch/new",
  programs: [
    { path: "/p/.tangent/patch/new/src/a", content: "new-a" },
    { path: "/p/.tangent/patch/new/src/b", content: "same-b" },
  ],
  earlier: ["/p", "/p/.tangent/build"],
};

describe("tests of an earlier build", () => {
  it("get the program as it is now, and another name", () => {
    const seed = seedOf("/p/.tangent/build/src/a", "old-a", "x");
    const [{ seed: rebound, from }, ...more] = rebindSeeds([seed], TARGET);
    assert.deepEqual(more, []);
    assert.equal(from, seed);
    assert.equal(rebound.program, "/p/.tangent/patch/new/src/a");
    assert.equal(rebound.programContent, "new-a");
    assert.notEqual(rebound.id, seed.id);
    assert.equal(rebound.id, seedId(rebound));
    assert.deepEqual(rebound.arguments, seed.arguments);
    assert.equal(rebound.workingDirectory, seed.workingDirectory);
  });

  it("of programs that are no more, or lie elsewhere, are left out", () => {
    const seeds = [seedOf("/p/.tangent/build/src/c", "c", "x"), seedOf("/q/src/a", "a", "x"), seedOf("/p/a", "a", "x")];
    assert.deepEqual(rebindSeeds(seeds, TARGET), []);
  });

  it("that become equal are one", () => {
    const seeds = [seedOf("/p/src/a", "1", "x"), seedOf("/p/src/a", "2", "x")];
    assert.equal(
      rebindSeeds(
        seeds.map((seed) => ({ ...seed, arguments: ["a"] })),
        TARGET,
      ).length,
      1,
    );
  });

  it("are needed only for programs that have none of their own, and only the last ones", () => {
    const seeds = [
      seedOf("/p/src/a", "older-a", "1", "2026-01-01"),
      seedOf("/p/.tangent/build/src/a", "older-a", "2", "2026-01-02"),
      seedOf("/p/.tangent/build/src/a", "old-a", "3", "2026-01-03"),
      seedOf("/p/.tangent/build/src/b", "same-b", "4", "2026-01-03"),
      seedOf("/p/.tangent/build/src/b", "other-b", "5", "2026-01-03"),
    ];
    const { own, others } = sortSeeds(seeds, TARGET);
    assert.deepEqual(own, [seeds[3]]);
    assert.deepEqual(others, [seeds[2]]);
  });
});

describe("what the tests are made of", () => {
  const files = new Map([
    ["src/a.c", "1"],
    ["tests/run.sh", "2"],
    ["unit_test.c", "3"],
    ["latest.c", "4"],
  ]);
  const changed = (path: string): boolean =>
    testsIdentity(new Map([...files, [path, "x"]]), "make check") !== testsIdentity(files, "make check");

  it("is what lies where tests lie, and the command", () => {
    assert.ok(changed("tests/run.sh"));
    assert.ok(changed("tests/new.c"));
    assert.ok(changed("unit_test.c"));
    assert.ok(!changed("src/a.c"));
    assert.ok(!changed("latest.c"));
    assert.notEqual(testsIdentity(files, "make check"), testsIdentity(files, "make test"));
  });
});
