// What a campaign claims: findings behind a bad read of the tests' own are found, marked and replayed; what the tests cover is
// what they cover when they simply run; and where nothing was checked, that is no success.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
/** Reads one byte too many of its copy of each argument, as all tests do, and has a table that is too small. */
const READER = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char names[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  size_t length = strlen(argv[1]);
  char *word = malloc(length);
  memcpy(word, argv[1], length);
  if (word[length] == 'q') puts("never");
  int c = getchar();
  printf("%c\\n", names[c & 31]);
  free(word);
  return 0;
}
`;
/** Decides nothing by its input, which it does not read. */
const DEAF = `#include <stdio.h>
int main(void) {
  long sum = 0;
  for (int i = 0; i < 1000; i++)
    sum += i;
  printf("%ld\\n", sum);
  return 0;
}
`;

/** Its table has a place for every input. */
const SAFE = READER.replace("names[16]", "names[32]").replace("malloc(length)", "calloc(length + 1, 1)");

let folder = "";
const tangent = (cwd: string, ...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, TANGENT_CC: "embedded" },
  });
const resultOf = (cwd: string): AmplifyCampaignResult =>
  JSON.parse(readFileSync(join(cwd, ".tangent/report/results.json"), "utf8")) as AmplifyCampaignResult;

function project(source: string, tests: string): string {
  const cwd = mkdtempSync(join(folder, "p-"));
  writeFileSync(join(cwd, "prog.c"), source);
  writeFileSync(join(cwd, "tests.sh"), tests);
  const built = tangent(cwd, "cc", "-g", "-o", "prog", "prog.c");
  assert.equal(built.status, 0, built.stderr);
  const recorded = tangent(cwd, "record", "--", "sh", "tests.sh");
  assert.equal(recorded.status, 0, recorded.stderr);
  return cwd;
}

describe("what a campaign claims", () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-claims-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("what cannot fail whatever the input is has been checked, though nobody had to be asked", () => {
    const cwd = project(SAFE, "printf A | ./prog hey\n");
    const ran = tangent(cwd, "amplify", "--time", "60s", "--distance", "0");
    assert.equal(ran.status, 0, ran.stderr);
    const { findings, seeds, totals, nothingChecked } = resultOf(cwd);
    assert.deepEqual([findings.length, nothingChecked], [0, undefined]);
    assert.equal(seeds[0].checked, "all");
    assert.ok(totals.checks > 0 && totals.checks === seeds[0].checks, JSON.stringify(totals));
  });

  it("what lies behind a bad read is found, marked, and replayed with the same recovery", () => {
    const cwd = project(READER, "set -e\nprintf A | ./prog hey\nprintf B | ./prog you\n");
    const ran = tangent(cwd, "amplify", "--time", "60s", "--distance", "0");
    assert.equal(ran.status, 1, ran.stderr);
    const { findings, files, seeds } = resultOf(cwd);
    const first = findings.find(({ kind }) => kind === "heap-buffer-overflow");
    const second = findings.find(({ kind }) => kind === "global-buffer-overflow");
    assert.equal(findings.length, 2, JSON.stringify(findings.map(({ kind }) => kind)));
    assert.equal(first?.behind, undefined);
    assert.deepEqual(
      second?.behind?.map(({ id }) => id),
      [first?.id],
    );
    assert.deepEqual(
      seeds.map(({ checked, checks }) => [checked, checks > 0]),
      [
        ["all", true],
        ["all", true],
      ],
    );
    const covered = files.find(({ path }) => path.endsWith("prog.c"));
    assert.ok(covered?.byTests.includes(12), "a line behind the bad read is covered by the tests");
    for (const found of [first, second]) {
      const replayed = tangent(cwd, "replay", found?.id ?? "");
      assert.match(replayed.stdout, /fails again, as recorded/, replayed.stderr);
      assert.equal(replayed.status, 0);
      assert.equal(replayed.stdout.includes(`goes on behind finding ${first?.id}`), found === second);
    }
    const shown = tangent(cwd, "show", second?.id ?? "");
    assert.match(shown.stdout, new RegExp(`behind finding ${first?.id}`));
    const explained = tangent(cwd, "explain", second?.id ?? "");
    assert.equal(explained.status, 0, explained.stderr);
  });

  it("where nothing was checked, every report and the status say so, and why", () => {
    const cwd = project(DEAF, "./prog < tests.sh\n");
    const ran = tangent(cwd, "amplify", "--time", "60s", "--markdown", "out.md");
    assert.equal(ran.status, 3, ran.stderr);
    assert.match(ran.stderr, /nothing was checked.*1 test: the program read nothing of standard input/);
    const { nothingChecked, seeds, totals, files } = resultOf(cwd);
    assert.match(nothingChecked ?? "", /read nothing of standard input/);
    assert.equal(totals.checks, 0);
    assert.equal(seeds[0].checked, "none");
    assert.ok((files[0]?.byTests.length ?? 0) > 3);
    assert.match(readFileSync(join(cwd, "out.md"), "utf8"), /nothing was checked/);
    const page = readFileSync(join(cwd, ".tangent/report/index.html"), "utf8");
    assert.match(page, /Nothing was checked/);
    assert.doesNotMatch(page, /No bugs found/);
    const again = tangent(cwd, "amplify", "--time", "60s");
    assert.equal(again.status, 3, "what an earlier campaign has done was no more");
    assert.ok((resultOf(cwd).files[0]?.byTests.length ?? 0) > 3, "coverage is known all the same");
  });
});
