// Inline assembly and vectors of x86-64 (ir/passes/lower-asm.ts, lower-x86.ts): computed as natively, followed symbolically, and a processor that is plain.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const PROGRAMS = join(ROOT, "test/programs/assembly");

let folder = "";
const tangent = (...words: string[]) =>
  spawnSync("sh", [join(ROOT, "bin/tangent"), ...words], { cwd: folder, encoding: "utf8" });
const build = (name: string): void => {
  const { status, stderr } = tangent("cc", "-g", "-O1", "-o", name, join(PROGRAMS, `${name}.c`));
  assert.equal(status, 0, stderr);
};

describe("inline assembly", { skip: process.arch !== "x64" }, () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "tangent-assembly-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("computes what the processor computes", () => {
    build("computes");
    for (const seed of ["1", "0xfedcba9876543210", "12345678901234567"]) {
      const native = spawnSync(join(folder, "computes"), [seed], { encoding: "utf8" });
      assert.equal(native.stdout.split("\n").length, 41);
      const { status, stdout, stderr } = tangent("run", "./computes", seed);
      assert.equal(status, 0, stderr);
      assert.equal(stdout, native.stdout);
    }
  });

  it("so do the functions for its vectors", () => {
    build("vectors");
    const native = spawnSync(join(folder, "vectors"), { encoding: "utf8" });
    assert.equal(native.stdout.split("\n").length, 27);
    const { status, stdout, stderr } = tangent("run", "./vectors");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, native.stdout);
  });

  it("a processor that can what all can", () => {
    build("processor");
    const { status, stdout, stderr } = tangent("run", "./processor");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "1\n1 GenuineIntel\n1 6f0 0 0 7808111\n0\n0 0 1 20000800\n6f0 7808111\n1 Genu\n1 Genu\n0 0\n");
  });

  it("system calls are made, and what they read is input", () => {
    build("system-calls");
    const native = spawnSync(join(folder, "system-calls"), { encoding: "utf8", input: "" });
    assert.equal(native.stdout, "written by hand\n16 mapped -9\n1\n");
    const { status, stdout, stderr } = tangent("run", "./system-calls");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, native.stdout);
    const explored = tangent("explore", "--max-time", "20s", "./system-calls", "--sym-stdin", "4");
    assert.equal(explored.status, 1, explored.stderr);
    assert.match(explored.stdout + explored.stderr, /stdin \(4 bytes\): "bug/);
  });

  it("is followed from input to condition", () => {
    build("found");
    const { status, stdout, stderr } = tangent("explore", "--max-time", "20s", "./found", "--sym-stdin", "4");
    assert.equal(status, 1, stderr);
    assert.match(stdout + stderr, /abort/);
  });
});
