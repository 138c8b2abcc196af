// The C library inside the VM: programs that check themselves, and one whose output is compared.

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { Machine } from "../../src/vm/machine.js";
import { DEFAULT_OPTIONS, type RunOptions, type RunResult } from "../../src/vm/run-options.js";

const FOLDER = resolve(import.meta.dirname, "../../../test/libc");

async function run(name: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  const program = await loadProgram([`${FOLDER}/${name}.c`], {
    env: process.env,
    clang: null,
    flags: ["-fno-builtin"],
    compile: DEFAULT_COMPILE_OPTIONS,
  });
  if (program.kind === "failed") assert.fail(program.message);
  return new Machine(program.image, { ...DEFAULT_OPTIONS, ...options }).run();
}

for (const name of ["strings", "numbers", "sorting", "floats", "memory"]) {
  test(`libc: ${name}.c finds nothing wrong`, async () => {
    const result = await run(name);
    assert.equal(Buffer.from(result.stdout).toString(), "");
    assert.deepEqual(result.end, { kind: "exit", code: 0 });
  });
}

test("libc: a process starts with its arguments and environment and ends in the prescribed order", async () => {
  const result = await run("process", { arguments: ["/bin/process", "x y"], environment: ["GREETING=hello"] });
  assert.deepEqual(result.end, { kind: "exit", code: 3 });
  assert.equal(Buffer.from(result.stderr).toString(), "to standard error\n");
  assert.deepEqual(Buffer.from(result.stdout).toString().split("\n"), [
    "constructor",
    "2 arguments, the last is x y",
    "process hello",
    "changed 42",
    "thread made 0, joined 0",
    "not flushed by the programregistered second",
    "registered first",
    "destructor",
    "",
  ]);
});
