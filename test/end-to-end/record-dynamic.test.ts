// Programs with shared libraries are recorded as others are: what the loader and the locales look at is not the test's input, libraries that
// are found by the program's own place are still found, LD_LIBRARY_PATH stays with the test, and valgrind is left in peace.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { findProject } from "../../src/project/project-folder.js";
import type { Seed } from "../../src/project/seed.js";
import { SeedStore } from "../../src/project/seed-store.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "tangent-dynamic-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function run(directory: string, program: string, ...words: string[]) {
  const env = { ...process.env, TANGENT_STATE: join(folder, "state"), LANG: "C.UTF-8", LD_LIBRARY_PATH: "" };
  return spawnSync(program, words, { cwd: directory, encoding: "utf8", env });
}
const tangent = (directory: string, ...words: string[]) => run(directory, "sh", join(ROOT, "bin/tangent"), ...words);
const has = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0;
const skip = has("gcc") ? false : "there is no gcc";

const LIBRARY = "int twice(int x) { return 2 * x; }\n";
const PROGRAM = `#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
int twice(int);
int main(int argc, char **argv) {
  setlocale(LC_ALL, "");
  FILE *file = argc > 1 ? fopen(argv[1], "r") : 0;
  printf("%d\\n", twice(file ? getc(file) : 0));
  return getenv("NOTHING") != 0;
}
`;

/** A program below `bin` that finds its library below `lib` by words for the linker. */
function project(name: string, ...words: string[]): string {
  const root = join(folder, name);
  for (const part of ["bin", "lib"]) mkdirSync(join(root, part), { recursive: true });
  writeFileSync(join(root, "lib.c"), LIBRARY);
  writeFileSync(join(root, "prog.c"), PROGRAM);
  writeFileSync(join(root, "data"), "A");
  assert.equal(run(root, "gcc", "-shared", "-fPIC", "-o", "lib/libtwice.so", "lib.c").status, 0);
  assert.equal(run(root, "gcc", "-o", "bin/prog", "prog.c", "-Llib", "-ltwice", ...words).status, 0);
  return root;
}
function record(
  root: string,
  script: string,
): { readonly out: string; readonly errors: string; readonly seeds: Seed[] } {
  const before = readFileSync(join(root, "bin/prog"));
  const { stdout, stderr } = tangent(root, "record", "--program", "bin/prog", "--", "sh", "-c", script);
  assert.deepEqual(readFileSync(join(root, "bin/prog")), before);
  assert.deepEqual(readdirSync(join(root, "bin")), ["prog"]);
  return { out: stdout, errors: stderr, seeds: [...new SeedStore(findProject(root)).list()] };
}

