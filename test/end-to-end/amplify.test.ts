// `tangent test` on a small project from end to end: its tests run natively behind stand-ins, become seeds, and are
// amplified; the project's own files are as they were.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
int main(int argc, char **argv) {
  char word[8];
  int length = 0, c;
  if (argc < 2) return 2;
  int n = atoi(argv[1]);
  if (n < 0 || n > 20) { puts("out of range"); return 1; }
  printf("%c\\n", letters[n]); /* on the path of a test with two digits */
  while ((c = getchar()) != EOF && c != '\\n') {
    if (c == '\\\\') { c = getchar(); if (c == 'x') word[length + 6] = 'X'; } /* off the tests' paths */
    if (length < 7) word[length++] = (char)c;
  }
  word[length] = 0;
  FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
  if (file) { int size = fgetc(file); char room[4]; for (int i = 0; i < size; i++) room[i] = 'x'; printf("%c\\n", room[0]); fclose(file); }
  puts(word);
  return 0;
}
`;
/** Works on a file only, as patch does with standard input, and not from its start. */
const SEEKER = `#include <sys/stat.h>
#include <unistd.h>
static const char letters[16] = "abcdefghijklmno";
int main(void) {
  struct stat status;
  unsigned char n;
  if (fstat(0, &status) || !S_ISREG(status.st_mode) || status.st_size != 6) return 2;
  if (lseek(0, -2, SEEK_END) != 4 || read(0, &n, 1) != 1) return 3;
  return letters[n] != 'b';
}
`;
/** Does not ask whether there was so much memory. */
const LARGE = `#include <stdio.h>
#include <stdlib.h>
int main(void) {
  char *p = malloc(1500u << 20);
  if (getchar() == 'q') p[0] = 1;
  return 0;
}
`;
/** Pipes, redirections, a file, a status that is not 0, and a command that is not ours in between. */
const TESTS = `set -e
test "$(printf 'hello\\n' | ./prog 3)" = "d
hello"
printf '\\002' > size.bin
./prog 12 size.bin < /dev/null | grep -q x
if ./prog 99 < /dev/null; then exit 1; fi
(echo one; echo two) | { ./prog 1 > /dev/null; }
rm size.bin
echo passed
`;

let project = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
/** Everything but what is ours. */
function treeDigest(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(project).sort()) {
    if (name === ".tangent") continue;
    const { mode, mtimeMs } = statSync(join(project, name));
    hash.update(`${name} ${mode} ${mtimeMs} `).update(readFileSync(join(project, name)));
  }
  return hash.digest("hex");
}

describe("tangent test", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-project-"));
    writeFileSync(join(project, "prog.c"), PROGRAM);
    writeFileSync(join(project, "tests.sh"), TESTS);
    const built = tangent("cc", "-g", "-o", "prog", "prog.c");
    assert.equal(built.status, 0, built.stderr);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("finds the bugs on and around the tests' paths, with inputs that prove them", () => {
    const digest = treeDigest();
    const { status, stdout, stderr } = tangent("test", "--distance", "3", "--time", "60s", "--", "sh", "tests.sh");
    assert.match(stdout, /passed/);
    assert.equal(status, 1, stderr);
    assert.equal(treeDigest(), digest);
    const result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.equal(result.totals.seeds, 4);
    assert.equal(result.totals.divergences, 0);
    assert.equal(result.totals.unconfirmed, 0);
    const found = result.findings.map(({ kind, location, distance }) => ({ kind, line: location?.line, distance }));
    assert.ok(
      found.some(({ kind, line, distance }) => kind === "global-buffer-overflow" && line === 10 && distance === 0),
    );
    assert.ok(found.some(({ kind, line }) => kind === "stack-buffer-overflow" && line === 12));
    assert.ok(found.some(({ kind, line }) => kind === "stack-buffer-overflow" && line === 17));
  });

  it("the recorded tests are seeds of an exploration too", () => {
    const output = join(project, ".tangent/explored");
    const { status, stderr } = tangent(
      "explore",
      "--seed",
      "tests",
      "--max-paths",
      "400",
      "-q",
      "-o",
      output,
      "./prog",
    );
    assert.equal(status, 1, stderr);
    assert.match(stderr, /4 recorded tests are seeds; their inputs have one size in all runs/);
    const numbers = JSON.parse(readFileSync(join(output, "statistics.json"), "utf8"));
    assert.equal(numbers.origins.seed, 4);
    assert.equal(numbers.divergences, 0);
    const none = tangent("explore", "--seed", "tests", "./elsewhere");
    assert.equal(none.status, 2);
    assert.match(none.stderr, /none of the 4 recorded tests runs \.\/elsewhere/);
  });

  it("machines that share the tests find together what one finds", () => {
    const parts = ["1/2", "2/2"].map((shard, n) => {
      const target = join(project, `.tangent/part${n}.json`);
      const { status, stderr } = tangent(
        "amplify",
        "--shard",
        shard,
        "--distance",
        "2",
        "--again",
        "-q",
        "--json",
        target,
      );
      assert.equal(status, 1, stderr);
      assert.match(stderr, /part \d of 2: 2 of 4 tests/);
      return target;
    });
    const { status, stdout, stderr } = tangent("merge", "--markdown", ".tangent/merged.md", ...parts);
    assert.equal(status, 1, stderr);
    assert.match(stdout, /2 parts merged: 4 tests/);
    const result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.equal(result.totals.seeds, 4);
    const lines = new Set(result.findings.map(({ location }) => location?.line));
    for (const line of [10, 12, 17]) assert.ok(lines.has(line), `line ${line}`);
    assert.match(readFileSync(join(project, ".tangent/merged.md"), "utf8"), /4 tests/);
    const wrong = tangent("amplify", "--shard", "3/2");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /--shard 3\/2: say which part of how many, such as --shard 3\/10/);
  });

  it("standard input that was a file is one for the machine too, and its bytes are input wherever they are read", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-seeker-"));
    const run = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
    writeFileSync(join(folder, "seeker.c"), SEEKER);
    writeFileSync(join(folder, "data"), "abcd\u0001f");
    const built = run("cc", "-g", "-o", "seeker", "seeker.c");
    assert.equal(built.status, 0, built.stderr);
    const { status, stderr } = run("test", "--distance", "0", "--", "sh", "-c", "./seeker < data");
    assert.equal(status, 1, stderr);
    const result = JSON.parse(readFileSync(join(folder, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.deepEqual(
      result.findings.map(({ kind, location, distance }) => ({ kind, line: location?.line, distance })),
      [{ kind: "global-buffer-overflow", line: 9, distance: 0 }],
    );
    rmSync(folder, { recursive: true });
  });

  it("a heap that is used up where a failure is predicted is so where it is confirmed and replayed", () => {
    const folder = mkdtempSync(join(tmpdir(), "tangent-heap-"));
    const run = (...words: string[]) =>
      spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
    writeFileSync(join(folder, "large.c"), LARGE);
    const built = run("cc", "-g", "-o", "large", "large.c");
    assert.equal(built.status, 0, built.stderr);
    const { status, stderr } = run("test", "--distance", "1", "--", "sh", "-c", "echo a | ./large");
    assert.equal(status, 1, stderr);
    const result = JSON.parse(readFileSync(join(folder, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.equal(result.totals.unconfirmed, 0);
    assert.equal(result.findings[0].location?.line, 5);
    assert.equal(run("replay", result.findings[0].id).status, 0);
    rmSync(folder, { recursive: true });
  });

  it("goes on where it was: what is done is not done again, and what was found still stands", () => {
    const journal = (): string => readFileSync(join(project, ".tangent/campaign.journal"), "utf8");
    const before = journal();
    const { status, stderr } = tangent("amplify", "--distance", "1", "--time", "60s");
    assert.equal(status, 1, stderr);
    assert.equal(journal(), before, "nothing was done");
    assert.match(stderr, /3 more of earlier runs/);
    const result = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
    assert.equal(result.findings.length, 3);
  });

  it("a command that cannot be started leaves the programs in their places", () => {
    const digest = treeDigest();
    const { status, stderr } = tangent("test", "--", "./no-such-command");
    assert.equal(status, 3);
    assert.match(stderr, /no-such-command/);
    assert.equal(treeDigest(), digest);
  });

  it("a suite that fails is told and amplified all the same", () => {
    const { status, stderr } = tangent(
      "test",
      "--distance",
      "0",
      "--",
      "sh",
      "-c",
      "./prog 7 < /dev/null > /dev/null; exit 5",
    );
    assert.equal(status, 0, stderr);
    assert.match(stderr, /status 5/);
  });
});
