// A project built by the user's own compiler: a makefile that ignores CC, shared libraries of its own, and one of the system whose sources
// tangent.toml names. Skipped where there is no gcc.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { findProject } from "../../src/project/project-folder.js";
import { SeedStore } from "../../src/project/seed-store.js";
import { recordedProgram } from "../../src/project/stand-ins.js";
import { ProjectState } from "../../src/project/state-folder.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tangent-host-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const { TANGENT_CC: _, ...rest } = process.env;
const env = { ...rest, TANGENT_STATE: join(folder, "state"), TANGENT_CC: "gcc" };
const has = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0;
const skip = has("gcc") && has("make") ? false : "there is no gcc, or no make";

function project(name: string, files: Readonly<Record<string, string>>): string {
  const root = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
function tangent(root: string, ...words: string[]): { readonly out: string; readonly errors: string } {
  const ended = spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: root, encoding: "utf8", env });
  assert.equal(ended.status, 0, ended.stderr);
  return { out: ended.stdout, errors: ended.stderr };
}
/** The copy that is analysed. */
function keptProgram(root: string): string {
  const [seed] = new SeedStore(findProject(root)).list();
  return recordedProgram(new ProjectState(root, env), seed) ?? "none";
}
const PROGRAM =
  '#include <stdio.h>\nint twice(int);\nint main(int argc, char **argv) { printf("%d\\n", twice(argc)); return 0; }\n';

describe("a project and the user's own compiler", { skip }, () => {
  it("a makefile that ignores CC is captured all the same", () => {
    const root = project("ignores", {
      "prog.c": "int main(void) { return 0; }\n",
      Makefile: "prog: prog.c\n\tgcc -o prog prog.c\ncheck: prog\n\t./prog\n",
    });
    assert.match(tangent(root, "init").errors, /make \(Makefile\)/);
    assert.match(tangent(root, "build").errors, /1 program built/);
    assert.match(tangent(root, "record").errors, /1 invocation recorded/);
  });

  it("its own shared library is analysed with the program, as it was when it was recorded", () => {
    const lib = "lib/libtwice.so: lib/twice.c\n\t$(CC) -shared -fPIC -g -o $@ $<\n";
    const prog =
      "bin/prog: prog.c lib/libtwice.so\n\t$(CC) -g -o $@ prog.c -Llib -ltwice '-Wl,-rpath,$$ORIGIN/../lib'\n";
    const root = project("library", {
      "prog.c": PROGRAM,
      "lib/twice.c": "int twice(int x) { return 2 * x; }\n",
      "bin/keep": "",
      Makefile: `all: bin/prog\n${lib}${prog}check: all\n\t./bin/prog 1 2\n`,
    });
    assert.doesNotMatch(tangent(root, "build").errors, /libraries of the system/);
    assert.match(tangent(root, "record").errors, /1 invocation recorded, 1 different, 1 of them new/);
    const first = keptProgram(root);
    assert.equal(tangent(root, "run", first, "1", "2").out, "6\n");
    writeFileSync(join(root, "lib/twice.c"), "int twice(int x) { return 3 * x; }\n");
    tangent(root, "build");
    // The program's own file is the same; with another library it is another program.
    assert.match(tangent(root, "record").errors, /1 of them new/);
    assert.equal(tangent(root, "run", first, "1", "2").out, "6\n");
  });

  it("a library of the system ends a run, unless its sources are named", () => {
    const sources = { "twice.c": "int twice(int x) { return x + x; }\n" };
    const library = project("libtwice", {
      ...sources,
      Makefile: "all:\n\t$(CC) -shared -fPIC -g -Wl,-soname,libtwice.so.7 -o libtwice.so.7 twice.c\n",
    });
    const installed = project("installed", sources);
    const words = ["-shared", "-fPIC", "-Wl,-soname,libtwice.so.7", "-o", "libtwice.so.7", "twice.c"];
    assert.equal(spawnSync("gcc", words, { cwd: installed }).status, 0);
    const place = join(installed, "libtwice.so.7");
    const root = project("user", {
      "prog.c": PROGRAM,
      "tangent.toml": `build = "$CC -g -o prog prog.c ${place}"\ntest = "LD_LIBRARY_PATH=${installed} ./prog 1 2"\n`,
    });
    const built = tangent(root, "build").errors;
    assert.match(built, /where a run ends that calls them: libtwice\.so\.7 \(1 program\)/);
    assert.match(built, /\[libraries\] twice = "DIR"/);
    const config = readFileSync(join(root, "tangent.toml"), "utf8");
    writeFileSync(join(root, "tangent.toml"), `${config}[libraries]\ntwice = "../libtwice"\n`);
    const again = tangent(root, "build").errors;
    assert.match(again, /building the library twice in /);
    assert.doesNotMatch(again, /where a run ends/);
    // Once is enough.
    assert.doesNotMatch(tangent(root, "build").errors, /building the library/);
    tangent(root, "record");
    assert.equal(tangent(root, "run", keptProgram(root), "1", "2").out, "6\n");
    writeFileSync(join(library, "twice.c"), "int twice(int x) { return 2 * x; }\n");
    assert.match(tangent(root, "build").errors, /building the library twice in /);
  });

  it("what another compiler has built in the copy is not taken for ours", () => {
    const root = project("anew", {
      "prog.c": "int main(void) { return 0; }\n",
      Makefile: "prog: prog.c\n\t$(CC) -o prog prog.c\n",
    });
    tangent(root, "build");
    assert.match(tangent(root, "build").errors, /is up to date/);
    const other = spawnSync("sh", [join(ROOT, "bin/tangent"), "build"], {
      cwd: root,
      encoding: "utf8",
      env: { ...env, TANGENT_CC: "embedded" },
    });
    assert.equal(other.status, 0, other.stderr);
    assert.match(other.stderr, /building from the beginning \(another compiler or another version of tangent\)/);
  });
});
