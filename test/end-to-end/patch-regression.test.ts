// A patch that takes a check away has no line of its own, and no test notices it. `tangent patch` is to find the failure next to a
// test, and to say that it is there only since the patch; a failure that was there before is told as such.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { PatchCampaignResult } from "../../src/report/patch-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const CHECK = "  if (count > 8)\n    return 1;\n";
const program = (check: string): string => `#include <stdio.h>
#include <stdlib.h>
int main(void) {
  int count = getchar() - '0';
  int first = getchar() - '0';
${check}  char *room = malloc(8);
  if (first == 7)
    room[-1] = 1;
  for (int at = 0; at < count; at++)
    room[at] = (char)at;
  printf("%d\\n", count);
  return 0;
}
`;

const project = mkdtempSync(join(tmpdir(), "tangent-regression-"));
after(() => rmSync(project, { recursive: true, force: true }));

function git(...words: string[]): void {
  const who = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
  const { status, stderr } = spawnSync("git", [...who, ...words], { cwd: project, encoding: "utf8" });
  assert.equal(status, 0, stderr);
}

describe("a patch that takes a check away", () => {
  it("is told as a regression, and what failed before is not", () => {
    mkdirSync(join(project, "tests"));
    writeFileSync(join(project, "prog.c"), program(CHECK));
    writeFileSync(join(project, "tests/run.sh"), "echo 31 | ./prog\n");
    writeFileSync(join(project, "tangent.toml"), 'build = "$CC -g -o prog prog.c"\ntest = "sh tests/run.sh"\n');
    git("init", "-q", "-b", "main");
    git("add", "-A");
    git("commit", "-q", "-m", "first");
    writeFileSync(join(project, "prog.c"), program(""));
    const words = [join(ROOT, "bin/tangent"), "patch", "--time", "60s", "--json", "result.json"];
    const { status, stdout, stderr } = spawnSync("sh", words, { cwd: project, encoding: "utf8" });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /0 new or changed lines of C in 1 file, and 1 place that lines were taken from/);
    assert.match(stdout, /REGRESSION: \.?\/?.*prog/);
    const result = JSON.parse(readFileSync(join(project, "result.json"), "utf8")) as PatchCampaignResult;
    assert.deepEqual(result.findings.map(({ kind, location, since }) => [kind, location?.line, since]).sort(), [
      ["heap-buffer-overflow", 10, "patch"],
      ["heap-buffer-overflow", 8, "before"],
    ]);
    const [change] = result.behaviour;
    assert.deepEqual([result.behaviour.length, change.severity, change.source.kind], [1, "crash", "finding"]);
    const told = spawnSync("sh", [join(ROOT, "bin/tangent"), "report"], { cwd: project, encoding: "utf8" });
    assert.notEqual(told.status, 3, told.stderr);
  });
});
