// `tangent run --pointer-compare`: pointers into different objects that are compared by order or subtracted are reported, each
// place once, and what C allows is not: pointers into one object, to its end, null, equality.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const WRONG = `#include <stdio.h>
#include <stdlib.h>
static int table[4], other[4];
static int before(const char *a, const char *b) {
  return a < b;
}
int main(int argc, char **argv) {
  char x[8], y[8], *p = malloc(8), *q = malloc(8);
  int n = 0;
  for (int i = 0; i < 3; i++) n += before(x, y);
  n += p > q + 8;
  long d = &table[1] - &other[argc];
  free(p);
  free(q);
  return n + (int)d == 12345;
}
`;
const WRONG_LINES = [5, 11, 12];

const RIGHT = `#include <stdlib.h>
#include <string.h>
static int table[4];
int main(int argc, char **argv) {
  char x[8], y[8], *p = malloc(8), *old = p, *none = NULL;
  int sum = 0;
  for (int *t = table; t < table + 4; t++) sum += *t;
  for (char *c = x + 8; c-- > x;) *c = 0;
  if (x == y || p == x) sum++;
  if (none < p) sum++;
  p = realloc(p, 100);
  if (p != old) sum++;
  sum += (int)(&p[100] - p);
  memmove(x, y, argc > 100 ? 8 : 0);
  free(p);
  return sum == 12345;
}
`;

let folder = "";
const run = (name: string) =>
  spawnSync(
    "sh",
    [join(ROOT, "bin/tangent"), "run", "--pointer-compare", "-X", "-g", "--json", "run.json", `${name}.c`],
    {
      cwd: folder,
      encoding: "utf8",
    },
  );

describe("run --pointer-compare", () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-pairs-"));
    writeFileSync(join(folder, "wrong.c"), WRONG);
    writeFileSync(join(folder, "right.c"), RIGHT);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("reports each place once, and the program goes on", () => {
    const ran = run("wrong");
    assert.equal(ran.status, 99, ran.stderr);
    const { findings, end } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
    const told = findings.map((one: { kind: string; location: { line: number } }) => [one.kind, one.location.line]);
    // A comparison is made where its result is wanted, so the order is not the source's.
    told.sort((a: [string, number], b: [string, number]) => a[1] - b[1]);
    assert.deepEqual(
      told,
      WRONG_LINES.map((line) => ["unrelated-pointers", line]),
    );
    assert.equal(end.kind, "exit");
    assert.match(
      ran.stderr,
      /local variable 'x' \(8 bytes\) of main and local variable 'y' \(8 bytes\) of main are compared/,
    );
    assert.match(ran.stderr, /'table' \(16 bytes\) and global variable 'other' \(16 bytes\) are subtracted/);
  });

  it("says nothing of what C allows", () => {
    const ran = run("right");
    assert.equal(ran.status, 0, ran.stderr);
    const { findings } = JSON.parse(readFileSync(join(folder, "run.json"), "utf8"));
    assert.deepEqual(findings, []);
  });
});