describe("recording programs with shared libraries", { skip }, () => {
  it("what the loader looks at is not the test's input, and LD_LIBRARY_PATH stays with the test", () => {
    const root = project("path");
    const { out, errors, seeds } = record(root, `LD_LIBRARY_PATH=${join(root, "lib")} ./bin/prog data`);
    assert.equal(out, "130\n", errors);
    assert.equal(seeds.length, 1);
    assert.deepEqual(
      seeds[0].files.map(({ path }) => path),
      [join(root, "data")],
    );
    const looked = (seeds[0].tree ?? []).map(({ path }) => path);
    assert.ok(!looked.some((path) => /\.so|locale|\/lib$/.test(path)), looked.join(" "));
    assert.ok(seeds[0].environment.includes(`LD_LIBRARY_PATH=${join(root, "lib")}`));
  });

  it("a library that only the tests' LD_LIBRARY_PATH leads to is part of the program", () => {
    const root = join(folder, "makefile");
    for (const part of ["bin", "lib"]) mkdirSync(join(root, part), { recursive: true });
    writeFileSync(join(root, "lib.c"), "static int t[66];\nint twice(int x) { return t[x & 127]; }\n");
    writeFileSync(join(root, "prog.c"), PROGRAM);
    writeFileSync(join(root, "data"), "A");
    const cc = (...words: string[]): void => {
      const { status, stderr } = tangent(root, "cc", "--cc", "gcc", "-g", ...words);
      assert.equal(status, 0, stderr);
    };
    cc("-shared", "-fPIC", "-Wl,-soname,libtwice.so.1", "-o", "lib/libtwice.so", "lib.c");
    symlinkSync("libtwice.so", join(root, "lib/libtwice.so.1"));
    cc("-o", "bin/prog", "prog.c", "-Llib", "-ltwice");
    const script = "cd bin && LD_LIBRARY_PATH=../lib ./prog ../data";
    const { status, stdout, stderr } = tangent(root, "test", "--time", "20s", "-j", "1", "--", "sh", "-c", script);
    assert.equal(status, 1, stdout + stderr);
    assert.match(stdout + stderr, /global-buffer-overflow[\s\S]*#0 twice lib\.c:2/);
  });

  it("a library found by the program's own place is still found", () => {
    const root = project("origin", "-Wl,-rpath,$ORIGIN/../lib");
    const { out, errors, seeds } = record(root, "./bin/prog data");
    assert.equal(out, "130\n", errors);
    assert.equal(seeds.length, 1);
  });

  it("by an absolute path, by timeout, by a script", () => {
    const root = project("ways", `-Wl,-rpath,${join(folder, "ways/lib")}`);
    writeFileSync(join(root, "script"), '#!/bin/sh\nexec "$(dirname "$0")/bin/prog" "$@"\n', { mode: 0o755 });
    const { out, seeds } = record(root, `${join(root, "bin/prog")} data; timeout 60 bin/prog data x; ./script data y`);
    assert.equal(out, "130\n130\n130\n");
    assert.equal(seeds.length, 3);
  });

  it("under valgrind it runs as ever; that its files are missing is said", {
    skip: has("valgrind") ? false : "there is no valgrind",
  }, () => {
    const root = project("valgrind", `-Wl,-rpath,${join(folder, "valgrind/lib")}`);
    const words = "--trace-children=yes --leak-check=full --log-file=vg.out";
    const { out, errors, seeds } = record(root, `valgrind ${words} ./bin/prog data`);
    assert.equal(out, "130\n", errors);
    assert.match(readFileSync(join(root, "vg.out"), "utf8"), /Command: .*prog data[\s\S]*ERROR SUMMARY: 0 errors/);
    assert.equal(seeds.length, 1);
    assert.match(errors, /1 was run by valgrind: the files and pipes they read are missing/);
  });
});

describe("recording without a command", () => {
  it("takes the one of tangent.toml, and runs it in the copy that was built; also from inside of it", () => {
    const root = join(folder, "toml");
    mkdirSync(join(root, "sub"), { recursive: true });
    writeFileSync(join(root, "sub/keep"), "");
    writeFileSync(join(root, "prog.c"), "int main(int argc, char **argv) { return argc - 2; }\n");
    writeFileSync(join(root, "tangent.toml"), 'build = "$CC -g -o prog prog.c"\ntest = "./prog here"\n');
    assert.match(tangent(root, "record").stderr, /no program built by tangent cc/);
    const built = tangent(root, "build");
    assert.equal(built.status, 0, built.stderr);
    const recorded = tangent(root, "record");
    assert.equal(recorded.status, 0, recorded.stderr);
    assert.match(recorded.stderr, /1 invocation recorded, 1 different, 1 of them new/);
    const inside = tangent(join(root, ".tangent/build"), "record");
    assert.match(inside.stderr, /1 invocation recorded/);
    // A command of the user's: in the folder of the copy that corresponds to this one.
    const given = tangent(join(root, "sub"), "record", "--", "../prog", "sub");
    assert.equal(given.status, 0, given.stderr);
    assert.match(given.stderr, /1 invocation recorded/);
  });

  it("a program that the command builds anew, over its stand-in, is recorded by running the tests once more", () => {
    const root = join(folder, "anew");
    mkdirSync(root);
    writeFileSync(join(root, "prog.c"), "int main(int argc, char **argv) { return argc - 2; }\n");
    assert.equal(run(root, "sh", "-c", `sh ${join(ROOT, "bin/tangent")} cc -o prog prog.c`).status, 0);
    // Not by our link step, which would tell of it.
    writeFileSync(join(root, "template"), readFileSync(join(root, "prog")), { mode: 0o644 });
    const script = "test -e built || { cp template new && chmod +x new && mv new prog && touch built; }; ./prog 1";
    const recorded = tangent(root, "record", "--", "sh", "-c", script);
    assert.equal(recorded.status, 0, recorded.stderr);
    assert.match(recorded.stderr, /run once more, to record 1 program that the command built anew/);
    assert.match(recorded.stderr, /1 invocation recorded/);
  });

  it("programs that the tests link themselves are recorded at once", () => {
    const root = join(folder, "made");
    mkdirSync(root);
    writeFileSync(join(root, "prog.c"), "int main(int argc, char **argv) { return argc - 2; }\n");
    const make =
      "all: prog\nprog: prog.c\n\t$(CC) -o $@ $<\ncheck: all\n\ttest -f own || $(CC) -o own prog.c\n\t./own 1\n";
    writeFileSync(join(root, "Makefile"), make);
    assert.equal(tangent(root, "build").status, 0);
    const recorded = tangent(root, "record");
    assert.equal(recorded.status, 0, recorded.stderr);
    assert.doesNotMatch(recorded.stderr, /once more/);
    assert.match(recorded.stderr, /1 invocation recorded/);
    assert.match(tangent(root, "seeds").stdout, /own 1/);
  });

  it("a build that makes no program lets the tests make them", () => {
    const root = join(folder, "check");
    mkdirSync(root);
    writeFileSync(join(root, "t.c"), "int main(void) { return 0; }\n");
    writeFileSync(join(root, "Makefile"), "all:\n\ncheck:\n\tcd . && $(CC) -o t-own t.c && ./t-own\n");
    const built = tangent(root, "build");
    assert.equal(built.status, 0, built.stderr);
    assert.match(built.stderr, /the tests may make theirs, so they are run once/);
    rmSync(join(root, ".tangent/build/t-own"));
    writeFileSync(join(root, "Makefile"), "all:\n\t$(CC) -c t.c\n\tar r libt.a t.o\n");
    const library = tangent(root, "build");
    assert.equal(library.status, 3);
    assert.match(library.stderr, /made no program with tangent cc: it made a library and no program/);
  });

  it("a build that fails says why", () => {
    const root = join(folder, "fails");
    mkdirSync(root);
    writeFileSync(join(root, "a.c"), "#include <no-such-header.h>\nint main(void) { return 0; }\n");
    const { status, stderr } = tangent(root, "build");
    assert.equal(status, 3);
    assert.match(stderr, /its last error:\n.*a\.c:1:10: fatal error:/);
    assert.match(stderr, /that is: the header no-such-header\.h is not on this machine/);
  });
});
