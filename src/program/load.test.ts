import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "./load.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-load-"));
after(() => rmSync(folder, { recursive: true }));

/** In the user's cache, because that has libc; the names of the inputs are nobody else's. */
async function warningsOf(inputs: readonly string[]): Promise<{ warm: boolean; warnings: readonly string[] }> {
  const compile = DEFAULT_COMPILE_OPTIONS;
  const loaded = await loadProgram(inputs, { env: process.env, clang: null, flags: [], compile });
  assert.ok(loaded.kind === "loaded", loaded.kind === "failed" ? loaded.message : "");
  return { warm: loaded.warm, warnings: loaded.warnings };
}

describe("loading a program", () => {
  it("warnings are told on every load, not only on the one that translates", async () => {
    const first = join(folder, "first.ll");
    const second = join(folder, "second.ll");
    const triple = 'target triple = "x86_64-unknown-linux-musl"\n';
    writeFileSync(first, `${triple}define i32 @main() {\n  ret i32 0\n}\ndefine i32 @twice() {\n  ret i32 1\n}\n`);
    writeFileSync(second, `${triple}define i32 @twice() {\n  ret i32 2\n}\n`);
    const fresh = await warningsOf([first, second]);
    assert.equal(fresh.warm, false);
    assert.equal(fresh.warnings.length, 1);
    assert.match(fresh.warnings[0], /twice is defined in .*first.* and again in .*second/);
    const warm = await warningsOf([first, second]);
    assert.deepEqual(warm, { warm: true, warnings: fresh.warnings });
    // Written anew with the same content: found by what it is, not by its name and time.
    writeFileSync(first, `${triple}define i32 @main() {\n  ret i32 0\n}\ndefine i32 @twice() {\n  ret i32 1\n}\n`);
    const known = await warningsOf([first, second]);
    assert.deepEqual(known, { warm: false, warnings: fresh.warnings });
  });
});
