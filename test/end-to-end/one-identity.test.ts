// A bug that shows in a helper which many call is told apart by who calls it. Each command translates the program in its own way, with or without
// inlining, with what nobody calls or without it: the finding has the same identity in all of them.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { CampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const FILES = {
  "letters.h": "int letter_at(const char *text, int index);\nint never_called(const char *text);\n",
  "letters.c": `#include "letters.h"
static int fetch(const char *text, int index) {
  return text[index];
}
int letter_at(const char *text, int index) {
  return fetch(text, index);
}
int never_called(const char *text) {
  return letter_at(text, 0) + letter_at(text, 1);
}
`,
  "main.c": `#include "letters.h"
#include <stdio.h>
static const char rows[8] = "abcdefg";
static int first(int digit) {
  return letter_at(rows, digit);
}
static int second(int digit) {
  return letter_at(rows, digit * 2);
}
static int others(void) {
  return letter_at(rows, 0) + letter_at(rows, 1) + letter_at(rows, 2) + letter_at(rows, 3);
}
int main(int argc, char **argv) {
  if (argc < 2) return others();
  int digit = argv[1][0] - '0';
  if (digit < 0 || digit > 9) return 1;
  if (argv[1][1] == 'x') printf("%c\\n", first(digit));
  else printf("%c\\n", second(digit));
  return 0;
}
`,
};

const project = mkdtempSync(join(tmpdir(), "tangent-identity-"));
after(() => rmSync(project, { recursive: true, force: true }));
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });

it("a finding in a helper has one identity in explore, amplify, compose and replay", () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text);
  const built = tangent("cc", "-g", "-o", "rows", "main.c", "letters.c");
  assert.equal(built.status, 0, built.stderr);
  assert.equal(tangent("record", "--", "sh", "-c", "./rows 1x; ./rows 2").status, 0);
  const idsOf = (findings: readonly { readonly id: string }[]): readonly string[] =>
    [...new Set(findings.map(({ id }) => id))].sort();
  const found = (file: string): readonly string[] =>
    idsOf(JSON.parse(readFileSync(join(project, file), "utf8")).findings);
  const explored = tangent("explore", "--max-time", "10s", "--json", "rows", "--sym-arg", "2");
  const events = explored.stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
  const ran = [
    explored,
    tangent("amplify", "--time", "20s", "-j", "1", "--json", "amplified.json"),
    tangent("compose", "--time", "10s", "-j", "1", "--json", "composed.json"),
  ];
  for (const { status, stderr } of ran) assert.equal(status, 1, stderr);
  const amplified = found("amplified.json");
  assert.equal(amplified.length, 2, "the two callers are told apart");
  assert.deepEqual(idsOf(events.filter(({ event }) => event === "finding")), amplified);
  assert.deepEqual(found("composed.json"), amplified);
  for (const id of amplified) assert.equal(tangent("replay", id).status, 0, "it fails as recorded");
  const one = tangent("run", "--json", "ran.json", "rows", "9");
  assert.equal(one.status, 99, one.stderr);
  assert.ok(found("ran.json").every((id) => amplified.includes(id)) && found("ran.json").length === 1);
  const unit = tangent("unit", "second", "rows", "--time", "10s", "--types", "--json", "unit.json");
  assert.equal(unit.status, 1, unit.stderr);
  const { failures } = JSON.parse(readFileSync(join(project, "unit.json"), "utf8"));
  assert.ok(
    amplified.some((id) => idsOf(failures).includes(id)),
    "as units fail",
  );

  // The lines move, the code is laid out otherwise, and a function comes in front: it is the same finding, under the same id.
  const edited = FILES["main.c"].replace("int digit", "/* what\n is asked for */\n  int digit");
  writeFileSync(join(project, "main.c"), `static int more(void) {\n  return 7;\n}\n${edited}`);
  writeFileSync(join(project, "letters.c"), FILES["letters.c"].replace("text[index]", "text[ index ] /* here */"));
  assert.equal(tangent("cc", "-g", "-o", "rows", "main.c", "letters.c").status, 0);
  assert.equal(tangent("record", "--", "sh", "-c", "./rows 1x; ./rows 2").status, 0);
  const moved = tangent("amplify", "--time", "20s", "-j", "1", "--json", "moved.json", "--baseline", "amplified.json");
  assert.equal(moved.status, 0, moved.stderr);
  assert.deepEqual(found("moved.json"), amplified);
  writeFileSync(join(project, "tangent.toml"), `[[suppress]]\nid = "${amplified[0].slice(0, 8)}"\nreason = "known"\n`);
  assert.match(tangent("show").stdout, new RegExp(`${amplified[0]}.*suppressed: known`));
  rmSync(join(project, "tangent.toml"));
});

it("ids that an earlier version gave are found", () => {
  // As a version of before November 2026 has left it: the id is of a line.
  const results = JSON.parse(readFileSync(join(project, "moved.json"), "utf8")) as CampaignResult;
  const [finding] = results.findings;
  const [former] = finding.formerIds ?? [];
  assert.match(former, /^[0-9a-f]{12}$/);
  assert.notEqual(former, finding.id);
  assert.equal(tangent("show", former).stdout, tangent("show", finding.id).stdout);
  assert.equal(tangent("replay", former.slice(0, 9)).status, 0);
  const { formerIds: _new, ...old } = finding;
  writeFileSync(
    join(project, "old.json"),
    JSON.stringify({ ...results, findings: [{ ...old, id: former, fingerprint: "0" }] }),
  );
  const known = tangent(
    "amplify",
    "--again",
    "--time",
    "20s",
    "-j",
    "1",
    "--json",
    "now.json",
    "--baseline",
    "old.json",
  );
  assert.equal(known.status, 1, known.stderr);
  const now = (JSON.parse(readFileSync(join(project, "now.json"), "utf8")) as CampaignResult).findings;
  assert.deepEqual(now.map(({ id, known: isKnown }) => [id === finding.id, isKnown]).sort(), [
    [false, false],
    [true, true],
  ]);
});
