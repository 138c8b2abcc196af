// `tangent run` as a user starts it: the same standard output, exit code and signal as the program natively has, findings
// on standard error and as JSON, and a clear message with its own exit code for everything that is not a program.

import assert from "node:assert/strict";
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, test } from "node:test";

const ROOT = resolve(import.meta.dirname, "../../..");
const PROGRAMS = join(ROOT, "test/programs");
const directory = mkdtempSync(join(tmpdir(), "tangent-command-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const FINDING_STATUS = 99;
const TROUBLE_STATUS = 3;

function tangent(args: readonly string[], input = ""): SpawnSyncReturns<string> {
  return spawnSync(join(ROOT, "bin/tangent"), ["run", ...args], { input, encoding: "latin1", cwd: directory });
}

/** `name.c:LINE` of a line of the program that holds the text. */
function place(name: string, text: string): string {
  const lines = readFileSync(program(name), "utf8").split("\n");
  return `${basename(name)}.c:${lines.findIndex((line) => line.includes(text)) + 1}`;
}

function program(name: string): string {
  return join(PROGRAMS, `${name}.c`);
}

test("tangent run: the program's output and exit code are its own", () => {
  const ended = tangent([program("language/constructors")]);
  assert.equal(ended.status, 4, ended.stderr);
  assert.match(ended.stdout, /^constructor 101 as 1\n/);
  assert.equal(ended.stderr, "");
});

test("tangent run: arguments and standard input reach the program unchanged", () => {
  const echoed = tangent([program("language/program-arguments"), "plain", "two words", "", "-x"]);
  assert.match(echoed.stdout, /\n9 \[two words\]\n0 \[\]\n2 \[-x\]\n/);
  const sorted = tangent([program("correct/heap-getline")], "first\nsecond\n");
  assert.equal(sorted.stdout, "1: first\n2: second\n", sorted.stderr);
});

test("tangent run: a program that kills itself ends by that signal", () => {
  const ended = tangent([program("language/signal-death")]);
  assert.equal(ended.signal, "SIGTERM", ended.stderr);
  assert.equal(ended.stdout, "before\n");
});

test("tangent run: a finding is told on standard error with its line, and makes the exit code 99", () => {
  const ended = tangent([program("errors/heap-strcpy")]);
  assert.equal(ended.status, FINDING_STATUS, ended.stderr);
  assert.match(ended.stderr, /heap-buffer-overflow|Heap buffer overflow/);
  assert.ok(ended.stderr.includes(place("errors/heap-strcpy", "// expect:")), ended.stderr);
});

test("tangent run: a failed assertion ends by SIGABRT, as it does natively", () => {
  const ended = tangent([program("errors/assertion-invariant")]);
  assert.equal(ended.signal, "SIGABRT", ended.stderr);
  assert.ok(ended.stderr.includes(place("errors/assertion-invariant", "// expect:")), ended.stderr);
});

test("tangent run: network is refused and counted, and so are programs of the system, however they are started", () => {
  const file = join(directory, "refused.json");
  assert.equal(tangent(["--json", file, program("language/no-processes")]).status, 0);
  const { denied } = JSON.parse(readFileSync(file, "utf8")).statistics;
  assert.deepEqual(denied, { execve: 2, socket: 1 });
});

test("tangent run --json: the finding as data, with the stacks of allocation and free", () => {
  const file = join(directory, "run.json");
  tangent(["--json", file, program("errors/uaf-printf"), "hello"]);
  const json = JSON.parse(readFileSync(file, "utf8"));
  assert.equal(json.end.kind, "finding");
  assert.equal(json.findings.length, 1);
  const [finding] = json.findings;
  assert.equal(finding.kind, "heap-use-after-free");
  assert.equal(finding.access, "read");
  assert.equal(finding.location.function, "main");
  const places = (stack: { file: string; line: number }[]): string[] =>
    stack.map((frame) => `${basename(frame.file)}:${frame.line}`);
  const { allocationStack, freeStack } = finding.object;
  assert.ok(places(allocationStack).includes(place("errors/uaf-printf", "malloc(")), JSON.stringify(allocationStack));
  assert.ok(places(freeStack).includes(place("errors/uaf-printf", "free(message)")), JSON.stringify(freeStack));
});

test("tangent run --fuel: an endless loop ends in bounded time with a finding", () => {
  const ended = tangent(["--fuel", "10000000", program("errors/no-progress-loop")]);
  assert.equal(ended.status, FINDING_STATUS, ended.stderr);
  assert.match(ended.stderr, /no-progress|No progress/);
});

test("tangent run --timeout: a program that runs too long is stopped and that is said", () => {
  const ended = tangent(["--timeout", "1", program("errors/no-progress-loop")]);
  assert.equal(ended.status, TROUBLE_STATUS, ended.stderr);
  assert.match(ended.stderr, /time/);
});

test("tangent run: a missing file, a file that is no program and bad C are refused with a message", () => {
  const text = join(directory, "text");
  const bad = join(directory, "bad.c");
  writeFileSync(text, "not a program\n");
  writeFileSync(bad, "int main(void) { return 0\n");
  for (const input of [join(directory, "missing.c"), join(directory, "missing"), text, bad, "/bin/true"]) {
    const ended = tangent([input]);
    assert.equal(ended.status, TROUBLE_STATUS, `${input}: ${ended.stderr}`);
    assert.match(ended.stderr, /^tangent run: /);
    assert.doesNotMatch(ended.stderr, /\n {4}at /, "a stack trace of ours is no message");
  }
});

test("tangent run: a preprocessed source is a source", () => {
  writeFileSync(join(directory, "plain.i"), '# 7 "plain.c"\nint main(int c, char **v) { return v[1][0] - 97 + c; }\n');
  assert.equal(tangent(["plain.i", "c"]).status, 4);
  const failed = tangent(["plain.i"]);
  assert.equal(failed.status, FINDING_STATUS);
  assert.match(failed.stderr, /#0 main .*plain\.c:7:/);
});

test("tangent run: options of ours after the program are its own, and that is said unless -- says it", () => {
  const name = program("language/program-arguments");
  const noted = tangent([name, "--stats", "-X"]);
  assert.match(noted.stdout, /\n7 \[--stats\]\n/);
  assert.match(noted.stderr, /^tangent run: note: --stats is given to .*program-arguments\.c; .*\n$/);
  const plain = tangent(["--", name, "--stats"]);
  assert.match(plain.stdout, /\n7 \[--stats\]\n/);
  assert.equal(plain.stderr, "");
});

test("tangent run: with a finding it says what was refused before, which may be why", () => {
  writeFileSync(
    join(directory, "refused.c"),
    "#include <stdlib.h>\n#include <sys/socket.h>\nint main(void) { socket(AF_INET, SOCK_STREAM, 0); return *((char *)malloc(4) + 4); }\n",
  );
  assert.match(tangent(["refused.c"]).stderr, /\n==tangent== note: socket was refused\n$/);
});
