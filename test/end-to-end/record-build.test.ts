// Tests that build their programs each time they run, as many small makefiles do: what `tangent cc` links while they are recorded is
// recorded from its first start on, whoever called it; what builds otherwise is told.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const BIN = join(ROOT, "bin");
const top = mkdtempSync(join(tmpdir(), "tangent-record-build-"));
after(() => rmSync(top, { recursive: true, force: true }));

const SOURCE = `#include <stdio.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  int n = argc > 1 ? argv[1][0] - '0' : 0;
  if (n < 0) return 1;
  printf("%c\\n", letters[n]);
  return 0;
}
`;
const MAKEFILE = `all: clean prog
clean:
\trm -f prog
prog: prog.c
\t$(CC) -g -o prog prog.c
check: all
\ttest "$$(./prog 3)" = d
\ttest "$$(./prog 4)" = e
`;
const BUILDS = `set -e
tangent cc -g -o prog prog.c
test "$(./prog 3)" = d
test "$(./prog 4)" = e
`;

function project(name: string, files: Readonly<Record<string, string>>): string {
  const directory = join(top, name);
  mkdirSync(directory);
  for (const [file, text] of Object.entries({ "prog.c": SOURCE, ...files })) writeFileSync(join(directory, file), text);
  return directory;
}

function tangent(cwd: string, ...words: string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, TANGENT_CC: "embedded", PATH: `${BIN}:${process.env.PATH}` };
  return spawnSync(join(BIN, "tangent"), words, { encoding: "utf8", cwd, env });
}

const has = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined;
const isWhole = (directory: string): boolean =>
  existsSync(join(directory, "prog")) &&
  !readFileSync(join(directory, "prog"), "latin1").includes("TANGENT-STAND-IN") &&
  !readdirSync(directory).some((name) => name.startsWith(".tangent-moved"));

describe("recording tests that build", () => {
  it("a script that calls the compiler, with nothing built before, and again", () => {
    const directory = project("script", { "tests.sh": BUILDS });
    for (const fresh of [2, 0]) {
      const { status, stderr } = tangent(directory, "record", "--", "sh", "tests.sh", "tangent");
      assert.equal(status, 0, stderr);
      assert.match(stderr, new RegExp(`2 invocations recorded, 2 different, ${fresh} of them new`));
      assert.doesNotMatch(stderr, /once more|has no tests/);
      assert.ok(isWhole(directory));
    }
    assert.equal(spawnSync(join(directory, "prog"), ["2"], { encoding: "utf8" }).stdout, "c\n");
  });

  it("a target of make that always builds: found in the first run", { skip: has("make") ? false : "no make" }, () => {
    const directory = project("make", { Makefile: MAKEFILE });
    assert.equal(tangent(directory, "cc", "-g", "-o", "prog", "prog.c").status, 0);
    const { status, stdout, stderr } = tangent(
      directory,
      "test",
      "--time",
      "20s",
      "--",
      "make",
      "check",
      "CC=tangent cc",
    );
    assert.equal(status, 1, stderr);
    assert.match(stderr, /2 invocations recorded, 2 different/);
    assert.match(stdout, /global-buffer-overflow/);
    assert.ok(isWhole(directory));
  });

  it("the program of before and the one that is linked then: each run belongs to its own", () => {
    const directory = project("both", { "tests.sh": `./prog 1 >/dev/null\n${BUILDS}` });
    assert.equal(tangent(directory, "cc", "-O1", "-o", "prog", "prog.c").status, 0);
    const { stderr } = tangent(directory, "record", "--", "sh", "tests.sh");
    assert.match(stderr, /3 invocations recorded/);
    const seeds = readdirSync(join(directory, ".tangent/seeds")).map((name) => {
      const text = readFileSync(join(directory, ".tangent/seeds", name), "utf8");
      const { arguments: words, programContent } = JSON.parse(text) as { arguments: string[]; programContent: string };
      return [words[1], programContent] as const;
    });
    const contents = new Map(seeds);
    assert.notEqual(contents.get("1"), contents.get("3"));
    assert.equal(contents.get("3"), contents.get("4"));
    assert.ok(isWhole(directory));
  });

  it("a build that strips what it has linked runs the program all the same", { skip: !has("strip") }, () => {
    const stripped = BUILDS.replace("prog.c\n", "prog.c\nstrip prog\n");
    const directory = project("strip", { "tests.sh": stripped });
    const { status, stderr } = tangent(directory, "record", "--", "sh", "tests.sh", "tangent");
    assert.equal(status, 0, stderr);
    assert.ok(isWhole(directory), "the program itself is there in the end");
  });

  it("what is built by another linker each time is told, instead of that there are no tests", () => {
    const copies = `set -e\ncp template fresh\nmv fresh prog\ntest "$(./prog 3)" = d\n`;
    const directory = project("copy", { "tests.sh": copies });
    assert.equal(tangent(directory, "cc", "-g", "-o", "prog", "prog.c").status, 0);
    assert.equal(tangent(directory, "cc", "-g", "-o", "template.out", "prog.c").status, 0);
    writeFileSync(join(directory, "template"), readFileSync(join(directory, "template.out")), { mode: 0o755 });
    rmSync(join(directory, "template.out"));
    const { stderr } = tangent(directory, "record", "--program", "prog", "--", "sh", "tests.sh");
    assert.match(stderr, /the tests build \S*prog anew each time they run, and not by tangent cc/);
    assert.doesNotMatch(stderr, /has no tests/);
  });
});
