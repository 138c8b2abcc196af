import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { cacheDirectory } from "../frontend/cache.js";
import { moduleTrouble } from "../jit/module-imports.js";
import { DEFAULT_COMPILE_OPTIONS } from "../jit/options.js";
import { loadProgram } from "../program/load.js";
import { findProgram } from "./find-program.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-find-"));
after(() => rmSync(folder, { recursive: true }));

describe("finding a program's translation", () => {
  it("a translation whose bytes were changed in the cache is not used: it is made anew, and that is told", async () => {
    const source = join(folder, "changed.ll");
    const triple = 'target triple = "x86_64-unknown-linux-musl"';
    writeFileSync(source, `${triple}\ndefine i32 @main() {\n  ret i32 ${process.pid}\n}\n`);
    const options = { env: process.env, clang: null, flags: [], compile: DEFAULT_COMPILE_OPTIONS };
    const first = await loadProgram([source], options);
    assert.ok(first.kind === "loaded" && first.cacheEntry !== null);
    const { kind, key } = first.cacheEntry;
    const path = join(cacheDirectory(process.env), kind, key.slice(0, 2), key.slice(2));
    for (const change of [changedName, changedLastByte]) {
      writeFileSync(path, change(readFileSync(path)));
      const found = await findProgram(source, options);
      assert.ok(found.kind === "found");
      assert.match(found.warnings.join(), /changed\.ll: the translation in the cache is not as it was put there/);
      assert.equal(moduleTrouble(found.image().wasm), null);
      const again = await findProgram(source, options);
      assert.ok(again.kind === "found" && again.milliseconds === null);
      assert.deepEqual(again.warnings, []);
    }
  });
});

/** Whoever can write there can also make the sum right. */
function changedName(entry: Buffer): Buffer {
  entry.write("valueOf", entry.lastIndexOf("syscall"), "latin1");
  const sums = createHash("sha256").update(entry.subarray(36, -16)).digest();
  sums.copy(entry, 4);
  return entry;
}

/** Of the module, before the mark at the entry's end. */
function changedLastByte(entry: Buffer): Buffer {
  entry[entry.length - 17] ^= 1;
  return entry;
}
