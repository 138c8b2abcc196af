// A test that goes on after a call of the library that failed, and hands on a null pointer: that is no finding, but what the library does by
// itself is.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { AmplifyCampaignResult } from "../../src/report/campaign-result.js";
import type { ComposeCampaignResult } from "../../src/report/compose-result.js";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const LIBRARY = `#include "box.h"
#include <stdio.h>
#include <stdlib.h>
struct box *box_open(const char *path) {
  FILE *file = fopen(path, "r");
  char head[4] = {0};
  if (file == NULL || fread(head, 1, 4, file) != 4 || head[0] != 'B') return NULL;
  struct box *box = calloc(1, sizeof *box);
  box->count = head[1] - '0';
  if (box->count != 0) box->first = calloc(1, sizeof *box->first);
  return box;
}
static int counted(const struct box *box) {
  return box->count;
}
int box_count(const struct box *box) {
  return counted(box) + 1;
}
int box_first(const struct box *box) {
  return *box->first;
}
`;
const HEADER = "struct box { int count; int *first; };\nstruct box *box_open(const char *);\n";
const TEST = `#include "../src/box.h"
#include <stdio.h>
int box_count(const struct box *);
int box_first(const struct box *);
int main(void) {
  struct box *box = box_open("data");
  int count = box_count(box);
  printf("%d %d\\n", count, box_first(box));
  return 0;
}
`;

const project = mkdtempSync(join(tmpdir(), "tangent-handed-"));
after(() => rmSync(project, { recursive: true, force: true }));
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: project, encoding: "utf8" });

const OPAQUE = `#include "mold.h"
#include <stdlib.h>
struct plan { int steps; };
int mold_make(struct mold *mold, const char *text) {
  mold->plan = NULL;
  if (text[0] != 'M') return -1;
  mold->plan = calloc(1, sizeof *mold->plan);
  return 0;
}
static int steps_of(const struct plan *plan, int more) {
  return plan->steps + more;
}
int mold_steps(const struct mold *mold) {
  struct plan *plan = mold->plan;
  return steps_of(plan, 1);
}
`;
const OPAQUE_HEADER = `struct mold { int size; struct plan *plan; };
int mold_make(struct mold *, const char *);
int mold_steps(const struct mold *);
`;
const opaqueTest = (make: string) => `#include "../src/mold.h"
int main(void) {
  struct mold mold;
  ${make}
  return mold_steps(&mold) == 1 ? 0 : 1;
}
`;

it("so is a structure that a failed call was to fill, if the test does not look at what the call says", () => {
  for (const folder of ["src", "tests"]) mkdirSync(join(project, folder), { recursive: true });
  const files = {
    "src/mold.h": OPAQUE_HEADER,
    "src/mold.c": OPAQUE,
    "tests/test_unasked.c": opaqueTest('mold_make(&mold, "Mab");'),
    "tests/test_asked.c": opaqueTest('if (mold_make(&mold, "Mab") > 0) return 1;'),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  for (const name of ["test_unasked", "test_asked"]) {
    const built = tangent("cc", "-g", "-o", name, `tests/${name}.c`, "src/mold.c");
    assert.equal(built.status, 0, built.stderr);
  }
  assert.equal(tangent("record", "--", "sh", "-c", "./test_unasked && ./test_asked").status, 0);
  // The decision is behind everything dangerous, so amplification comes to it by an edit only.
  for (const command of [["compose", "--function", "steps_of"], ["amplify"]]) {
    const { status, stderr } = tangent(...command, "--time", "20s", "-j", "1");
    assert.equal(status, 1, stderr);
    const { findings }: ComposeCampaignResult | AmplifyCampaignResult = JSON.parse(
      readFileSync(join(project, ".tangent/report/results.json"), "utf8"),
    );
    assert.deepEqual(
      findings.map(({ program, location, isMade }) => [program.split("/").at(-1), location?.function, isMade]),
      [["test_asked", "steps_of", undefined]],
    );
  }
});

it("a null pointer that a test hands on is the test's, one of the library's own is a finding", () => {
  for (const folder of ["src", "tests"]) mkdirSync(join(project, folder), { recursive: true });
  const files = { "src/box.h": HEADER, "src/box.c": LIBRARY, "tests/test_box.c": TEST, data: "B2xx" };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
  const built = tangent("cc", "-g", "-o", "test_box", "tests/test_box.c", "src/box.c");
  assert.equal(built.status, 0, built.stderr);
  rmSync(join(project, ".tangent"), { recursive: true, force: true });
  const { status, stderr } = tangent("test", "--time", "30s", "-j", "1", "--", "./test_box");
  assert.equal(status, 1, stderr);
  const result: AmplifyCampaignResult = JSON.parse(readFileSync(join(project, ".tangent/report/results.json"), "utf8"));
  assert.deepEqual(
    result.findings.map(({ stack }) => stack.find(({ file }) => file?.endsWith("box.c"))?.function),
    ["box_first"],
  );
  const counted = Object.entries(result.notExplored).find(([what]) =>
    what.includes("null pointers that tests hand on"),
  );
  assert.ok(counted !== undefined && counted[1] >= 1, JSON.stringify(result.notExplored));
});
