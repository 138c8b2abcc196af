// `tangent unit` as a user starts it: failures in words, reports, C files, the exit status, and what is said when it cannot be done.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");
const directory = mkdtempSync(join(tmpdir(), "tangent-unit-"));
after(() => rmSync(directory, { recursive: true, force: true }));

function tangent(args: readonly string[], cwd = directory): SpawnSyncReturns<string> {
  return spawnSync(join(ROOT, "bin/tangent"), args, { encoding: "latin1", cwd });
}

function source(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const PROGRAM = source(
  "program.c",
  `#include <stdio.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static int table[64];
int look(int len, struct node *p) {
  if (len > 64 && p->next == NULL)
    return table[len];
  return 0;
}
int safe(unsigned n) { return n < 64 ? table[n] : 0; }
int noisy(const char *s) {
  int n = 0;
  if (s[0] == '!') abort();
  for (int k = 0; s[k]; k++) if (s[k] == 'x') n += 2; else if (s[k] == 'y') n++;
  return n;
}
int stream(FILE *f) { return f == NULL ? 0 : fputs("x", f); }
static int both(int n) { return 10 / n; }
int main(int argc, char **argv) { (void)argv; return look(argc, NULL) + both(1); }
`,
);
const OTHER = source("other.c", "static int both(int n) { return n; }\nint use(int n) { return both(n); }\n");

test("unit: a failure is shown with its place, its arguments and its precondition, and is no bug yet", () => {
  const { status, stdout } = tangent(["unit", "look", PROGRAM]);
  assert.equal(status, 1);
  assert.match(stdout, /int look\(int len, struct node \*p\)/);
  assert.match(stdout, /ERROR: global-buffer-overflow: read of 4 bytes/);
  assert.match(stdout, /#0 look program\.c:7/);
  assert.match(stdout, /arguments {2}len = 65, \*p = all zero, p->next = NULL/);
  assert.match(stdout, /needs {6}p->next == NULL && len > 64/);
  assert.match(stdout, /4 of 4 lines, \d+ of \d+ blocks of look|\d of \d lines/);
  assert.match(stdout, /no caller has been shown to pass such arguments: this is no bug of the program yet/);
});

test("unit: nothing fails, nothing is claimed", () => {
  const { status, stdout } = tangent(["unit", "safe", PROGRAM]);
  assert.equal(status, 0);
  assert.match(stdout, /every path that such arguments can take was explored/);
  assert.doesNotMatch(stdout, /no bug of the program yet/);
  const stream = tangent(["unit", "stream", PROGRAM]);
  assert.match(stream.stdout, /fixed {5}f = NULL: FILE \* is not made/);
});

test("unit: the result as JSON, and a C file for each failure", () => {
  const words = ["unit", "look", PROGRAM, "--json", "-", "--export", "c", "made", "--quiet"];
  const { status, stdout, stderr } = tangent(words);
  assert.equal(status, 1);
  const result = JSON.parse(stdout);
  assert.equal(result.technique, "unit");
  assert.equal(result.function, "look");
  assert.deepEqual(
    result.failures.map((failure: { kind: string; arguments: unknown; precondition: { text: string }[] }) => [
      failure.kind,
      failure.precondition.map(({ text }) => text),
    ]),
    [["global-buffer-overflow", ["p->next == NULL", "len > 64"]]],
  );
  assert.deepEqual(result.failures[0].arguments[0], { words: "len", value: "65" });
  assert.deepEqual(readdirSync(join(directory, "made")), ["unit-look-1.c"]);
  assert.match(
    stderr,
    /reproduces failure 1(: AddressSanitizer sees global-buffer-overflow at .*| \(not tried: .*\))\n/,
  );
  const text = readFileSync(join(directory, "made/unit-look-1.c"), "utf8");
  assert.match(text, /extern int look\(int, void \*\);/);
  assert.match(text, /look\(65, \(void \*\)object_0\);/);
});

test("unit: what says nothing of the function is counted, once for all of it", () => {
  const complaining = source(
    "complain.c",
    `#include <stdarg.h>
#include <stdio.h>
void complain(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
}
int main(void) { complain("%d", 1); return 0; }
`,
  );
  const { stdout } = tangent(["unit", "complain", complaining, "--time", "8s", "--string", "3"]);
  assert.match(stdout, /failures {2}0\n {2}not told {2}\d+ where a format asks for further arguments than there are/);
});

test("unit: stubs, texts of another length, and parameters that may be null", () => {
  const stubbed = tangent(["unit", "use", OTHER, "--stub", "both"]);
  assert.equal(stubbed.status, 0);
  const nullable = tangent(["unit", "look", PROGRAM, "--null"]);
  assert.equal(nullable.status, 1);
  assert.match(nullable.stdout, /ERROR: null-dereference/);
  assert.match(nullable.stdout, /p == NULL/);
});

test("unit: a part that was compiled in a folder of its own, by another name", () => {
  const part = join(directory, "lib");
  mkdirSync(part);
  writeFileSync(
    join(part, "part.c"),
    `struct steps { int (*step)(int n); int count; };
static int twice(int n) { return n == 7 ? 10 / (n - 7) : 2 * n; }
struct steps steps = {twice, 1};
int walk(struct steps *all, int n) { return all->step(n); }
`,
  );
  source(
    "walks.c",
    "struct steps; extern struct steps steps; int walk(struct steps *, int); int main(void) { return walk(&steps, 1); }\n",
  );
  assert.equal(tangent(["cc", "-g", "-c", "./part.c"], part).status, 0);
  assert.equal(tangent(["cc", "-g", "-o", "walks", "walks.c", "lib/part.o"]).status, 0);
  const { status, stdout, stderr } = tangent(["unit", "walk", "walks", "--file", "lib/part.c", "--time", "20s"]);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /ERROR: division-by-zero/);
});

test("unit: of many failures the terminal shows the first in full, the others in a line each", () => {
  const cases = Array.from({ length: 13 }, (_, n) => `  case ${n}:\n    return ${n} / d;`).join("\n");
  const many = source("many.c", `int many(int n, int d) {\n  switch (n) {\n${cases}\n  }\n  return 0;\n}\n`);
  const { status, stdout } = tangent(["unit", "many", many, "--time", "20s", "--json", "many.json"]);
  assert.equal(status, 1);
  const { failures } = JSON.parse(readFileSync(join(directory, "many.json"), "utf8")) as { failures: unknown[] };
  assert.equal(failures.length, 13);
  assert.equal(stdout.match(/^ {2}arguments /gm)?.length, 10);
  assert.match(stdout, /more than 10 failures: further ones in a line each, --json has all of them\n==tangent== /);
  assert.equal(stdout.match(/^==tangent== ERROR: division-by-zero at many\.c:\d+ in many$/gm)?.length, 3);
});

test("unit: what is wrong is said, with what to do", () => {
  const missing = tangent(["unit", "lok", PROGRAM]);
  assert.equal(missing.status, 2);
  assert.match(missing.stderr, /there is no function lok; there is look/);
  const several = tangent(["unit", "both", PROGRAM, OTHER]);
  assert.equal(several.status, 2);
  assert.match(several.stderr, /several functions both, in other\.c, program\.c: choose one by --file/);
  const chosen = tangent(["unit", "both", PROGRAM, OTHER, "--file", "other.c"]);
  assert.equal(chosen.status, 0);
  assert.equal(tangent(["unit", "both", PROGRAM, OTHER, "--file", "program.c"]).status, 1);
  const elsewhere = tangent(["unit", "look", PROGRAM, "--file", "other.c"]);
  assert.equal(elsewhere.status, 2);
  assert.match(elsewhere.stderr, /no function look in other\.c, but in .*program\.c/);
  const plain = source("plain.ll", "define i32 @f(i32 %0) {\n  ret i32 %0\n}\n");
  const bare = tangent(["unit", "f", plain]);
  assert.equal(bare.status, 3);
  assert.match(bare.stderr, /f was compiled without debug information/);
  assert.equal(tangent(["unit", "look", PROGRAM, "--export", "rust", "x"]).status, 2);
  assert.equal(tangent(["unit", "look", PROGRAM, "--program", PROGRAM]).status, 2);
  const stub = tangent(["unit", "look", PROGRAM, "--stub", "nosiy"]);
  assert.equal(stub.status, 2);
  assert.match(stub.stderr, /--stub: there is no function nosiy; there is noisy/);
  const spaced = tangent(["unit", "look", PROGRAM, "--time", "5", "s"]);
  assert.equal(spaced.status, 2);
  assert.match(spaced.stderr, /^tangent unit: s: no such file$/m);
  const none = tangent(["unit", "look"]);
  assert.equal(none.status, 2);
  assert.match(none.stderr, /of which program\?/);
});

test("unit: in a project it is the program of the recorded tests that has the function", () => {
  const project = join(directory, "project");
  mkdirSync(project);
  writeFileSync(join(project, "program.c"), readFileSync(join(directory, PROGRAM)));
  writeFileSync(join(project, "small.c"), "int main(void) { return 0; }\n");
  assert.equal(tangent(["cc", "program.c", "-o", "program"], project).status, 0);
  assert.equal(tangent(["cc", "small.c", "-o", "small"], project).status, 0);
  assert.equal(tangent(["record", "--", "sh", "-c", "./small; ./small 1; ./program; true"], project).status, 0);
  const { status, stdout, stderr } = tangent(["unit", "look"], project);
  assert.equal(status, 1, stderr);
  assert.match(stdout, /needs {6}p->next == NULL && len > 64/);
  const missing = tangent(["unit", "lok"], project);
  assert.equal(missing.status, 2);
});

test("unit: Ctrl-C ends it and keeps what was found", async () => {
  const args = ["unit", "noisy", PROGRAM, "--string", "64", "--time", "120s", "--json", "stopped.json"];
  const child = spawn(join(ROOT, "bin/tangent"), args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const before = text.includes("needs");
    text += chunk.toString();
    // The first failure is told: it is under way, and there is something to keep.
    if (!before && text.includes("needs")) child.kill("SIGINT");
  });
  const [status] = (await once(child, "close")) as [number | null];
  assert.match(text, /stopped by the user/);
  assert.equal(status, 1);
  const result = JSON.parse(readFileSync(join(directory, "stopped.json"), "utf8"));
  assert.deepEqual([result.reason, result.failures.length], ["aborted", 1]);
});
