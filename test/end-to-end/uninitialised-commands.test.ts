// What commands do with --uninitialised: run reports and goes on, explore and test find the input that leaves something unset,
// replay shows it again, and without the option nothing is said.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const LINE = 11;
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
struct options { int kind, level; };
int main(void) {
  struct options *o = malloc(sizeof *o);
  int c = getchar();
  o->kind = c;
  if (c == 'a') o->level = 1;
  else if (c == 'b') o->level = 2;
  else if (c != 'z') o->level = 0;
  if (o->level > 1) puts("high");
  free(o);
  return 0;
}
`;

let project = "";
const tangent = (words: readonly string[], input = "") =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8", input });

describe("--uninitialised", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-unset-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    writeFileSync(join(project, "tests.sh"), "printf 'a\\n' | ./prog > /dev/null\n");
    assert.equal(tangent(["cc", "-g", "-o", "prog", "prog.c"]).status, 0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("run reports what was never set, with where it was allocated, and lets the program end", () => {
    const ran = tangent(["run", "--uninitialised", "--json", "run.json", "./prog"], "z");
    assert.equal(ran.status, 99, ran.stderr);
    assert.match(
      ran.stderr,
      /uninitialised: a decision depends on a heap block of 8 bytes, of which byte 4 was never set/,
    );
    assert.match(ran.stderr, /never set; allocated at\n.*malloc.*\n.*main prog\.c:5/);
    const { findings, end } = JSON.parse(readFileSync(join(project, "run.json"), "utf8"));
    assert.deepEqual([findings[0].kind, findings[0].cwe, findings[0].confirmed], ["uninitialised", 908, true]);
    assert.deepEqual([findings.length, findings[0].location.line, end.kind], [1, LINE, "exit"]);
  });

  it("what printing does with a number that was never set is told once, also at the program's end", () => {
    const printing = `#include <stdio.h>
int main(int argc, char **argv) {
  int total;
  if (argc > 2) total = 5;
  if (argc > 1 && argv[1][0] == 'v') puts("loud");
  printf("%d\\n", total);
  return 0;
}
`;
    writeFileSync(join(project, "printing.c"), printing);
    const output = join(project, "printed");
    const ran = tangent(["explore", "--uninitialised", "--sym-arg", "2", "-q", "-o", output, "printing.c"]);
    assert.equal(ran.status, 1, ran.stderr);
    const told = ran.stdout + ran.stderr;
    assert.equal(told.match(/ERROR: uninitialised/g)?.length, 1, told);
  });

  it("run says nothing where all was set, nor without the option", () => {
    assert.deepEqual(
      [tangent(["run", "--uninitialised", "./prog"], "b")].map(({ status, stdout, stderr }) => [
        status,
        stdout,
        stderr,
      ]),
      [[0, "high\n", ""]],
    );
    assert.equal(tangent(["run", "./prog"], "z").status, 0);
  });

  it("explore finds the input, and replay shows it again", () => {
    const words = ["explore", "--sym-stdin", "1", "--max-time", "60s", "--output"];
    assert.equal(tangent([...words, "plain", "./prog"]).status, 0);
    const explored = tangent([...words, "out", "--uninitialised", "./prog"]);
    assert.equal(explored.status, 1, explored.stderr);
    assert.match(explored.stderr, /stdin \(1 byte\): "z"/);
    const again = tangent(["replay", "out/findings/001-uninitialised"]);
    assert.equal(again.status, 0, again.stdout + again.stderr);
    assert.match(again.stdout, new RegExp(`uninitialised in main at .*prog\\.c:${LINE}, as recorded`));
  });

  it("test finds it from a test that sets everything, and replay shows it again", () => {
    const options = ["--uninitialised", "--distance", "1", "--time", "60s"];
    const tested = tangent(["test", ...options, "--", "sh", "tests.sh"]);
    assert.equal(tested.status, 1, tested.stderr);
    const result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    const [finding, ...more] = result.findings;
    assert.deepEqual(
      [finding.kind, finding.location?.line, finding.distance, more.length],
      ["uninitialised", LINE, 1, 0],
    );
    const again = tangent(["replay", finding.id]);
    assert.equal(again.status, 0, again.stdout + again.stderr);
    assert.match(again.stdout, /fails again, as recorded/);
  });
});
