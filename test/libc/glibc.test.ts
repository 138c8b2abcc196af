// The two personalities of the machine's libc against the host's own: programs of both/ do the same everywhere, those of
// glibc/ use what only glibc has or says differently. Needs gcc and glibc's headers.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { findToolchain } from "../../src/frontend/toolchain.js";
import { DEFAULT_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { loadProgram } from "../../src/program/load.js";
import { Machine } from "../../src/vm/machine.js";
import { DEFAULT_OPTIONS } from "../../src/vm/run-options.js";

const FOLDER = resolve(import.meta.dirname, "../../../test/libc");
const FEATURES = "/usr/include/features.h";
const skip = whySkipped();
const scratch = mkdtempSync(join(tmpdir(), "tangent-glibc-test-"));
after(() => rmSync(scratch, { recursive: true }));

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

function whySkipped(): string | false {
  if (spawnSync("gcc", ["--version"]).status !== 0) return "there is no gcc";
  return existsSync(FEATURES) ? false : "glibc's headers are not there";
}

function natively(source: string, name: string): Outcome {
  const program = join(scratch, name);
  const compiled = spawnSync("gcc", ["-w", "-O1", source, "-o", program], { encoding: "utf8" });
  assert.equal(compiled.status, 0, compiled.stderr);
  const { stdout, stderr, status } = spawnSync(program, [], { encoding: "latin1", env: {}, argv0: "/bin/prog" });
  return { stdout, stderr, status };
}

/** IR as the user's own build would have it: our clang, the host's headers. */
function withHostHeaders(source: string, name: string): string {
  const found = findToolchain({ env: {} });
  if (found.kind === "missing") assert.fail(found.message);
  const { clang, resourceHeaders } = found.toolchain;
  const output = join(scratch, `${name}.ll`);
  const folders = [resourceHeaders, "/usr/local/include", "/usr/include/x86_64-linux-gnu", "/usr/include"];
  const includes = folders.flatMap((folder) => ["-isystem", folder]);
  const plain = ["-O1", "-Xclang", "-disable-llvm-passes", "-g", "-w", "-D__NO_INLINE__", "-D__NO_CTYPE"];
  const target = ["--target=x86_64-linux-gnu", "-nostdinc", ...includes, ...plain];
  const args = [...clang.args, ...target, "-S", "-emit-llvm", source, "-o", output];
  const compiled = spawnSync(clang.file, args, { encoding: "utf8" });
  assert.equal(compiled.status, 0, compiled.stderr);
  return output;
}

async function inTheMachine(input: string): Promise<Outcome> {
  const program = await loadProgram([input], {
    env: process.env,
    clang: null,
    flags: [],
    compile: DEFAULT_COMPILE_OPTIONS,
  });
  if (program.kind === "failed") assert.fail(program.message);
  const machine = new Machine(program.image, { ...DEFAULT_OPTIONS, arguments: ["/bin/prog"], environment: [] });
  const { end, stdout, stderr } = machine.run();
  return {
    stdout: Buffer.from(stdout).toString("latin1"),
    stderr: Buffer.from(stderr).toString("latin1"),
    status: end.kind === "exit" ? end.code : assert.fail(JSON.stringify(end)),
  };
}

for (const folder of ["both", "glibc"]) {
  for (const file of readdirSync(join(FOLDER, folder)).filter((name) => name.endsWith(".c"))) {
    const source = join(FOLDER, folder, file);
    const name = `${folder}-${file.slice(0, -2)}`;
    test(`libc: ${folder}/${file} does with glibc's headers what it does natively`, { skip }, async () => {
      assert.deepEqual(await inTheMachine(withHostHeaders(source, name)), natively(source, name));
    });
    if (folder === "glibc") continue;
    test(`libc: ${folder}/${file} does with musl's headers what it does natively`, { skip }, async () => {
      assert.deepEqual(await inTheMachine(source), natively(source, `${name}-musl`));
    });
  }
}
