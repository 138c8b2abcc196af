import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { searchPath } from "../../frontend/host-compiler.js";
import { ProjectState } from "../state-folder.js";
import { buildIdentity, builtBefore, noteBuilt } from "./build-stamp.js";
import { removeRepositories, temporaryFolder } from "./repository-fixture.js";

after(removeRepositories);

const EMBEDDED = { HOME: temporaryFolder(), PATH: process.env.PATH, TANGENT_CC: "embedded" };
const hasGcc = searchPath("gcc", process.env) !== null;

describe("a build that was done already", () => {
  const settings = { sources: "s", directory: "/d", script: "make", env: EMBEDDED };
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

  it("is another one with other sources, commands, compilers or settings", () => {
    const others = [
      { ...settings, sources: "x" },
      { ...settings, directory: "/x" },
      { ...settings, env: { ...EMBEDDED, CFLAGS: "-O2" } },
      ...(hasGcc ? [{ ...settings, env: { ...EMBEDDED, TANGENT_CC: "gcc" } }] : []),
    ];
    for (const other of others) assert.notEqual(buildIdentity(other), identity);
    assert.equal(buildIdentity({ ...settings, env: { ...EMBEDDED, TERM: "x" } }), identity);
  });
});
