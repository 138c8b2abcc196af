// Programs with shared libraries of their own, built by `tangent cc` with the user's compiler; skipped where there is none.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { captureSummary } from "./capture-summary.js";
import { contentHash } from "./content-hash.js";
import { keptContent, programContent } from "./program-content.js";
import { keepProgram } from "./stand-ins.js";
import { ProjectState } from "./state-folder.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "tangent-content-"));
after(() => rmSync(root, { recursive: true, force: true }));

const env = { ...process.env, TANGENT_CC: "gcc", TANGENT_STATE: join(root, "state") };
const skip = spawnSync("gcc", ["--version"]).status === 0 ? false : "there is no gcc";
function cc(...words: string[]): void {
  const { status, stderr } = spawnSync("sh", [TANGENT, "cc", ...words], { cwd: root, env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}
function buildLibrary(factor: number, compile = cc): void {
  writeFileSync(join(root, "lib.c"), `int times(int x) { return ${factor} * x; }\n`);
  compile("-shared", "-fPIC", "-Wl,-soname,libtimes.so.1", "-o", "libtimes.so.1", "lib.c");
}

describe("what a program is made of", { skip }, () => {
  it("its libraries count, and are kept with it", () => {
    buildLibrary(2);
    writeFileSync(join(root, "prog.c"), "int times(int);\nint main(int argc, char **argv) { return times(argc); }\n");
    cc("-g", "-o", "prog", "prog.c", "libtimes.so.1", "-Wl,-rpath,$ORIGIN");
    const program = join(root, "prog");
    const first = programContent(program);
    assert.deepEqual(first?.libraries, [{ name: "libtimes.so.1", path: join(root, "libtimes.so.1") }]);
    const state = new ProjectState(root, env);
    const kept = keepProgram(state, program, first, statSync(program).mode);
    assert.equal(keptContent(kept), first.content);
    assert.notEqual(first.content, contentHash(program));
    // In its folder it is whole: the same program, found again with its library.
    assert.equal(programContent(kept)?.content, first.content);
    assert.deepEqual(
      programContent(kept)?.libraries.map(({ path }) => dirname(path)),
      [dirname(kept)],
    );
    buildLibrary(3);
    assert.notEqual(programContent(program)?.content, first.content);
    assert.equal(keptContent(kept), first.content);
  });

  it("a library without IR is the system's, unless another one stands for it", () => {
    buildLibrary(2, (...words) => assert.equal(spawnSync("gcc", words, { cwd: root }).status, 0));
    const program = join(root, "prog");
    assert.equal(programContent(program)?.content, contentHash(program));
    const lines = captureSummary([program], [], new Map([["libtimes.so.1", 3]]));
    assert.match(
      lines.join("\n"),
      /where a run ends that calls them: libtimes\.so\.1 \(1 program, where 3 tests ended last time\)/,
    );
    assert.match(lines.join("\n"), /\[libraries\] times = "DIR"/);
    const folder = join(root, "standing");
    mkdirSync(folder);
    writeFileSync(join(root, "other.c"), "int times(int x) { return x + x; }\n");
    cc("-shared", "-fPIC", "-Wl,-soname,libtimes.so.1", "-o", join(folder, "libtimes.so.1"), "other.c");
    assert.deepEqual(captureSummary([program], [folder], new Map()), []);
    assert.deepEqual(programContent(program, [folder])?.libraries, [
      { name: "libtimes.so.1", path: join(folder, "libtimes.so.1") },
    ]);
  });

  it("a program without libraries is its own bytes", () => {
    writeFileSync(join(root, "alone.c"), "int main(void) { return 0; }\n");
    cc("-o", "alone", "alone.c");
    assert.deepEqual(programContent(join(root, "alone")), { content: contentHash(join(root, "alone")), libraries: [] });
    assert.equal(programContent(join(root, "nothing")), null);
  });
});
