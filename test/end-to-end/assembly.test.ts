// Inline assembly that is understood (ir/passes/lower-asm.ts): computed as natively, followed symbolically, and a processor that is plain.

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

  it("a processor that can what all can", () => {
    build("processor");
    const { status, stdout, stderr } = tangent("run", "./processor");
    assert.equal(status, 0, stderr);
    assert.equal(stdout, "1\n1 GenuineIntel\n1 6f0 0 0 7808111\n0\n0 0 1 20000800\n6f0 7808111\n0 0\n");
  });

  it("is followed from input to condition", () => {
    build("found");
    const { status, stdout, stderr } = tangent("explore", "--max-time", "20s", "./found", "--sym-stdin", "4");
    assert.equal(status, 1, stderr);
    assert.match(stdout + stderr, /abort/);
  });
});
