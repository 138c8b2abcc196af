import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { NO_INPUTS } from "../../inputs/symbolic-inputs.js";
import type { TestInput } from "../../inputs/test-input.js";
import { loadModule } from "../../jit/load-module.js";
import { DEFAULT_COMPILE_OPTIONS } from "../../jit/options.js";
import { loadProgram } from "../../program/load.js";
import { DEFAULT_LIMITS } from "../../vm/run-options.js";
import { type ComparedInput, compareInput, type ProgramVersion } from "./behaviour-item.js";
import { compareBehaviour, severityOf } from "./compare.js";
import { type ObservedRun, OTHER_WORLD, runForBehaviour } from "./observe.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-behaviour-"));
after(() => rmSync(folder, { recursive: true }));
const LIMITS = { ...DEFAULT_LIMITS, instructions: 20_000_000 };

/** Does what its first argument says; the two versions differ where OLD is. */
const SOURCE = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <sys/socket.h>
#include <unistd.h>
#include <assert.h>
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "same")) { puts("hello"); return 3; }
  if (!strcmp(what, "version")) { puts(OLD ? "prog (GNU prog) 1.2-3-dirty" : "prog (GNU prog) 1.3"); return 0; }
  if (!strcmp(what, "output")) { puts("one"); puts(OLD ? "two" : "2"); return 0; }
  if (!strcmp(what, "status")) return OLD ? 0 : 1;
  if (!strcmp(what, "error")) { fputs(OLD ? "bad\\n" : "worse\\n", stderr); return 0; }
  if (!strcmp(what, "time")) { time_t now = time(0) - (OLD ? 1 : 0); printf("%lld\\nend\\n", (long long)now); return 0; }
  if (!strcmp(what, "time-and-more")) { printf("%lld\\n%s\\n", (long long)time(0) - OLD, OLD ? "a" : "b"); return 0; }
  if (!strcmp(what, "order")) { puts(OLD ? "a\\nb" : "b\\na"); return 0; }
  if (!strcmp(what, "file")) {
    FILE *f = fopen("out.txt", "w");
    fputs(OLD ? "x\\n" : "y\\n", f);
    fclose(f);
    return 0;
  }
  if (!strcmp(what, "remove")) { if (!OLD) unlink("given.txt"); return 0; }
  if (!strcmp(what, "mode")) { chmod("given.txt", OLD ? 0600 : 0640); return 0; }
  if (!strcmp(what, "temporary")) {
    char name[] = "/tmp/progXXXXXX";
    if (!OLD) { char other[] = "/tmp/progXXXXXX"; close(mkstemp(other)); unlink(other); }
    close(mkstemp(name));
    puts(name);
    return 0;
  }
  if (!strcmp(what, "crash")) { char *room = malloc(4); room[OLD ? 3 : 4] = 1; putchar(room[0] * 0 + '.'); return 0; }
  if (!strcmp(what, "fixed")) { char *room = malloc(4); room[OLD ? 4 : 3] = 1; return 0; }
  if (!strcmp(what, "both")) { char *room = malloc(4); room[OLD ? 4 : 5] = 1; return 0; }
  if (!strcmp(what, "signal")) { if (!OLD) raise_(); return 0; }
  if (!strcmp(what, "connection")) { if (!OLD && socket(1, 1, 0) < 0) { perror("socket"); return 1; } return 0; }
  if (!strcmp(what, "connections")) { puts(OLD ? "a" : "b"); if (socket(1, 1, 0) < 0) return 1; return 0; }
  if (!strcmp(what, "loop")) { for (volatile int i = 0; !OLD; i++); return 0; }
  return 9;
}
`;
const RAISE = "#include <signal.h>\n#include <unistd.h>\nstatic void raise_(void) { kill(getpid(), SIGTERM); }\n";

async function version(name: string, old: number): Promise<ProgramVersion> {
  const path = join(folder, name, "prog.c");
  mkdirSync(join(folder, name));
  writeFileSync(path, `${RAISE}#define OLD ${old}\n${SOURCE}`);
  const compile = DEFAULT_COMPILE_OPTIONS;
  const loaded = await loadProgram([path], { env: process.env, clang: null, flags: ["-g"], compile });
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  const { image } = loaded;
  return { image, module: loadModule(image), roots: [join(folder, name)] };
}

