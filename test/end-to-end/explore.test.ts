// `tangent explore` and `tangent replay` as a user starts them: inputs are derived, findings shown with the input that shows
// them, everything written is read again by the tools it is for, and mistakes are told with an exit code of their own.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { decodeKTest } from "../../src/report/ktest.js";

const ROOT = resolve(import.meta.dirname, "../../..");
const directory = mkdtempSync(join(tmpdir(), "tangent-explore-"));
after(() => rmSync(directory, { recursive: true, force: true }));

function tangent(args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(join(ROOT, "bin/tangent"), args, { encoding: "latin1", cwd: directory });
}

function source(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

test("explore: klee_choose is one of so many, and what a path ended at is named", () => {
  const program = source(
    "choose.c",
    `#include <klee/klee.h>
#include <assert.h>
typedef unsigned four __attribute__((vector_size(16)));
int main(void) {
  unsigned long k = klee_choose(5);
  int table[5] = {3, 1, 4, 1, 5};
  four wide = {1, 2, 3, 4};
  klee_print_expr("a vector", wide);
  assert(table[k] != 4);
  klee_define_fixed_object((void *)4096, 4);
  return 0;
}
`,
  );
  const { stdout, stderr, status } = tangent(["explore", "-o", "choose", program]);
  assert.equal(status, 1, stderr);
  assert.match(stdout + stderr, /klee_choose \(8 bytes\).*= 2/);
  assert.match(stdout + stderr, /findings {2}1\n/);
  assert.match(stderr, /ended at something unsupported: a call of klee_define_fixed_object, which is defined nowhere/);
});

test("explore: a command line of KLEE's does what it says, notes what is needless, and writes the files its scripts look for", () => {
  const program = source(
    "klee-words.c",
    `#include <klee/klee.h>
void poof(void);
int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 1) poof();
  if (x == 2) klee_assume(x == 3);
  return 0;
}
`,
  );
  const words = ["-output-dir=klee-words", "--search=nurs:covnew", "--libc=uclibc", "--optimize", "-max-time=60"];
  const { stderr, status } = tangent(["explore", ...words, program]);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /note: --libc=uclibc: libc is always part/);
  const errors = readdirSync(join(directory, "klee-words")).filter((name) => name.endsWith(".err"));
  assert.deepEqual(errors.map((name) => name.replace(/^test\d+/, "")).sort(), [".external.err", ".user.err"]);
  const refused = tangent(["explore", "--max-forks=3", program]);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /--max-forks=3 is KLEE's: .*--max-paths/);
});

const BYTES = source(
  "bytes.c",
  `#include <unistd.h>
int main(void) {
  char b[4] = {0};
  int table[4] = {1, 2, 3, 4};
  if (read(0, b, 4) != 4) return 9;
  if (b[0] == 'x') {
    if (b[1] > '5') return table[b[2] & 7] > 2;
    return 2;
  }
  if (b[3] == 7) return 10 / (b[2] - 3) > 1;
  return 0;
}
`,
);

