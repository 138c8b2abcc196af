import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FileWriter } from "./file-writer.js";

const folder = mkdtempSync(join(tmpdir(), "tangent-writer-"));
after(() => rmSync(folder, { recursive: true }));

test("file writer: files appear at once, with their folders and modes", () => {
  const writer = new FileWriter(join(folder, "a"));
  writer.write("x/y.sh", "hi", 0o755);
  assert.equal(readFileSync(join(folder, "a/x/y.sh"), "utf8"), "hi");
  assert.equal(statSync(join(folder, "a/x/y.sh")).mode & 0o700, 0o700);
  writer.replace("s.json", "1");
  writer.replace("s.json", "2");
  writer.append("t.csv", "a\n");
  writer.append("t.csv", "b\n");
  assert.equal(readFileSync(join(folder, "a/s.json"), "utf8"), "2");
  assert.equal(readFileSync(join(folder, "a/t.csv"), "utf8"), "a\nb\n");
  assert.equal(writer.failure, null);
});

test("file writer: what cannot be written waits, and is written when it can be", () => {
  // A directory where a file should be: no write succeeds there, whoever we are.
  const root = join(folder, "b");
  mkdirSync(join(root, "t1"), { recursive: true });
  const writer = new FileWriter(root);
  writer.write("t1", "one");
  writer.write("t2", "two");
  assert.equal(writer.waiting, 2);
  assert.match(writer.failure ?? "", /EISDIR/);
  assert.equal(writer.retry(), false);
  rmdirSync(join(root, "t1"));
  assert.equal(writer.retry(), true);
  assert.equal(writer.failure, null);
  assert.equal(readFileSync(join(root, "t1"), "utf8"), "one");
  assert.equal(readFileSync(join(root, "t2"), "utf8"), "two");
});

test("file writer: what waits is limited, and what is given up is counted", () => {
  const root = join(folder, "c");
  writeFileSync(root, "");
  const writer = new FileWriter(root);
  const large = new Uint8Array(40 << 20);
  writer.write("1", large);
  writer.write("2", large);
  assert.equal(writer.waiting, 1);
  assert.equal(writer.lost, 1);
});