function input(what: string): TestInput {
  return {
    program: "./prog",
    workingDirectory: folder,
    environment: [],
    inputs: { ...NO_INPUTS, words: [{ kind: "fixed", bytes: Buffer.from(what) }] },
    values: [],
    given: { files: [{ path: join(folder, "given.txt"), bytes: Buffer.from("given\n") }] },
  };
}

describe("behaviour of two versions", () => {
  let old: ProgramVersion;
  let fresh: ProgramVersion;
  before(async () => {
    old = await version("old", 1);
    fresh = await version("new", 0);
  });
  const compared = (what: string): ComparedInput => compareInput(old, fresh, input(what), LIMITS);
  const changed = (what: string): Extract<ComparedInput, { kind: "changed" }> => {
    const one = compared(what);
    assert.ok(one.kind === "changed", `${what}: ${one.kind}`);
    return one;
  };

  it("observes output, status and files", () => {
    const run = runForBehaviour(fresh.image, fresh.module, input("file"), LIMITS);
    assert.deepEqual(run.end, { kind: "exit", code: 0 });
    assert.deepEqual(
      run.files.map(({ path, kind, bytes }) => [path, kind, Buffer.from(bytes).toString()]),
      [[join(folder, "out.txt"), "file", "y\n"]],
    );
    const same = runForBehaviour(fresh.image, fresh.module, input("same"), LIMITS);
    assert.equal(Buffer.from(same.stdout).toString(), "hello\n");
    assert.deepEqual(same.end, { kind: "exit", code: 3 });
    assert.deepEqual(same.files, []);
  });

  it("a run sees nothing of those before it", () => {
    const run = (what: string): Omit<ObservedRun, "instructions"> => {
      const { instructions: _, ...rest } = runForBehaviour(fresh.image, fresh.module, input(what), LIMITS);
      return rest;
    };
    const kinds = ["file", "temporary", "crash", "loop", "same"];
    const first = kinds.map(run);
    assert.deepEqual(kinds.toReversed().map(run).toReversed(), first);
  });

  it("what is the same, or differs only in noise or by chance, is no change", () => {
    for (const what of ["same", "version", "time", "temporary", "both"])
      assert.equal(compared(what).kind, "same", what);
  });

  it("tells output, status and files that differ, and nothing else", () => {
    assert.deepEqual(changed("output").differences, [
      { what: "standard output", before: "one\ntwo\n", after: "one\n2\n" },
    ]);
    assert.deepEqual(changed("status").differences, [{ what: "exit status", before: "0", after: "1" }]);
    assert.deepEqual(changed("error").differences, [{ what: "standard error", before: "bad\n", after: "worse\n" }]);
    assert.deepEqual(changed("file").differences, [{ what: "the file out.txt", before: "x\n", after: "y\n" }]);
    assert.deepEqual(changed("remove").differences, [
      { what: "the file given.txt", before: "(nothing)", after: "(removed)" },
    ]);
    assert.deepEqual(changed("mode").differences, [
      { what: "the file given.txt", before: "file, mode 0600", after: "file, mode 0640" },
    ]);
    assert.match(changed("order").differences[0].after, /^\(the same lines in another order\)\n/);
    for (const what of ["output", "status", "file"]) assert.equal(changed(what).severity, "different");
  });

  it("a line that differs by chance does not hide one that does not", () => {
    assert.equal(changed("time-and-more").differences[0].what, "standard output");
  });

  it("a finding, a signal or no end only in the new version is a crash, only in the old one a fix", () => {
    const { severity, differences } = changed("crash");
    assert.equal(severity, "crash");
    assert.equal(differences[0].what, "finding");
    assert.equal(differences[0].before, "none, exit status 0");
    assert.match(differences[0].after, /^heap-buffer-overflow in main at .*new\/prog\.c:\d+: /);
    assert.ok(!differences.some(({ what }) => what === "exit status"));
    assert.equal(changed("fixed").severity, "fixed");
    assert.deepEqual(changed("signal").differences, [{ what: "exit status", before: "0", after: "SIGTERM" }]);
    assert.equal(changed("signal").severity, "crash");
    assert.match(changed("loop").differences[0].after, /^no-progress/);
  });

  it("a run that was cut short says nothing", () => {
    const none = { ...LIMITS, milliseconds: 0 };
    assert.equal(compareInput(old, fresh, input("loop"), none).kind, "unknown");
  });

  it("a connection that is refused to one version only says nothing, one that is refused to both does not matter", () => {
    const one = compared("connection");
    assert.ok(one.kind === "unknown");
    assert.equal(one.why, "only one version calls socket, which the machine refuses");
    assert.deepEqual(changed("connections").differences, [{ what: "standard output", before: "a\n", after: "b\n" }]);
  });
});

