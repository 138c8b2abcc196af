// What users ask of `tangent compose` and `tangent test --deep` beside findings: what is said without tests or with wrong words, what goes
// to standard output, and that one report has what both techniques found.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { ComposeCampaignResult } from "../../src/report/compose-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
static int share(int c) { return 100 / (c - 'a'); }
int main(void) {
  printf("%d\\n", share(getchar()));
  return 0;
}
`;
const LONG_LINES = `#include <stdio.h>
int main(void) {
  char line[8];
  int n = 0;
  for (int c = getchar(); c != EOF; c = getchar()) {
    line[n++] = c;
    if (c == '\\n') n = 0;
  }
  return n;
}
`;
/** Assembly that jumps cannot be run in the machine. */
const JUMPING = `int main(void) {
  long seven;
  __asm__ volatile("jmp 1f\\n1: mov $7, %0" : "=r"(seven));
  return seven != 7;
}
`;
const USAGE_STATUS = 2;
const TROUBLE_STATUS = 3;

let project = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
const results = (text: string): ComposeCampaignResult => JSON.parse(text) as ComposeCampaignResult;

describe("tangent compose, as a user calls it", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-composed-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("says what to do if no test was recorded", () => {
    const { status, stderr } = tangent("compose");
    assert.equal(status, TROUBLE_STATUS);
    assert.match(stderr, /there are no seeds; record the tests first: tangent record -- make check/);
    assert.match(stderr, /tangent unit FUNCTION/);
  });

  it("if no test could be run to its end, says why, and that this is no success", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-jumping-"));
    const there = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
    try {
      writeFileSync(join(folder, "prog.c"), JUMPING);
      assert.equal(there("cc", "-g", "-o", "prog", "prog.c").status, 0);
      there("record", "--", "./prog");
      const { status, stdout, stderr } = there("compose", "--time", "8s", "--quiet", "--markdown", "-");
      assert.equal(status, TROUBLE_STATUS, stderr);
      const why = "1 of 1 test could not be run to its end: it ended at ";
      assert.match(stderr, new RegExp(`no test could be run to its end, so this says nothing .*: ${why}`));
      assert.match(stdout, new RegExp(`^### Tangent: no test could be run to its end\n\n${why}`));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("an input that edits made of the user's own tests is run natively as those are", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-edited-"));
    const there = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
    try {
      writeFileSync(join(folder, "prog.c"), LONG_LINES);
      assert.equal(there("cc", "-g", "-o", "prog", "prog.c").status, 0);
      assert.equal(there("record", "--", "sh", "-c", "printf 'ab\\ncd\\n' | ./prog").status, 0);
      const words = ["--without", "main", "--without", "units", "--time", "20s", "-j", "1", "--json", "-"];
      const { stdout, stderr } = there("compose", ...words);
      const [found] = results(stdout).findings;
      assert.equal(found?.isMade, true, stderr);
      assert.match(found.moved?.steps.join() ?? "", /^standard input changed at byte \d+: /);
      const replayed = there("replay", "--native", found.id);
      assert.match(replayed.stdout, /: (natively )?the program (survives|dies|ends)/, replayed.stderr);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("refuses a part and a seed that it does not know", () => {
    const part = tangent("compose", "--without", "luck");
    assert.equal(part.status, USAGE_STATUS);
    assert.match(part.stderr, /--without luck: the parts are interpolants, /);
    const seed = tangent("compose", "nobody");
    assert.equal(seed.status, USAGE_STATUS);
    assert.match(seed.stderr, /tangent compose: no seed's id begins with nobody/);
  });

  it("test --deep: findings of both techniques are in one report, which is alone on standard output", () => {
    const words = ["--deep", "--time", "20s", "--distance", "0", "--json", "-", "--", "sh", "-c", "echo b | ./prog"];
    const { status, stdout, stderr } = tangent("test", ...words);
    assert.equal(status, 1, stderr);
    const result = results(stdout);
    assert.equal(result.technique, "compose");
    assert.equal(result.amplified?.seeds.length, 1);
    assert.deepEqual(
      result.findings.map(({ kind }) => kind),
      ["division-by-zero"],
    );
    assert.equal(stderr.match(/ERROR: division-by-zero/g)?.length, 1, "told once");
    assert.deepEqual(results(readFileSync(join(project, ".tangent/report/results.json"), "utf8")), result);
    assert.match(readFileSync(join(project, ".tangent/report/index.html"), "utf8"), /Functions, each tested by itself/);
  });

  it("keeps its own journal, and its results are read by show and report", () => {
    assert.ok(existsSync(join(project, ".tangent/compose.journal")));
    assert.match(tangent("show").stdout, /Division by zero at prog\.c:2 in share/);
    const markdown = tangent("report", "--markdown", "-");
    assert.match(markdown.stdout, /^### Tangent: 1 bug\n/);
  });

  it("goes on where it stopped: chains of what was found before begin with main", () => {
    const { status, stdout, stderr } = tangent("compose", "--time", "20s", "--json", "-");
    assert.equal(status, 1, stderr);
    assert.match(stderr, /items? (was|were) done by an earlier campaign/);
    const { targets, functions } = results(stdout);
    const chains = targets.flatMap(({ state, chain }) =>
      state.kind === "lifted" ? [chain.map(({ name }) => name)] : [],
    );
    assert.deepEqual(chains, [["main", "share"]]);
    const problems = functions.flatMap(({ problem }) => problem ?? []);
    assert.deepEqual(problems, [], "what was tested is not called untestable");
  });

  it("a function that is not there is a slip: neither the report nor what is known is lost", () => {
    const report = join(project, ".tangent/report/results.json");
    const before = readFileSync(report, "utf8");
    const { status, stderr } = tangent("compose", "--time", "10s", "--function", "shaer");
    assert.equal(status, USAGE_STATUS);
    assert.match(stderr, /tangent compose: there is no function shaer; there is share \(/);
    assert.doesNotMatch(stderr, /profiling/, "it is told before anything is run");
    assert.doesNotMatch(stderr, /everything is done anew/);
    // A finding that two campaigns came to has two witnesses, and either may be shown.
    const shown = (text: string): unknown =>
      results(text).findings.map(({ id, kind, location, sentence }) => ({ id, kind, location, sentence }));
    assert.equal(results(before).findings.length, 1);
    assert.deepEqual(shown(readFileSync(report, "utf8")), shown(before));
  });
});
