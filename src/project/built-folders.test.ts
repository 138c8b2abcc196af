import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { builtFolders } from "./built-folders.js";

test("a file of a project that was built in a copy has the copy's folders, and no other file has any", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "tangent-built-")));
  try {
    const copy = join(root, ".tangent/build");
    for (const folder of [root, copy]) {
      mkdirSync(join(folder, "src"), { recursive: true });
      writeFileSync(join(folder, "src/one.c"), "");
      writeFileSync(join(folder, "two.c"), "");
    }
    writeFileSync(join(root, "src/new.c"), "");
    assert.deepEqual(builtFolders(join(root, "src/one.c")), [copy, join(copy, "src")]);
    assert.deepEqual(builtFolders(join(root, "two.c")), [copy]);
    assert.deepEqual(builtFolders(join(root, "src/new.c")), []);
    assert.deepEqual(builtFolders(join(copy, "two.c")), []);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
