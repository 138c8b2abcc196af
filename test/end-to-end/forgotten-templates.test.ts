// What a thread keeps to translate programs faster is forgotten when it has met nothing but translated ones for a while.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { AMPLIFY_COMPILE_OPTIONS } from "../../src/jit/options.js";
import { findProgram } from "../../src/jobs/find-program.js";
import { TEMPLATES } from "../../src/program/load.js";

const TANGENT = fileURLToPath(new URL("../../../bin/tangent", import.meta.url));

it("templates are forgotten when eight programs in a row were in the cache, and not sooner", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tangent-forgotten-"));
  try {
    // New to every cache, so that it is translated here.
    const source = `#include <stdio.h>\nint main(void) { puts("${folder} ${Date.now()}"); return 0; }\n`;
    writeFileSync(join(folder, "p.c"), source);
    const built = spawnSync("sh", [TANGENT, "cc", "-o", "p", "p.c"], { cwd: folder, encoding: "utf8" });
    assert.equal(built.status, 0, built.stderr);
    const find = async (): Promise<void> => {
      const options = { env: process.env, clang: null, flags: [], compile: AMPLIFY_COMPILE_OPTIONS };
      const found = await findProgram(join(folder, "p"), options);
      assert.equal(found.kind, "found");
    };
    await find();
    for (let n = 0; n < 7; n++) await find();
    assert.ok(TEMPLATES.size > 10);
    await find();
    assert.equal(TEMPLATES.size, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
