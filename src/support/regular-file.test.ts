import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readRegularFile } from "./regular-file.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-regular-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("regular files: their bytes, also behind a link unless that is refused", () => {
  const path = join(folder, "file");
  writeFileSync(path, "abc");
  symlinkSync(path, join(folder, "link"));
  assert.equal(readRegularFile(path).toString(), "abc");
  assert.equal(readRegularFile(join(folder, "link")).toString(), "abc");
  assert.throws(() => readRegularFile(join(folder, "link"), { noLink: true }), { code: "ELOOP" });
  assert.throws(() => readRegularFile(path, { mostBytes: 2 }), { code: "EFBIG" });
});

test("regular files: devices, pipes and folders are refused at once", () => {
  const pipe = join(folder, "pipe");
  assert.equal(spawnSync("mkfifo", [pipe]).status, 0);
  symlinkSync("/dev/zero", join(folder, "endless"));
  assert.throws(() => readRegularFile(pipe), { code: "EINVAL" });
  assert.throws(() => readRegularFile("/dev/zero"), { code: "EINVAL" });
  assert.throws(() => readRegularFile(join(folder, "endless")), { code: "EINVAL" });
  assert.throws(() => readRegularFile(folder), { code: "EISDIR" });
  assert.throws(() => readRegularFile(join(folder, "none")), { code: "ENOENT" });
});
