// What users and CI ask of `tangent test` and `tangent amplify` beside findings: who stops what, what a signal does, which limits hold, and
// what goes to standard output.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
int main(void) {
  int c = getchar();
  printf("%d\\n", 100 / (c - 'a'));
  return 0;
}
`;
const USAGE_STATUS = 2;
const TROUBLE_STATUS = 3;
const SIGTERM_STATUS = 143;

let project = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });

describe("tangent test, as a user or a CI job calls it", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-called-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("a report on standard output is alone there, whatever the tests print", () => {
    const script = "echo b | ./prog; echo tests passed";
    const { status, stdout, stderr } = tangent("test", "--distance", "1", "--json", "-", "--", "sh", "-c", script);
    assert.equal(status, 1, stderr);
    const result = JSON.parse(stdout) as AmplifyCampaignResult;
    assert.deepEqual(
      result.findings.map(({ kind }) => kind),
      ["division-by-zero"],
    );
    assert.match(stderr, /tests passed/);
    assert.match(stderr, /ERROR: division-by-zero/);
  });

  it("--quiet holds back what build and tests print, unless they fail, but not why nothing was checked", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-quiet-"));
    const quietly = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), "test", "--quiet", ...words], { cwd: folder, encoding: "utf8" });
    try {
      writeFileSync(join(folder, "prog.c"), "int main(void) { return 0; }\n");
      const build = "echo building; $CC -g -o prog prog.c";
      writeFileSync(join(folder, "tangent.toml"), `build = "${build}"\ntest = "echo testing; ./prog"\n`);
      const passed = quietly();
      assert.equal(passed.status, TROUBLE_STATUS, passed.stderr);
      assert.match(passed.stderr, /nothing was checked, so this says nothing about the program: 1 test/);
      assert.doesNotMatch(passed.stdout + passed.stderr, /^(building|testing)$/m);
      const failed = quietly("--", "sh", "-c", "seq 100; ./prog; echo it is broken >&2; exit 7");
      assert.match(failed.stderr, /^100\nit is broken\n/m);
      assert.doesNotMatch(failed.stdout + failed.stderr, /^10$/m, "the end will do");
      assert.match(failed.stderr, /the tests ended with status 7/);
      writeFileSync(join(folder, "tangent.toml"), 'build = "echo building; exit 5"\ntest = "./prog"\n');
      assert.match(quietly().stderr, /^building\n.*the build ended with status 5/m);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("--time is for the analysis, --test-time for the tests", () => {
    const slow = tangent("test", "--time", "1s", "--", "sh", "-c", "sleep 2; echo b | ./prog; echo the end");
    assert.match(slow.stdout, /the end/, slow.stderr);
    const stopped = tangent("test", "--test-time", "1s", "--distance", "0", "--", "sh", "-c", "sleep 60; echo the end");
    assert.doesNotMatch(stopped.stdout, /the end/);
    assert.match(stopped.stderr, /did not end within 1 s \(--test-time\)/);
  });

  it("SIGTERM during the tests ends the whole command, with the status that says so", () => {
    const script = "echo b | ./prog; kill -TERM $PPID; sleep 60";
    const { status, stderr } = tangent("test", "--", "sh", "-c", script);
    assert.equal(status, SIGTERM_STATUS, stderr);
    assert.match(stderr, /interrupted/);
    assert.equal(tangent("record", "--", "sh", "-c", "kill -TERM $$").status, SIGTERM_STATUS);
  });

  it("amplify keeps to the limits of tangent.toml, unless the command line has others", () => {
    writeFileSync(join(project, "tangent.toml"), "[limits]\ndistance = 0\n");
    const distanceOf = (...words: string[]): number =>
      (JSON.parse(tangent("amplify", "--again", "--json", "-", ...words).stdout) as AmplifyCampaignResult).totals
        .distance;
    assert.equal(distanceOf(), 0);
    assert.equal(distanceOf("--distance", "1"), 1);
    writeFileSync(join(project, "tangent.toml"), "[limits]\ndistnace = 0\n");
    assert.equal(tangent("amplify").status, USAGE_STATUS);
    rmSync(join(project, "tangent.toml"));
  });

  it("wrong numbers and seeds that are not there are told", () => {
    const wrong: readonly (readonly [words: readonly string[], told: RegExp])[] = [
      [["amplify", "--workers", "100"], /--workers: at most 64/],
      [["amplify", "--workers", "1.5"], /--workers needs a whole number/],
      [["amplify", "--jobs", "65"], /--jobs: at most 64/],
      [["amplify", "zzz"], /no seed's id begins with zzz/],
      [["seeds", "--forget", "zzz"], /no seed's id begins with zzz/],
    ];
    for (const [words, told] of wrong) {
      const { status, stderr } = tangent(...words);
      assert.equal(status, USAGE_STATUS, stderr);
      assert.match(stderr, told);
    }
    const [id] = tangent("seeds").stdout.split(" ");
    const { stdout, status } = tangent("seeds", "--forget", id.slice(0, 8));
    assert.equal(status, 0);
    assert.ok(!stdout.includes(id), "the beginning of an id is enough");
  });
});
