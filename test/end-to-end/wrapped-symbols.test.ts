// Tests whose functions are replaced by the linker (`--wrap`), as cmocka's are: the machine runs what the native program runs.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

const TEST = `
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int uptime(int *seconds);
int __wrap_uptime(int *seconds) { *seconds = 3600; return 0; }
time_t __real_time(time_t *t);
time_t __wrap_time(time_t *t) { return __real_time(t) > 1000 ? 42 : 7; }
static int made;
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n) { made++; return __real_malloc(n); }
int __wrap_own(void) { return 2; }
int calls_own(void);
int main(void) {
    int seconds = 0;
    uptime(&seconds);
    char *block = malloc(10);
    block[9] = 0;
    printf("%d %ld %d %d\\n", seconds, (long)time(NULL), made, calls_own());
    free(block);
    return 0;
}
`;
const LIBRARY = `int own(void) { return 1; }\n`;
const USER = `int own(void);\nint calls_own(void) { return own(); }\n`;
const WRAP = ["-Wl,--wrap=uptime,--wrap,time", "-Wl,--wrap=own", "-Xlinker", "--wrap=malloc"];

describe("names that the linker gives another meaning", { skip: process.arch !== "x64" }, () => {
  let folder = "";
  const tangent = (...words: string[]) =>
    spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
  const runsAsNatively = (name: string): void => {
    const native = spawnSync(join(folder, name), { encoding: "utf8" });
    assert.equal(native.stdout, "3600 42 1 2\n");
    const { status, stdout, stderr } = tangent("run", `./${name}`);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, native.stdout);
  };

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-wrapped-"));
    for (const [name, text] of Object.entries({ test: TEST, library: LIBRARY, user: USER }))
      writeFileSync(join(folder, `${name}.c`), text);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("in a link of objects", () => {
    for (const name of ["test", "library", "user"])
      assert.equal(tangent("cc", "-g", "-c", `${name}.c`).status, 0, `${name}.c`);
    const { status, stderr } = tangent("cc", "test.o", "library.o", "user.o", "-o", "linked", ...WRAP);
    assert.equal(status, 0, stderr);
    runsAsNatively("linked");
  });

  it("in one command", () => {
    const { status, stderr } = tangent("cc", "-g", "test.c", "library.c", "user.c", "-o", "at-once", ...WRAP);
    assert.equal(status, 0, stderr);
    runsAsNatively("at-once");
  });
});
