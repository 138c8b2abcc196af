// The story of a bug: found, fixed, gone, put back, back again. Under one id, although the fix moves its lines; and what is shown and replayed
// is always of the build that is spoken of.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TANGENT = join(ROOT, "bin/tangent");
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n < 0 || n > 20) return 1;
  printf("%c\\n", letters[n]);
  return 0;
}
`;
const FIXED = `/* Letters, by their number. */
${PROGRAM.replace("n > 20", "n > 15")}`;

const folders: string[] = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

class Project {
  readonly root = mkdtempSync(join(tmpdir(), "tangent-loop-"));
  constructor() {
    folders.push(this.root);
    this.put("prog.c", PROGRAM);
    this.put("tests.sh", "./prog 05 > /dev/null\n");
  }
  put(name: string, text: string): void {
    writeFileSync(join(this.root, name), text);
  }
  run(program: string, ...words: string[]) {
    return spawnSync(program, words, { cwd: this.root, encoding: "utf8" });
  }
  tangent(...words: string[]) {
    return this.run("sh", TANGENT, ...words);
  }
  /** Ids of the last campaign. */
  ids(): readonly string[] {
    const text = readFileSync(join(this.root, ".tangent/report/results.json"), "utf8");
    return (JSON.parse(text) as CampaignResult).findings.map(({ id }) => id);
  }
  state(id: string): string | undefined {
    const all = JSON.parse(this.tangent("findings", "--json").stdout) as readonly { id: string; state: string }[];
    return all.find((one) => one.id === id)?.state;
  }
}

describe("a project that tangent builds", () => {
  const project = new Project();
  const campaign = ["--distance", "1", "--time", "30s", "-j", "1"];
  let id = "";

  it("finds a bug", () => {
    project.put("tangent.toml", 'build = "$CC -g -o prog prog.c"\ntest = "sh tests.sh"\n');
    const ran = project.tangent("test", ...campaign);
    assert.equal(ran.status, 1, ran.stderr);
    assert.equal(project.ids().length, 1);
    [id] = project.ids();
    assert.equal(project.state(id), "new");
    const again = project.tangent("replay", id);
    assert.match(again.stdout, /: fails again, as recorded\n$/);
    assert.equal(again.status, 0);
  });

  it("knows without a campaign that it is fixed, and still shows and runs what it was", () => {
    project.put("prog.c", FIXED);
    const shown = project.tangent("show", id);
    assert.match(shown.stdout, /7 \| {3}printf\("%c\\n", letters\[n\]\);/);
    assert.match(shown.stdout, /source {5}prog\.c: changed since, and shown as it was built/);
    const explained = project.tangent("explain", id);
    assert.match(explained.stderr, /prog\.c: changed since/);
    const recorded = project.tangent("replay", "--as-recorded", id);
    assert.match(recorded.stdout, /7 \| {3}printf\("%c\\n", letters\[n\]\);/);
    assert.match(recorded.stdout, /fails again, as recorded; prog\.c: changed since/);
    assert.equal(recorded.status, 0);
    // On a machine that has not recorded these tests nothing of the project is executed.
    const elsewhere = project.run("env", `TANGENT_STATE=${project.root}/state`, "sh", TANGENT, "replay", id);
    assert.doesNotMatch(elsewhere.stderr, /building/);
    const now = project.tangent("replay", id);
    assert.match(now.stderr, /building in/);
    assert.match(now.stdout, /no longer fails in the program of today's sources/, now.stderr);
    assert.equal(now.status, 1);
    assert.equal(project.state(id), "gone");
  });

  it("is gone after the next campaign", () => {
    const ran = project.tangent("test", ...campaign);
    assert.equal(ran.status, 0, ran.stderr);
    assert.equal(project.state(id), "gone");
  });

  it("is back when the bug is put back, wherever its line is now", () => {
    project.put("prog.c", FIXED.replace("n > 15", "n > 18"));
    const now = project.tangent("replay", id);
    assert.match(now.stdout, /letters\[n\]/);
    assert.match(now.stdout, /fails again, also in the program of today's sources/, now.stdout + now.stderr);
    assert.equal(now.status, 0);
    assert.equal(project.state(id), "back");
    const ran = project.tangent("test", ...campaign);
    assert.equal(ran.status, 1, ran.stderr);
    assert.deepEqual(project.ids(), [id]);
  });

  it("is told as back by a campaign that does not find it itself", () => {
    project.put("prog.c", FIXED);
    assert.equal(project.tangent("test", ...campaign).status, 0);
    assert.equal(project.state(id), "gone");
    // Another layout makes another build, so that nothing is remembered of it; the tests no longer come near.
    project.put("prog.c", PROGRAM.replace("int n =", "int  n ="));
    project.put("tests.sh", "./prog 5 > /dev/null\n");
    const ran = project.tangent("test", "--moves", "none", ...campaign);
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stderr, new RegExp(`back: ${id} Global buffer overflow`));
    assert.equal(project.state(id), "back");
  });
});

describe("a project that its user builds", () => {
  const project = new Project();
  const campaign = ["test", "--distance", "1", "--time", "30s", "-j", "1", "--", "sh", "tests.sh"];
  // Where no build system is, and no C file that would say how to build it.
  const put = (text: string): void => project.put("code/prog.c", text);
  const build = (): void => {
    const built = project.tangent("cc", "-g", "-o", "prog", "code/prog.c");
    assert.equal(built.status, 0, built.stderr);
  };

  it("is told to build it, and has the program of today's sources run then", () => {
    rmSync(join(project.root, "prog.c"));
    mkdirSync(join(project.root, "code"));
    put(PROGRAM);
    build();
    assert.equal(project.tangent(...campaign).status, 1);
    const [id] = project.ids();
    put(FIXED);
    const old = project.tangent("replay", id);
    assert.equal(old.status, 3);
    assert.match(old.stderr, /prog is older than code\/prog\.c: build it .* and replay again; --as-recorded/);
    assert.equal(project.tangent("replay", "--as-recorded", id).status, 0);
    build();
    const now = project.tangent("replay", id);
    assert.match(now.stdout, /no longer fails/, now.stderr);
    assert.equal(now.status, 1);
    assert.equal(project.state(id), "gone");
  });
});

describe("a patch", () => {
  it("is replayed with what the files have become, and shown as the version that was tested", () => {
    const project = new Project();
    project.put("prog.c", FIXED.replace("/* Letters, by their number. */\n", ""));
    project.put("tangent.toml", 'build = "$CC -g -o prog prog.c"\ntest = "sh tests.sh"\n');
    const git = (...words: string[]): void => {
      const ran = project.run("git", "-c", "user.name=a", "-c", "user.email=a@b", ...words);
      assert.equal(ran.status, 0, ran.stderr);
    };
    git("init", "-q", "-b", "main");
    git("add", "prog.c", "tests.sh", "tangent.toml");
    git("commit", "-qm", "one");
    const patched = `${PROGRAM.replace("n > 20", "n > 17").replace("static", "static /* now */")}`;
    project.put("prog.c", patched);
    const patch = ["patch", "--time", "60s", "-j", "1"];
    const ran = project.tangent(...patch);
    assert.equal(ran.status, 1, ran.stdout + ran.stderr);
    const [id] = project.ids();
    project.put("prog.c", FIXED);
    assert.match(project.tangent("show", id).stdout, /source {5}prog\.c: changed since/);
    const now = project.tangent("replay", id);
    assert.match(now.stdout, /no longer fails/, now.stderr);
    assert.equal(now.status, 1);
    project.put("prog.c", patched);
    assert.equal(project.tangent("replay", id).status, 0);

    // A patch that is not applied: the files here are another version than the one that was tested.
    const diff = project.run("git", "diff").stdout;
    git("checkout", "-q", "prog.c");
    project.put("one.diff", diff);
    const apart = project.tangent(...patch, "--diff", "one.diff");
    assert.equal(apart.status, 1, apart.stdout + apart.stderr);
    assert.deepEqual(project.ids(), [id], "one id, however the patch comes");
    const shown = project.tangent("show", id).stdout;
    assert.match(shown, /source {5}prog\.c: of one\.diff, not as it is here/);
    assert.match(shown, /6 \| {3}if \(n < 0 \|\| n > 17\)/);
    const replayed = project.tangent("replay", id);
    assert.match(replayed.stdout, /fails again, as recorded; it is of one\.diff/);
    assert.equal(replayed.status, 0);
  });
});
