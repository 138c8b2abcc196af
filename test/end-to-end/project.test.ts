// A project from `tangent init` to findings, and what happens when something is wrong with it: clear words, the right exit
// status, and a tree that is as it was.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TANGENT = join(ROOT, "bin/tangent");
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static char letters[] = "abcdefghij";
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  printf("%c\\n", letters[atoi(argv[1])]);
  return getchar() == 'x';
}
`;
const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "tangent-project-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
function tangent(folder: string, ...words: string[]) {
  return spawnSync("sh", [TANGENT, ...words], { cwd: folder, encoding: "utf8" });
}
/** Of everything but what is ours. */
function digest(folder: string): string {
  const hash = createHash("sha256");
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !relative(folder, path).startsWith(".tangent"));
  for (const path of entries.sort()) hash.update(path).update(readFileSync(path));
  return hash.digest("hex");
}
const MAKEFILE = "prog: prog.c\n\t$(CC) -g -o prog prog.c\ncheck: prog\n\ttest `./prog 03` = d\n";

describe("a project", () => {
  it("init, then test: built in a copy, its tests run there, its own files untouched", () => {
    const folder = project({ "prog.c": PROGRAM, Makefile: MAKEFILE });
    const init = tangent(folder, "init");
    assert.equal(init.status, 0, init.stderr);
    assert.match(init.stderr, /make \(Makefile\)/);
    assert.match(readFileSync(join(folder, "tangent.toml"), "utf8"), /^test = "make -k check"$/m);
    assert.equal(tangent(folder, "init").status, 2);
    const before = digest(folder);
    const test = tangent(folder, "test", "--time", "60s", "--distance", "1");
    assert.equal(test.status, 1, test.stderr);
    assert.match(test.stdout, /global-buffer-overflow/);
    assert.match(test.stdout, /prog\.c:6/);
    assert.equal(digest(folder), before);
  });

  it("a single C file with a script in tests needs no configuration", () => {
    const folder = project({ "prog.c": PROGRAM, "tests/run.sh": "./prog 3 | grep -q d\n" });
    const { status, stderr, stdout } = tangent(folder, "test", "--time", "60s", "--distance", "0");
    assert.ok(status === 0 || status === 1, stderr);
    assert.match(`${stderr}${stdout}`, /1 invocation recorded/);
    assert.equal(existsSync(join(folder, "prog")), false);
  });

  it("a configuration with a mistake, a build that fails, one that does not use our compiler", () => {
    const folder = project({ "prog.c": PROGRAM, "tangent.toml": 'tset = "make check"\n' });
    const wrong = tangent(folder, "test");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /tangent\.toml: there is no key tset/);
    writeFileSync(join(folder, "tangent.toml"), 'build = "echo no such thing; exit 7"\ntest = "true"\n');
    const failed = tangent(folder, "test");
    assert.equal(failed.status, 3);
    assert.match(failed.stderr, /build ended with status 7/);
    writeFileSync(join(folder, "tangent.toml"), 'build = "true"\ntest = "true"\n');
    const foreign = tangent(folder, "test");
    assert.equal(foreign.status, 3);
    assert.match(foreign.stderr, /made no program with tangent cc/);
  });

  it("a test command that starts none of the programs", () => {
    const folder = project({ "prog.c": PROGRAM });
    const { status, stderr } = tangent(folder, "test", "--", "sh", "-c", "exit 4");
    assert.equal(status, 3, stderr);
    assert.match(stderr, /started none of/);
    assert.match(stderr, /status 4/);
  });

  it("a seed whose content has vanished is told and passed over", () => {
    const folder = project({ "prog.c": PROGRAM });
    const script = "echo 1 | ./prog 1; ./prog 2";
    assert.equal(tangent(folder, "build").status, 0);
    const words = ["-c", `cd .tangent/build && ${script}`];
    const built = join(folder, ".tangent/build/prog");
    const recorded = tangent(folder, "record", "--program", built, "--", "sh", ...words);
    assert.equal(recorded.status, 0, recorded.stderr);
    rmSync(join(folder, ".tangent/blobs"), { recursive: true });
    const { status, stderr } = tangent(folder, "amplify", "--distance", "0", "--time", "30s");
    assert.ok(status === 0 || status === 1, stderr);
    assert.match(stderr, /standard input was recorded but is no longer in .tangent\/blobs/);
  });

  it("a suite that hangs is ended by Ctrl-C: the programs are back, and what was recorded is kept", async () => {
    const folder = project({ "prog.c": PROGRAM });
    assert.equal(tangent(folder, "cc", "-g", "-o", "prog", "prog.c").status, 0);
    const before = digest(folder);
    const words = [
      join(ROOT, "dist/src/cli/main.js"),
      "test",
      "--",
      "sh",
      "-c",
      "./prog 1; touch .tangent/ready; sleep 60",
    ];
    const hung = spawn(process.execPath, words, { cwd: folder, stdio: "ignore" });
    for (let i = 0; i < 600 && !existsSync(join(folder, ".tangent/ready")); i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const ended = new Promise((resolve) => hung.once("exit", resolve));
    hung.kill("SIGINT");
    setTimeout(() => hung.kill("SIGINT"), 1000);
    assert.equal(await ended, 130);
    assert.equal(digest(folder), before);
    assert.match(tangent(folder, "seeds").stdout, /prog 1/);
  });

  it("a second tangent is refused while the first is at work; a killed one leaves nothing behind", async () => {
    const folder = project({ "prog.c": PROGRAM });
    assert.equal(tangent(folder, "cc", "-g", "-o", "prog", "prog.c").status, 0);
    const before = digest(folder);
    const first = spawn("sh", [TANGENT, "test", "--", "sh", "-c", "./prog 1; touch .tangent/ready; sleep 60"], {
      cwd: folder,
      stdio: "ignore",
      detached: true,
    });
    for (let i = 0; i < 600 && !existsSync(join(folder, ".tangent/ready")); i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const second = tangent(folder, "amplify");
    assert.equal(second.status, 3);
    assert.match(second.stderr, /`tangent test` \(process \d+\) is at work/);
    process.kill(-(first.pid ?? 0), "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const third = tangent(folder, "record", "--restore");
    assert.equal(third.status, 0, third.stderr);
    assert.match(third.stderr, /1 program put back/);
    assert.equal(digest(folder), before);
  });
});
