// Findings outlive their campaign: they are kept with a state, shown whichever campaign found them, suppressed by tangent.toml with a
// reason, and gone once a new build survives their inputs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAM = `#include <stdio.h>
#include <stdlib.h>
static const char letters[16] = "abcdefghijklmno";
static int letter(int n) {
  return letters[n + 6];
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 0;
  if (n < 0 || n > 20) return 1;
  printf("%d\\n", 100 / (n - 3));
  printf("%c\\n", letter(n));
  return 0;
}
`;

let project = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });
const ids: Record<string, string> = {};

function build(source: string): void {
  writeFileSync(join(project, "prog.c"), source);
  assert.equal(tangent("cc", "-g", "-o", "prog", "prog.c").status, 0);
}
const test = (...words: string[]) =>
  tangent("test", "--distance", "1", "--time", "60s", ...words, "--", "sh", "tests.sh");
const results = (): CampaignResult =>
  JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8")) as CampaignResult;
const listed = (): Record<string, string> => {
  const all = JSON.parse(tangent("findings", "--json").stdout) as readonly { id: string; state: string }[];
  return Object.fromEntries(all.map(({ id, state }) => [id, state]));
};

describe("the findings of a project", () => {
  before(() => {
    project = mkdtempSync(join(tmpdir(), "tangent-kept-"));
    writeFileSync(join(project, "tests.sh"), "./prog 05 > /dev/null\n");
    build(PROGRAM);
    assert.equal(test().status, 1);
    for (const { id, kind } of results().findings) ids[kind] = id;
    assert.deepEqual(Object.keys(ids).sort(), ["division-by-zero", "global-buffer-overflow"]);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it("are new at first", () => {
    const ran = tangent("findings");
    assert.equal(ran.status, 0, ran.stderr);
    assert.match(
      ran.stdout,
      new RegExp(`${ids["division-by-zero"]} {2}new .* medium .* Division by zero at prog.c:10`),
    );
    assert.match(ran.stderr, /2 findings: 2 new/);
    assert.match(tangent("findings", "--state", "gone").stderr, /0 findings/);
  });

  it("are shown, explained and replayed without the results of a campaign, as while one runs", () => {
    const path = join(project, ".tangent/report/results.json");
    const text = readFileSync(path);
    rmSync(path);
    const shown = tangent("show", ids["division-by-zero"]);
    assert.equal(shown.status, 0, shown.stderr);
    assert.match(shown.stdout, /Division by zero[\s\S]*state {6}new, first seen 20/);
    assert.equal(tangent("replay", ids["division-by-zero"]).status, 0);
    assert.equal(tangent("explain", ids["division-by-zero"]).status, 0);
    assert.match(tangent("show").stdout, /global|Global/);
    writeFileSync(path, text);
  });

  it("that tangent.toml suppresses are told with the reason, and do not count", () => {
    const rule = (kind: string) => `[[suppress]]\nfunction = "${kind}"\nfile = "*.c"\nreason = "of no interest"\n`;
    writeFileSync(join(project, "tangent.toml"), rule("letter"));
    const one = tangent("amplify", "--again", "--distance", "1", "--time", "60s");
    assert.equal(one.status, 1, one.stderr);
    assert.match(one.stdout, /==tangent== suppressed \(of no interest\): [0-9a-f]+ Global buffer overflow at prog.c:5/);
    assert.match(one.stderr, /1 finding, 1 suppressed[\s\S]*1 finding is suppressed by tangent.toml/);
    assert.deepEqual(listed(), {
      [ids["division-by-zero"]]: "still there",
      [ids["global-buffer-overflow"]]: "suppressed",
    });
    writeFileSync(join(project, "tangent.toml"), rule("letter") + rule("main"));
    const both = tangent("amplify", "--again", "--distance", "1", "--time", "60s");
    assert.equal(both.status, 0, both.stderr);
    assert.match(tangent("show", ids["division-by-zero"]).stdout, /suppressed of no interest/);
    assert.match(tangent("report", "--junit", "-").stdout, /failures="0"[\s\S]*suppressed: of no interest/);
    rmSync(join(project, "tangent.toml"));
    assert.match(tangent("report", "--junit", "-").stdout, /failures="1"/);
  });

  it("are gone when a new build survives their inputs, and can still be looked at, until they are forgotten", () => {
    build(PROGRAM.replace("100 / (n - 3)", "n"));
    const ran = test();
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stderr, new RegExp(`gone: ${ids["division-by-zero"]} Division by zero at prog.c:10`));
    const states = listed();
    assert.equal(states[ids["division-by-zero"]], "gone");
    assert.equal(states[ids["global-buffer-overflow"]], "still there");
    assert.match(tangent("show", ids["division-by-zero"]).stdout, /state {6}gone/);
    assert.equal(tangent("findings", "--forget-gone").status, 0);
    assert.deepEqual(Object.keys(listed()), [ids["global-buffer-overflow"]]);
    assert.equal(tangent("findings", "--forget", "zzz").status, 2);
    assert.equal(tangent("show", ids["division-by-zero"]).status, 3);
  });
});
