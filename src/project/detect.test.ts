import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { type Detected, detectProject } from "./detect.js";

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});
function detect(files: Readonly<Record<string, string>>): Detected | null {
  const root = mkdtempSync(join(tmpdir(), "tangent-detect-"));
  made.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return detectProject(root);
}

describe("what kind of project a directory is", () => {
  it("autotools, with or without its configure script", () => {
    const ready = detect({ configure: "", "configure.ac": "", "Makefile.am": "" });
    assert.match(ready?.build ?? "", /\.\/configure .*&& make/);
    assert.equal(ready?.test, "make check");
    assert.match(detect({ "configure.ac": "" })?.build ?? "", /autoreconf -i\) && .*\.\/configure/);
    assert.match(detect({ "configure.ac": "", "autogen.sh": "" })?.build ?? "", /\.\/autogen\.sh\) && /);
  });

  it("CMake, whose tests must be declared", () => {
    assert.match(detect({ "CMakeLists.txt": "enable_testing()\n" })?.test ?? "", /^ctest/);
    const without = detect({ "CMakeLists.txt": "project(x C)\n" });
    assert.equal(without?.test, null);
    assert.equal(without?.notes.length, 1);
  });

  it("Meson", () => {
    assert.match(detect({ "meson.build": "" })?.test ?? "", /^meson test/);
  });

  it("make, by its target or by a script", () => {
    assert.equal(detect({ Makefile: "all:\n\ntest: all\n\tsh t\n" })?.test, "make test");
    assert.equal(detect({ Makefile: "check := 1\nall:\n", "tests/run.sh": "" })?.test, "sh tests/run.sh");
    assert.equal(detect({ Makefile: "all:\n" })?.test, null);
  });

  it("a C file with a directory of tests", () => {
    const one = detect({ "tool.c": "", "tests/a.sh": "", "tests/b.sh": "" });
    assert.equal(one?.build, "$CC -g -O1 -o tool tool.c");
    assert.match(one?.test ?? "", /^for test in tests\/\*\.sh/);
    assert.equal(detect({ "notes.txt": "" }), null);
  });
});
