// `tangent patch` and `tangent reach` as a user calls them, up to the search: what is compared, how the versions are built, which tests are
// used, and what is told when something is missing.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import {
  buildVersion,
  openPatchProject,
  type PatchProject,
  programPlaces,
  testsFor,
} from "../../src/cli/patch-project.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
int main(void) {
  int c = getchar();
  printf("%d\\n", c);
  return 0;
}
`;
const USAGE = 2;
const TROUBLE = 3;

const top = mkdtempSync(join(tmpdir(), "tangent-patched-"));
const project = join(top, "project");
after(() => rmSync(top, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}
function git(...words: string[]): void {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const { status, stderr } = spawnSync("git", [...who, ...words], { cwd: project, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}
const tangent = (words: readonly string[], cwd = project, input = "") =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd, encoding: "utf8", input });

describe("tangent patch, up to its search", () => {
  before(() => {
    mkdirSync(project);
    write("src/prog.c", PROGRAM);
    write("tests/run.sh", "echo b | src/prog\n");
    write("tangent.toml", 'build = "$CC -g -o src/prog src/prog.c"\ntest = "sh tests/run.sh"\n');
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
  });

  it("wrong calls are told", () => {
    const wrong: readonly (readonly [words: readonly string[], told: string])[] = [
      [["patch", "--staged", "HEAD"], "tangent patch: HEAD and --staged: one patch at a time"],
      [["patch", "--each"], "tangent patch: --each goes through a range of commits: tangent patch --each A..B"],
      [
        ["patch", "--each", "HEAD"],
        "tangent patch: --each goes through a range of commits, and HEAD is none: REV1..REV2",
      ],
      [
        ["patch", "--without", "luck"],
        "tangent patch: --without luck: the parts are exploration, regeneration, definitions, moves, preconditions, points-to",
      ],
      [["patch", "--again"], "tangent patch: --again is for --each: everything else is done anew anyway"],
      [["patch", "--diff", "none.diff"], "tangent patch: --diff none.diff: there is no such file"],
      [["patch", "--config", "none.toml"], "tangent patch: --config none.toml: there is no such file"],
      [
        ["patch", "--export-style", "tap"],
        "tangent patch: --export-style says how --export DIR writes its tests: give both",
      ],
      [["patch", "--workers", "100"], "tangent patch: --workers: at most 64"],
      [["reach", "src/none.c:3"], `tangent reach: there is no file src/none.c in ${realpathSync(project)}`],
      [["reach", "prog.c"], "tangent reach: what is prog.c? A place is FILE:LINE or the name of a function"],
    ];
    for (const [words, told] of wrong) {
      const { status, stderr } = tangent(words);
      assert.deepEqual([status, stderr.split("\n")[0]], [USAGE, told]);
    }
    const revision = tangent(["patch", "nonsense"]);
    assert.equal(revision.status, USAGE);
    assert.match(
      revision.stderr,
      /^tangent patch: there is no commit nonsense in this repository; `git log --oneline`/,
    );
    assert.equal(existsSync(join(project, ".tangent")), false, "nothing is made before it is known what to do");
  });

  it("outside of a repository", () => {
    const { status, stderr } = tangent(["patch"], top);
    assert.equal(status, TROUBLE);
    assert.match(
      stderr,
      /is not in a git repository, so there is nothing to compare with; go to your checkout, or give/,
    );
  });

  it("a patch without C has nothing to be reached", () => {
    write("README", "text\n");
    git("add", "README");
    const { status, stderr } = tangent(["patch", "--staged"]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /README: no C, so there is nothing to reach/);
    assert.match(stderr, /no line of C is new, changed or taken away, so there is nothing to reach/);
  });

  it("a version that does not compile is told, and the user's own files stay as they are", () => {
    const diff =
      "--- a/src/prog.c\n+++ b/src/prog.c\n@@ -2,2 +2,3 @@\n int main(void) {\n+  nonsense!\n   int c = getchar();\n";
    const { status, stderr } = tangent(["patch", "--diff", "-"], project, diff);
    assert.equal(status, TROUBLE, stderr);
    assert.match(stderr, /a diff: 1 new or changed line of C in 1 file/);
    assert.match(stderr, /the build ended with status \d+\n.*last error:\n.*undeclared identifier/s);
    assert.equal(readFileSync(join(project, "src/prog.c"), "utf8"), PROGRAM);
  });

  it("builds and tests are done once, and again only for what has changed", async () => {
    const told: string[] = [];
    const context = {
      env: process.env,
      out: (text: string) => void told.push(text),
      error: (text: string) => void told.push(text),
    };
    const choices = { reuseTests: false, noTests: false, stdout: "stderr" } as const;
    const cwd = process.cwd();
    let opened: PatchProject;
    process.chdir(join(project, "src"));
    try {
      const found = openPatchProject(undefined, true, context);
      assert.ok(!("kind" in found));
      opened = found;
    } finally {
      process.chdir(cwd);
    }
    assert.equal(opened.folder.root, project, "the whole checkout, from wherever in it");
    const build = async () => {
      told.length = 0;
      const built = await buildVersion(opened, { kind: "work tree" }, "new", context);
      assert.ok(built !== null, told.join(""));
      return built;
    };
    const first = await build();
    assert.match(told.join(""), /building the new version in .*\.tangent\/patch\/new \(\d of \d files written/);
    assert.deepEqual(
      first.programs.map(({ path }) => path),
      [join(project, ".tangent/patch/new/src/prog")],
    );
    const program = readFileSync(first.programs[0].path);
    assert.ok(!program.includes(".tangent/patch"), "names of files are those of the user's");
    const seeds = await testsFor(opened, first, choices, context);
    assert.ok(seeds.kind === "seeds");
    assert.equal(seeds.seeds.length, 1);
    assert.equal(seeds.seeds[0].programContent, first.programs[0].content);
    assert.equal(programPlaces(first, seeds.seeds).length, 1);

    const time = statSync(first.programs[0].path).mtimeMs;
    const second = await build();
    assert.deepEqual(told, [], "the same sources are not built again");
    assert.equal(statSync(second.programs[0].path).mtimeMs, time);

    write("src/prog.c", PROGRAM.replace("return 0", "return c == 0"));
    const changed = await build();
    assert.match(told.join(""), /\(1 of \d files written\)/);
    told.length = 0;
    const rebound = await testsFor(opened, changed, choices, context);
    assert.ok(rebound.kind === "seeds");
    assert.deepEqual(told, ["tangent: 1 test of an earlier build used again (they have not changed)\n"]);
    assert.equal(rebound.seeds[0].programContent, changed.programs[0].content);
    assert.notEqual(rebound.seeds[0].id, seeds.seeds[0].id);

    write("tests/run.sh", "echo c | src/prog\necho d | src/prog\n");
    const tested = await build();
    told.length = 0;
    const recorded = await testsFor(opened, tested, choices, context);
    assert.ok(recorded.kind === "seeds");
    assert.match(told.join(""), /running the tests of the new version: sh tests\/run.sh/);
    assert.equal(recorded.seeds.length, 2);
  });
});
