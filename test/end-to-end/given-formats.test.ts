// A library that uses a format which a test gives it: that the test's literal no longer fits the values is no finding. A library that takes a
// text for a format has a bug, whatever the literal looks like.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const LIBRARY = `#include <stdarg.h>
#include <stdio.h>
static void append(const char *format, ...) {
  va_list values;
  va_start(values, format);
  vprintf(format, values);
  va_end(values);
}
void show_amount(const char *format, int amount) {
  printf(format, amount);
}
void append_amount(const char *format, int amount) {
  append(format, amount);
}
void show_text(const char *text) {
  printf(text);
}
void append_text(const char *text) {
  append(text);
}
`;
const TEST = (call: string) => `void show_amount(const char *, int);
void append_amount(const char *, int);
void show_text(const char *);
void append_text(const char *);
int main(void) {
  ${call};
  return 0;
}
`;
const CALLS = {
  test_show_amount: 'show_amount("amount", 3)',
  test_append_amount: 'append_amount("amount", 3)',
  test_show_text: 'show_text("amount")',
  test_append_text: 'append_text("amount")',
};

const project = mkdtempSync(join(tmpdir(), "tangent-formats-"));
after(() => rmSync(project, { recursive: true, force: true }));
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });

it("a literal that no longer fits the values is the test's, a text taken for a format is a finding", () => {
  for (const folder of ["src", "tests"]) mkdirSync(join(project, folder));
  writeFileSync(join(project, "src/amounts.c"), LIBRARY);
  for (const [name, call] of Object.entries(CALLS)) {
    writeFileSync(join(project, `tests/${name}.c`), TEST(call));
    const built = tangent("cc", "-g", "-o", name, `tests/${name}.c`, "src/amounts.c");
    assert.equal(built.status, 0, built.stderr);
  }
  const commands = Object.keys(CALLS).map((name) => `./${name}`);
  const { status, stderr } = tangent("test", "--time", "30s", "--", "sh", "-c", commands.join(";"));
  assert.equal(status, 1, stderr);
  const result: AmplifyCampaignResult = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8"));
  const failing = result.findings.map(({ program }) => program.split("/").at(-1));
  assert.deepEqual([...new Set(failing)].sort(), ["test_append_text", "test_show_text"]);
  const counted = Object.entries(result.notExplored).find(([what]) => what.includes("tests' own"));
  assert.ok(counted !== undefined && counted[1] >= 2, JSON.stringify(result.notExplored));
});
