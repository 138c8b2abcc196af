import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Invocation } from "../inputs/invocation.js";
import { loadModule } from "../jit/load-module.js";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import { testOfInvocation } from "../project/invocation-test.js";
import { type ObservedRun, OTHER_WORLD, runForBehaviour } from "../techniques/behaviour/observe.js";
import { endInWords, patchObserved } from "../techniques/behaviour/observed-output.js";
import { DEFAULT_LIMITS } from "../vm/run-options.js";
import { renderPatchTest } from "./patch-export.js";
import { patchInput, patchResult, patchTarget } from "./patch-fixture.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-observed-"));
after(() => rmSync(folder, { recursive: true }));

function run(stdout: string, parts: Partial<ObservedRun> = {}): ObservedRun {
  const nothing = { stderr: new Uint8Array(0), files: [], finding: null, instructions: 1, refused: {} };
  return { end: { kind: "exit", code: 3 }, stdout: Buffer.from(stdout), ...nothing, ...parts };
}

test("what was observed is what it was both times, and not too long", () => {
  assert.deepEqual(patchObserved(run("a"), run("a")), {
    status: 3,
    stdout: "YQ==",
    stderr: "",
    varies: [],
    how: "exit",
  });
  assert.deepEqual(patchObserved(run("a"), run("b")), {
    status: 3,
    stdout: "",
    stderr: "",
    varies: ["stdout"],
    how: "exit",
  });
  assert.deepEqual(patchObserved(run("a"), null).varies, []);
  assert.deepEqual(patchObserved(run("a".repeat(100_000)), null).varies, ["stdout"]);
});

test("a run that failed has no status that a test could expect", () => {
  assert.equal(patchObserved(run("", { end: { kind: "signal", signal: 11 } }), null).status, null);
  assert.equal(patchObserved(run("", { end: { kind: "finding" } }), null).status, null);
});

test("what a test must know of a run besides: how it ended, and what the machine refused it", () => {
  assert.equal(patchObserved(run("", { end: { kind: "unknown", why: "no time" } }), null).how, "unknown");
  const finding = { kind: "abort", message: "", function: "f", file: null, line: 0 };
  assert.equal(patchObserved(run("", { finding }), null).how, "finding");
  assert.equal(patchObserved(run(""), null).isRefused, undefined);
  assert.equal(patchObserved(run("", { refused: { execve: 1 } }), null).isRefused, true);
});

test("how a run ended is told in a few words", () => {
  assert.equal(endInWords(run("")), "exit status 3");
  assert.equal(endInWords(run("", { end: { kind: "signal", signal: 11 } })), "SIGSEGV");
  assert.equal(
    endInWords(run("", { end: { kind: "unknown", why: "it met the limit of time" } })),
    "it met the limit of time",
  );
  const finding = { kind: "division-by-zero", message: "", function: "mean", file: null, line: 0 };
  assert.equal(endInWords(run("", { end: { kind: "finding" }, finding })), "division-by-zero in mean");
});

const SOURCE = `
#include <stdio.h>
#include <string.h>
#include <time.h>
int main(int argc, char **argv) {
  char line[100];
  FILE *file = argc > 2 ? fopen(argv[2], "r") : NULL;
  if (file == NULL) { fprintf(stderr, "%s: cannot open %s\\n", argv[0], argc > 2 ? argv[2] : "nothing"); return 2; }
  while (fgets(line, sizeof line, file)) printf("file: %s", line);
  while (fgets(line, sizeof line, stdin)) printf("input: %s", line);
  if (!strcmp(argv[1], "time")) printf("%lld\\n", (long long)time(NULL));
  return !strcmp(argv[1], "one");
}
`;

test("the native program does what was observed in the machine", async (context) => {
  const source = join(folder, "prog.c");
  const program = join(folder, "prog");
  writeFileSync(source, SOURCE);
  if (spawnSync("cc", ["-w", "-o", program, source]).status !== 0) return context.skip("needs a C compiler");
  const loaded = await loadProgram([source], {
    env: process.env,
    clang: null,
    flags: [],
    compile: DEFAULT_COMPILE_OPTIONS,
  });
  assert.ok(loaded.kind === "loaded");
  const { image } = loaded;
  const module = loadModule(image);
  const workingDirectory = "/somewhere/else";
  const bytes = Buffer.from("one\ntwo %s 'three'\n");
  for (const [words, status, varies] of [
    [["one", "data"], 1, []],
    [["two", "/somewhere/else/data"], 0, []],
    [["two", "none"], 2, []],
    [["time", "data"], 0, ["stdout"]],
  ] as const) {
    const invocation: Invocation = {
      program: "../src/prog",
      arguments: words.map((word) => Buffer.from(word)),
      environment: [],
      workingDirectory,
      umask: 0o022,
      stdin: { kind: "bytes", bytes: Buffer.from("typed\n"), regularFile: false },
      tree: [{ kind: "file", path: `${workingDirectory}/data`, bytes, mode: 0o644 }],
    };
    const input = testOfInvocation(invocation, folder);
    const [first, second] = [undefined, OTHER_WORLD].map((world) =>
      runForBehaviour(image, module, input, DEFAULT_LIMITS, world),
    );
    const observed = patchObserved(first, second);
    assert.equal(observed.status, status);
    assert.deepEqual(observed.varies, varies);
    const target = patchTarget(3, { kind: "reached", input: 0, by: "greedy", milliseconds: 1 });
    const kept = patchInput({
      command: ["../src/prog", ...words],
      environment: [],
      workingDirectory,
      stdin: Buffer.from("typed\n").toString("base64"),
      tree: [{ kind: "file", path: `${workingDirectory}/data`, bytes: bytes.toString("base64"), mode: 0o644 }],
      observed,
    });
    const script = join(folder, "test.sh");
    const check = { kind: "observe" } as const;
    writeFileSync(script, renderPatchTest(kept, [target], patchResult(), { style: "shell", native: true, check }));
    const env = { PATH: process.env.PATH, PROGRAM: program, OBSERVED: folder };
    const ran = spawnSync("sh", [script], { env });
    assert.equal(ran.status, 0, `${words.join(" ")}: ${ran.stdout}${ran.stderr}`);
    assert.equal(readFileSync(join(folder, "status"), "utf8"), `${status}\n`);
    for (const name of ["stdout", "stderr"] as const) {
      if (observed.varies.some((one) => one === name)) continue;
      const named = readFileSync(join(folder, name), "utf8").replaceAll("<program>", "../src/prog");
      const expected = Buffer.from(observed[name], "base64").toString();
      assert.equal(named.replaceAll("<directory>", workingDirectory), expected);
    }
  }
});
