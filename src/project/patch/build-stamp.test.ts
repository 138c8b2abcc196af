import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { ProjectState } from "../state-folder.js";
import { buildIdentity, builtBefore, noteBuilt } from "./build-stamp.js";
import { removeRepositories, temporaryFolder } from "./repository-fixture.js";

after(removeRepositories);

describe("a build that was done already", () => {
  const settings = { sources: "s", directory: "/d", script: "make", tools: "t", env: {} };
  const identity = buildIdentity(settings);

  it("stands as long as its programs do", () => {
    const root = temporaryFolder();
    const state = new ProjectState(root, { TANGENT_STATE: temporaryFolder() });
    const program = join(root, "prog");
    writeFileSync(program, "one");
    assert.equal(builtBefore(state, "new", identity), null);
    const [built] = noteBuilt(state, "new", identity, [program]);
    assert.equal(built.path, program);
    assert.deepEqual(builtBefore(state, "new", identity), [built]);
    assert.equal(builtBefore(state, "old", identity), null);
    assert.equal(builtBefore(state, "new", buildIdentity({ ...settings, script: "make -k" })), null);
    writeFileSync(program, "two");
    assert.equal(builtBefore(state, "new", identity), null);
    rmSync(program);
    assert.equal(builtBefore(state, "new", identity), null);
  });

  it("is another one with other sources, commands, tools or settings", () => {
    const others = [
      { ...settings, sources: "x" },
      { ...settings, directory: "/x" },
      { ...settings, tools: "x" },
      { ...settings, env: { CFLAGS: "-O2" } },
    ];
    for (const other of others) assert.notEqual(buildIdentity(other), identity);
    assert.equal(buildIdentity({ ...settings, env: { TERM: "x" } }), identity);
  });
});