describe("comparing runs", () => {
  const run = (stdout: string, parts: Partial<ObservedRun> = {}): ObservedRun => ({
    end: { kind: "exit", code: 0 },
    stdout: Buffer.from(stdout, "latin1"),
    stderr: Buffer.alloc(0),
    files: [],
    finding: null,
    instructions: 1,
    refused: {},
    ...parts,
  });

  it("long texts are shown where they differ, with how much is left out", () => {
    const many = "line\n".repeat(2000);
    const [{ before: one, after: two }] = compareBehaviour(run(`${many}a\n${many}`), run(`${many}b\n${many}`));
    for (const text of [one, two]) {
      assert.ok(text.length < 2200);
      assert.match(text, /^… \d+ characters before this\n/);
      assert.match(text, /… \d+ characters after this$/);
    }
    assert.match(one, /\na\n/);
    assert.match(two, /\nb\n/);
  });

  it("bytes that are no text are compared too", () => {
    assert.deepEqual(compareBehaviour(run("\xff\xfe"), run("\xff\xfd")), [
      { what: "standard output", before: "\\xff\\xfe", after: "\\xff\\xfd" },
    ]);
    assert.equal(compareBehaviour(run("\xe9"), run("\xc3\xa9")).length, 1, "the same letter in two encodings");
    assert.equal(compareBehaviour(run("\xe9"), run("\\xe9")).length, 1, "an escape and what it stands for");
  });

  it("several temporary files are several", () => {
    const file = (name: string, text: string): ObservedRun["files"][0] => {
      const bytes = Buffer.from(text);
      return { path: `/tmp/x${name}`, kind: "file", bytes, size: bytes.length, mode: 0o600 };
    };
    const before = run("", { files: [file("AbCdE1", "a"), file("ZbCdE2", "z")] });
    assert.deepEqual(compareBehaviour(before, run("", { files: [file("BbCdE3", "a"), file("CbCdE4", "z")] })), []);
    const [{ what }] = compareBehaviour(before, run("", { files: [file("BbCdE3", "b"), file("CbCdE4", "z")] }));
    assert.equal(what, "the file /tmp/<temporary>");
  });

  it("what a run that failed did not come to is no difference of its own", () => {
    const finding = { kind: "null-dereference", message: "", function: "main", file: null, line: 1 };
    const failed = (stdout: string): ObservedRun => run(stdout, { end: { kind: "finding" }, finding });
    const whats = (old: ObservedRun, fresh: ObservedRun): string[] => {
      return compareBehaviour(old, fresh).map(({ what }) => what);
    };
    assert.deepEqual(whats(run("one\ntwo\n"), failed("one\n")), ["finding"]);
    assert.deepEqual(whats(failed(""), run("one\n")), ["finding"]);
    assert.deepEqual(whats(run("one\ntwo\n"), failed("three\n")), ["finding", "standard output"]);
    assert.deepEqual(whats(run("one\n"), failed("one\ntwo\n")), ["finding", "standard output"]);
    assert.deepEqual(whats(run("one\ntwo\n"), run("one\n")), ["standard output"]);
  });

  it("a status that a shell makes of a signal is a crash", () => {
    const failed = run("", { end: { kind: "exit", code: 134 } });
    assert.equal(severityOf(run(""), failed), "crash");
    assert.equal(severityOf(failed, run("")), "fixed");
    assert.equal(severityOf(failed, failed), "different");
    assert.equal(severityOf(run(""), run("", { end: { kind: "exit", code: 2 } })), "different");
  });

  it("the other world is another one", () => {
    assert.notEqual(OTHER_WORLD.seed, 1);
    assert.ok(OTHER_WORLD.startTimeMs - Date.UTC(2024, 0, 1) >= 86_400_000);
  });
});
