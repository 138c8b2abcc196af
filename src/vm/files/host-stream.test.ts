import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { HostStream } from "./host-stream.js";
import { SEEK } from "./open-file.js";
import { GivenInput, InputRecorder } from "./standard-streams.js";

const folder = fs.mkdtempSync(join(tmpdir(), "tangent-stream-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const path = join(folder, `file-${fs.readdirSync(folder).length}`);
  fs.writeFileSync(path, text);
  return path;
}

function readText(stream: { read(into: Uint8Array): number }, size: number): string {
  const into = new Uint8Array(size);
  const count = stream.read(into);
  return Buffer.from(into.subarray(0, Math.max(0, count))).toString();
}

test("host stream: a regular file can be sought, and is left for others where the guest left it", () => {
  const descriptor = fs.openSync(fileWith("0123456789abcdef"), "r");
  fs.readSync(descriptor, new Uint8Array(2), 0, 2, null);
  const stream = new HostStream(descriptor, new InputRecorder());
  assert.equal(readText(stream, 8), "23456789");
  assert.equal(stream.seek(-3, SEEK.current), 7);
  assert.equal(readText(stream, 2), "78");
  stream.close();
  const rest = Buffer.alloc(20);
  const count = fs.readSync(descriptor, rest, 0, 20, null);
  assert.equal(rest.subarray(0, count).toString(), "9abcdef");
  fs.closeSync(descriptor);
});

test("host stream: asking for the offset of an output does not part it from the one others share", () => {
  const path = fileWith("");
  const descriptor = fs.openSync(path, "w");
  const stream = new HostStream(descriptor, null);
  stream.write(Buffer.from("one "));
  assert.equal(stream.seek(0, SEEK.current), 4);
  fs.writeSync(descriptor, "two ");
  stream.write(Buffer.from("three"));
  assert.equal(fs.readFileSync(path, "utf8"), "one two three");
  assert.equal(stream.seek(4, SEEK.set), 4);
  stream.write(Buffer.from("TWO"));
  assert.equal(fs.readFileSync(path, "utf8"), "one TWO three");
  fs.closeSync(descriptor);
});

test("host stream: what is recorded of a regular file behaves like it in a repetition", () => {
  const descriptor = fs.openSync(fileWith("abcdefgh"), "r");
  fs.readSync(descriptor, new Uint8Array(1), 0, 1, null);
  const stream = new HostStream(descriptor, new InputRecorder());
  readText(stream, 3);
  const again = new GivenInput(stream.recording());
  assert.equal(readText(again, 3), "bcd");
  assert.equal(again.seek(0, SEEK.set), 0);
  assert.equal(readText(again, 100), "abcdefgh");
  assert.deepEqual(again.status(), stream.status());
  fs.closeSync(descriptor);
});
