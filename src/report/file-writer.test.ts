import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { FileWriter } from "./file-writer.js";
import { ThreadedWriter } from "./threaded-writer.js";

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
  assert.equal(writer.finish(), false);
  rmdirSync(join(root, "t1"));
  assert.equal(writer.finish(), true);
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

test("threaded writer: everything is there after finish, in the order of the calls", () => {
  const root = join(folder, "d");
  mkdirSync(root);
  const writer = new ThreadedWriter(root);
  for (let i = 0; i < 300; i++) {
    writer.write(`t${i}`, Buffer.from(`content ${i}`));
    writer.append("rows", `${i}\n`);
  }
  writer.replace("state", "1");
  writer.replace("state", "2");
  writer.write("large", new Uint8Array(1 << 20).fill(7));
  assert.equal(writer.finish(), true);
  assert.equal(writer.failure, null);
  assert.equal(readFileSync(join(root, "t299"), "utf8"), "content 299");
  assert.equal(readFileSync(join(root, "rows"), "utf8"), Array.from({ length: 300 }, (_, i) => `${i}\n`).join(""));
  assert.equal(readFileSync(join(root, "state"), "utf8"), "2");
  assert.equal(readFileSync(join(root, "large")).length, 1 << 20);
});

test("threaded writer: what cannot be written is told", () => {
  const root = join(folder, "e");
  mkdirSync(join(root, "t1"), { recursive: true });
  const writer = new ThreadedWriter(root);
  writer.write("t1", "one");
  assert.equal(writer.finish(), false);
  assert.match(writer.failure ?? "", /EISDIR/);
  assert.equal(writer.waiting, 1);
  rmdirSync(join(root, "t1"));
  assert.equal(writer.finish(), true);
  assert.equal(writer.failure, null);
  assert.equal(readFileSync(join(root, "t1"), "utf8"), "one");
});
