import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { copySources } from "./build-copy.js";
import { renewCopy } from "./copy-stamp.js";
import { ProjectFolder } from "./project-folder.js";
import { ProjectState } from "./state-folder.js";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
function project(): { readonly folder: ProjectFolder; readonly state: ProjectState; readonly env: NodeJS.ProcessEnv } {
  const root = mkdtempSync(join(tmpdir(), "tangent-stamp-"));
  made.push(root);
  const env = { ...process.env, TANGENT_STATE: join(root, "state"), TANGENT_CC: "embedded" };
  mkdirSync(join(root, "p"));
  return { folder: new ProjectFolder(join(root, "p")), state: new ProjectState(join(root, "p"), env), env };
}

describe("what the build copy was made with", () => {
  it("the same again changes nothing; another command, other settings begin anew", () => {
    const { folder, state, env } = project();
    const left = join(folder.directory("build"), "config.status");
    const renew = (script: string, more: NodeJS.ProcessEnv = {}, anew = false): string => {
      const reason = renewCopy(folder, state, { script, env: { ...env, ...more }, anew });
      const isThere = existsSync(left);
      assert.equal(isThere, reason === "");
      writeFileSync(join(folder.directory("build"), "config.status"), "");
      return reason;
    };
    writeFileSync(left, "");
    // Left by a tangent that kept no stamp.
    assert.match(renew("make"), /not known how it was built/);
    assert.equal(renew("make"), "");
    assert.match(renew("make CFLAGS=-g"), /another build command/);
    assert.match(renew("make CFLAGS=-g", { CFLAGS: "-O3" }), /other settings/);
    assert.equal(renew("make CFLAGS=-g", { CFLAGS: "-O3" }), "");
    assert.match(renew("make CFLAGS=-g", { CFLAGS: "-O3" }, true), /--anew/);
  });

  it("what is gone from the sources goes from the copy, and nothing else does", () => {
    const { folder, state } = project();
    const write = (name: string): void => {
      mkdirSync(join(folder.root, name, ".."), { recursive: true });
      writeFileSync(join(folder.root, name), name);
    };
    for (const name of ["a.c", "b.c", "sub/c.c", "sub/d.c"]) write(name);
    const { directory } = copySources(folder, state);
    writeFileSync(join(directory, "b.o"), "made by the build");
    const outside = join(folder.root, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "c.c"), "not ours");
    rmSync(join(directory, "sub"), { recursive: true });
    symlinkSync(outside, join(directory, "sub"));
    rmSync(join(folder.root, "b.c"));
    rmSync(join(folder.root, "sub"), { recursive: true });
    copySources(folder, state);
    assert.equal(existsSync(join(directory, "b.c")), false);
    assert.ok(existsSync(join(directory, "a.c")));
    assert.ok(existsSync(join(directory, "b.o")));
    assert.ok(existsSync(join(outside, "c.c")));
  });

  it("folders that cmake or meson has built in are no sources", () => {
    const { folder, state } = project();
    for (const name of ["a.c", "out/CMakeCache.txt", "out/x.c", "m/meson-private/y", "m/z.c", "src/b.c"]) {
      mkdirSync(join(folder.root, name, ".."), { recursive: true });
      writeFileSync(join(folder.root, name), "");
    }
    assert.equal(copySources(folder, state).files, 2);
  });
});
