import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { executableFacts } from "./executables.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-executables-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "a.c"), "int main(void) { return 0; }\n");

function linked(name: string, ...words: string[]): Buffer | null {
  const path = join(folder, name);
  const built = spawnSync("gcc", ["-o", path, join(folder, "a.c"), ...words]);
  return built.status === 0 ? readFileSync(path) : null;
}
const none = linked("plain") === null ? "there is no gcc" : false;

describe("how a program is started", { skip: none }, () => {
  it("a loader, or none; libraries are no programs", () => {
    assert.deepEqual(executableFacts(linked("dynamic") ?? Buffer.alloc(0)), { isDynamic: true, usesOrigin: false });
    const fixed = linked("fixed", "-static");
    if (fixed !== null) assert.deepEqual(executableFacts(fixed), { isDynamic: false, usesOrigin: false });
    const pie = linked("pie", "-static-pie");
    if (pie !== null) assert.deepEqual(executableFacts(pie), { isDynamic: false, usesOrigin: false });
    assert.equal(executableFacts(linked("liba.so", "-shared", "-fPIC") ?? Buffer.alloc(0)), null);
    assert.equal(executableFacts(linked("a.o", "-c") ?? Buffer.alloc(0)), null);
  });

  it("libraries found by the program's own place", () => {
    const origin = linked("origin", "-Wl,-rpath,$ORIGIN/../lib");
    assert.equal(executableFacts(origin ?? Buffer.alloc(0))?.usesOrigin, true);
    const fixed = linked("absolute", "-Wl,-rpath,/opt/lib");
    assert.equal(executableFacts(fixed ?? Buffer.alloc(0))?.usesOrigin, false);
  });

  it("a file cut short anywhere is no exception", () => {
    const whole = linked("whole", "-Wl,-rpath,$ORIGIN") ?? Buffer.alloc(0);
    for (let size = 0; size < whole.length; size += 97) executableFacts(whole.subarray(0, size));
  });
});
