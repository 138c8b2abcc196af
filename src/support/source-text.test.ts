import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readSourceText } from "./source-text.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-source-"));
after(() => rmSync(folder, { recursive: true }));

test("source text: a file is read; what debug information of a hostile program may name is not", () => {
  const path = join(folder, "a.c");
  writeFileSync(path, "int x;\n");
  assert.equal(readSourceText(path), "int x;\n");
  const pipe = join(folder, "pipe.c");
  execFileSync("mkfifo", [pipe]);
  assert.equal(readSourceText(pipe), null, "it would be waited for without end");
  assert.equal(readSourceText("/dev/zero"), null);
  assert.equal(readSourceText(folder), null);
  assert.equal(readSourceText(join(folder, "gone.c")), null);
  assert.equal(readSourceText("\0"), null);
  truncateSync(path, 17 << 20);
  assert.equal(readSourceText(path), null, "no source is so large");
});