test("tangent explore: errors are found with the input that shows them, and every test replays as recorded", () => {
  const explored = tangent(["explore", "--output", "bytes", "--sym-stdin", "4", BYTES]);
  assert.equal(explored.status, 1, explored.stderr);
  assert.match(explored.stderr, /division-by-zero.*\n {4}#0 main bytes.c:10/);
  assert.match(explored.stderr, /stack-buffer-overflow: read of 4 bytes.*\n {4}#0 main bytes.c:7/);
  assert.match(explored.stderr, /stdin \(4 bytes\): /);
  assert.match(explored.stderr, /every feasible path was explored/);
  const files = readdirSync(join(directory, "bytes"));
  for (const wanted of ["info", "statistics.json", "coverage.csv", "coverage.lcov", "tests.csv", "test-suite"]) {
    assert.ok(files.includes(wanted), `${wanted} in ${files}`);
  }
  assert.ok(files.some((name) => /^test\d{6}\.div\.err$/.test(name)));
  const first = decodeKTest(readFileSync(join(directory, "bytes/test000001.ktest")));
  assert.ok(first.kind === "ktest");
  if (first.kind === "ktest") {
    assert.deepEqual(
      first.ktest.objects.map(({ name }) => name),
      ["stdin", "stdin_stat", "model_version"],
    );
  }
  const replayed = tangent(["replay", "bytes"]);
  assert.equal(replayed.status, 0, replayed.stdout + replayed.stderr);
  assert.match(replayed.stdout, /, 0 otherwise, 0 without a record\n$/);
});

test("tangent replay: a finding's folder, its raw bytes, and the native program", () => {
  const finding = readdirSync(join(directory, "bytes/findings")).find((name) => name.includes("division")) ?? "";
  const folder = join("bytes/findings", finding);
  const inVm = tangent(["replay", folder]);
  assert.equal(inVm.status, 0, inVm.stderr);
  assert.match(inVm.stdout, /division-by-zero in main at .*bytes.c:10, as recorded/);
  const raw = tangent(["replay", "--program", BYTES, join(folder, "stdin")]);
  assert.equal(raw.status, 1);
  assert.match(raw.stdout, /stdin: division-by-zero in main/);
  const built = tangent(["cc", "-o", "bytes-native", BYTES]);
  assert.equal(built.status, 0, built.stderr);
  const native = tangent(["replay", "--native", "--program", "./bytes-native", folder]);
  assert.equal(native.status, 0, native.stderr);
  assert.match(native.stdout, /exit 136 \(SIGFPE\), recorded: division-by-zero/);
  const script = spawnSync(join(directory, folder, "reproduce.sh"), ["./bytes-native"], { cwd: directory });
  assert.equal(script.status, 136);
});

test("tangent explore: arguments, as many as there may be, and the program's own symbolic objects", () => {
  const name = source(
    "words.c",
    `#include <klee/klee.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n;
  klee_make_symbolic(&n, sizeof n, "n");
  if (argc == 3 && !strcmp(argv[1], "-k") && argv[2][0] == 'q' && n == 77) abort();
  return 0;
}
`,
  );
  const explored = tangent(["explore", "-o", "words", "--search", "dfs", name, "--sym-args", "0", "2", "2"]);
  assert.equal(explored.status, 1, explored.stderr);
  assert.match(explored.stderr, /abort/);
  assert.match(explored.stderr, /input: words.c -k q/);
  assert.match(explored.stderr, /n \(4 bytes\): 4d 00 00 00 {2}= 77/);
  assert.equal(tangent(["replay", "words"]).status, 0);
});

test("tangent explore: a seed leads, and its neighbours are found from it", () => {
  const name = source(
    "magic.c",
    `#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  char b[9] = {0};
  FILE *f = fopen(argv[1], "r");
  if (!f || fread(b, 1, 8, f) != 8) return 1;
  if (strncmp(b, "MAGIC", 5)) return 2;
  if (b[5] == '7' && b[6] == '!') return *(volatile char *)0;
  return 0;
}
`,
  );
  mkdirSync(join(directory, "corpus"));
  writeFileSync(join(directory, "corpus/one"), "MAGIC...");
  const explored = tangent(["explore", "-o", "magic", "--stop-at-first", "--seed", "corpus", name, "@@"]);
  assert.equal(explored.status, 1, explored.stderr);
  assert.match(explored.stderr, /null-dereference/);
  assert.match(explored.stderr, /file A \(8 bytes\): "MAGIC7!\."/);
});

test("tangent explore: limits end it, and events are JSON lines", () => {
  const ended = tangent(["explore", "-q", "--json", "-o", "limited", "--max-paths", "3", "--sym-stdin", "4", BYTES]);
  assert.ok(ended.status === 0 || ended.status === 1, ended.stderr);
  const events = ended.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { event: string; reason?: string });
  assert.equal(events.filter(({ event }) => event === "path").length, 3);
  assert.ok(events.some(({ event, reason }) => event === "done" && reason === "paths"));
});

const STEPS = source(
  "steps.c",
  `#include <unistd.h>
int main(void) {
  char b[6];
  int x = 2, y = 2;
  if (read(0, b, 6) != 6) return 9;
  for (int i = 0; i < 6; i++) {
    if (b[i] == 'l') x--;
    else if (b[i] == 'r') x++;
    else if (b[i] == 'u') y--;
    else if (b[i] == 'd') y++;
    else return 1;
    if (x < 0 || y < 0 || x > 4 || y > 4) return 2;
  }
  return 0;
}
`,
);

interface Numbers {
  readonly paths: number;
  readonly complete: boolean;
  readonly divergences: number;
  readonly reason: string;
}
function numbers(folder: string): Numbers {
  return JSON.parse(readFileSync(join(directory, folder, "statistics.json"), "utf8")) as Numbers;
}

test("tangent explore: what is found does not depend on the number of threads", () => {
  assert.equal(tangent(["explore", "-q", "-o", "steps1", "--sym-stdin", "6", STEPS]).status, 0);
  const alone = numbers("steps1");
  assert.ok(alone.complete && alone.paths > 1000, JSON.stringify(alone));
  const together = tangent(["explore", "-q", "-o", "steps3", "--workers", "3", "--sym-stdin", "6", STEPS]);
  assert.equal(together.status, 0, together.stderr);
  const { paths, complete, divergences } = numbers("steps3");
  assert.deepEqual({ paths, complete, divergences }, { paths: alone.paths, complete: true, divergences: 0 });
});

test("tangent explore: what was stopped is gone on with, and nothing is explored twice or lost", () => {
  tangent(["explore", "-q", "-o", "parts", "--max-paths", "300", "--sym-stdin", "6", STEPS]);
  assert.equal(numbers("parts").paths, 300);
  const more = tangent(["explore", "--resume", "parts", "--max-paths", "200"]);
  assert.equal(more.status, 0, more.stderr);
  assert.match(more.stderr, /resumed with \d+ pending paths/);
  assert.equal(numbers("parts").paths, 500);
  assert.equal(tangent(["explore", "-q", "--resume", "parts"]).status, 0);
  assert.equal(numbers("parts").paths, numbers("steps1").paths);
  assert.ok(numbers("parts").complete);
  const crew = ["explore", "-q", "-o", "crew", "--workers", "2", "--max-paths", "100", "--sym-stdin", "6", STEPS];
  assert.equal(tangent(crew).status, 0);
  const unkept = tangent(["explore", "--resume", "crew"]);
  assert.equal(unkept.status, 3);
  assert.match(unkept.stderr, /several threads/);
  for (const option of ["--workers 2", "--sym-stdin 4", "--mode eager", "--seed x", "--heap 9"]) {
    const changed = tangent(["explore", "--resume", "parts", ...option.split(" ")]);
    assert.equal(changed.status, 2, option);
    assert.ok(changed.stderr.includes(`${option.split(" ")[0]} cannot be changed`), changed.stderr);
  }
  const again = tangent(["explore", "--resume", "parts"]);
  assert.equal(again.status, 3);
  assert.match(again.stderr, /nothing is left to explore/);
});

test("tangent explore: a kill in the middle loses nothing", async () => {
  const journal = join(directory, "killed/resume/journal.bin");
  const child = spawn(
    join(ROOT, "bin/tangent"),
    ["explore", "-q", "-o", "killed", "--search", "dfs", "--sym-stdin", "6", STEPS],
    {
      cwd: directory,
      stdio: "ignore",
      detached: true,
    },
  );
  const ended = once(child, "exit");
  // As soon as something is on the disk; if it was faster than we look, there is nothing to kill, and the rest must hold too.
  while (child.exitCode === null && !(existsSync(journal) && statSync(journal).size > 0)) {
    await new Promise((look) => setTimeout(look, 20));
  }
  if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await ended;
  if (existsSync(join(directory, "killed/statistics.json")) && numbers("killed").complete) return;
  const resumed = tangent(["explore", "-q", "--resume", "killed"]);
  assert.equal(resumed.status, 0, resumed.stderr);
  const { paths, complete, divergences } = numbers("killed");
  assert.deepEqual(
    { paths, complete, divergences },
    { paths: numbers("steps1").paths, complete: true, divergences: 0 },
  );
});

test("tangent explore: mistakes and what is missing are told apart by their exit codes", () => {
  for (const [args, status, message] of [
    [["--sym-stdin", "many", BYTES], 2, /--sym-stdin needs N: many is not a number/],
    [["--search", "clever", BYTES], 2, /there is no clever/],
    [["--max-time", "soon", BYTES], 2, /needs a time/],
    [["--seed", "nowhere", BYTES], 2, /nowhere/],
    [["missing.c"], 3, /missing.c/],
    [["-o", "bytes", BYTES], 3, /bytes is not empty.*--resume bytes/],
  ] as const) {
    const ended = tangent(["explore", ...args]);
    assert.equal(ended.status, status, `${args.join(" ")}: ${ended.stderr}`);
    assert.match(ended.stderr, message);
  }
  source("corrupt.ktest", "KTEST\0\0\0\x03\0\0\xff");
  const corrupt = tangent(["replay", "--program", BYTES, "corrupt.ktest"]);
  assert.equal(corrupt.status, 3);
  assert.match(corrupt.stderr, /corrupt.ktest: at byte 9: /);
  assert.ok(!existsSync(join(directory, "tangent-out-1/test000001.ktest")));
});

test("tangent explore: findings have identities and causes that a rebuild does not change, and witnesses no byte too many", () => {
  const text = (lines: string): string => `#include <stdlib.h>
#include <unistd.h>
#define WORD(p) ((p)[0] | (p)[1] << 8)
${lines}static int first(unsigned char *p) { return WORD(p + 1); }
static int second(unsigned char *p) { return WORD(p + 1); }
int main(void) {
  unsigned char b[4];
  if (read(0, b, 4) != 4) return 9;
  unsigned char *p = calloc(2, 1);
  if (b[1] == 'f') return first(p);
  if (b[1] == 's') return second(p);
  if (b[2] == 'd') return 7 / (b[3] - 'x');
  return 0;
}
`;
  interface Told {
    readonly id: string;
    readonly group: string;
    readonly fingerprint: string;
    readonly kind: string;
    readonly input: { readonly stdin: string };
  }
  const findings = (folder: string, lines: string): Map<string, Told> => {
    const name = source("causes.c", text(lines));
    assert.equal(tangent(["explore", "--output", folder, "--sym-stdin", "4", name]).status, 1);
    const below = join(directory, folder, "findings");
    const told = readdirSync(below).map((one) => {
      const whole = JSON.parse(readFileSync(join(below, one, "finding.json"), "utf8"));
      return [`${whole.kind} in ${whole.location.function}`, whole as Told] as const;
    });
    return new Map(told);
  };
  const before = findings("causes", "");
  const names = ["heap-buffer-overflow in first", "heap-buffer-overflow in second", "division-by-zero in main"];
  assert.deepEqual([...before.keys()].sort(), [...names].sort());
  const [first, second, division] = names.map((name) => before.get(name));
  assert.notEqual(first?.group, second?.group, "one macro, two mistakes");
  assert.notEqual(first?.id, second?.id);
  assert.notEqual(first?.group, division?.group);
  assert.deepEqual([first?.input.stdin, division?.input.stdin], ["00660000", "00006478"]);
  const again = findings("causes-again", "");
  assert.deepEqual([...again.values()].map(({ id }) => id).sort(), [...before.values()].map(({ id }) => id).sort());
  const moved = findings("causes-moved", "/* A line more. */\n");
  for (const name of names) {
    assert.equal(moved.get(name)?.id, before.get(name)?.id, name);
    assert.equal(moved.get(name)?.fingerprint, before.get(name)?.fingerprint, name);
  }
});
