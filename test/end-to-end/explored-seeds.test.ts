// What an exploration found becomes seeds of the project: `tangent seeds --add DIR`, and the other techniques begin with them.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "tangent-explored-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** The word is found by exploring; that the index may be too large only a check says. */
const SOURCE = `#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char word[3];
  int table[4] = {1, 2, 3, 4};
  if (argc != 2 || fread(word, 1, 3, stdin) != 3) return 9;
  if (argv[1][0] != '-' || memcmp(word, "ok", 2) != 0) return 1;
  return word[2] < '0' || word[2] > '7' ? 2 : table[word[2] - '0'];
}
`;

function tangent(...words: string[]): SpawnSyncReturns<string> {
  return spawnSync(join(ROOT, "bin/tangent"), words, { encoding: "utf8", cwd: directory });
}

test("seeds --add: inputs that an exploration found are seeds, once, and amplify begins with them", () => {
  writeFileSync(join(directory, "prog.c"), SOURCE);
  writeFileSync(join(directory, "tangent.toml"), "");
  assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
  const symbolic = ["--sym-arg", "1", "--sym-stdin", "3"];
  const explored = tangent("explore", "--checks", "off", "--output", "out", ...symbolic, "./prog");
  assert.equal(explored.status, 0, explored.stderr);

  const added = tangent("seeds", "--add", "out");
  assert.equal(added.status, 0, added.stderr);
  const count = Number(/^tangent: (\d+) inputs of out added as seeds$/m.exec(added.stderr)?.[1]);
  assert.ok(count >= 3, added.stderr);
  assert.equal(added.stdout.split("\n").length - 1, count);
  assert.match(added.stdout, /\.\/prog - <stdin/);
  assert.match(tangent("seeds", "--add", "out").stderr, new RegExp(`0 inputs .*; ${count} were there already`));

  const amplified = tangent("amplify", "--distance", "0", "--moves", "none", "--time", "60s", "--quiet");
  assert.equal(amplified.status, 1, amplified.stderr);
  assert.match(amplified.stdout, /stack-buffer-overflow[\s\S]*test \(distance 0\): \.\/prog -/);
});

test("seeds --add: a folder that somebody else wrote, or that is none, adds nothing", () => {
  const before = tangent("seeds").stdout;
  const none = tangent("seeds", "--add", ".");
  assert.equal(none.status, 2);
  assert.match(none.stderr, /is no folder of `tangent explore`/);
  const plan = join(directory, "out/resume/plan.json");
  writeFileSync(plan, readFileSync(plan, "utf8").replace("./prog", "./else"));
  const foreign = tangent("seeds", "--add", "out");
  assert.equal(foreign.status, 2);
  assert.match(foreign.stderr, /was not written by you on this machine/);
  assert.equal(tangent("seeds").stdout, before);
});
