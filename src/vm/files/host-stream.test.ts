import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { RunStop } from "../run-end.js";
import { RunMemory } from "../run-memory.js";
import { HostStream } from "./host-stream.js";
import { SEEK } from "./open-file.js";
import { GivenInput, HeldOutput, InputRecorder, OutputBudget } from "./standard-streams.js";

const folder = fs.mkdtempSync(join(tmpdir(), "tangent-stream-"));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

function fileWith(text: string): string {
  const path = join(folder, `file-${fs.readdirSync(folder).length}`);
  fs.writeFileSync(path, text);
  return path;
}

const denied: string[] = [];
function streamOf(descriptor: number, recorder: InputRecorder | null = null, bytes = 1e6): HostStream {
  const deny = (what: string, errno: number): number => {
    denied.push(what);
    return -errno;
  };
  return new HostStream(descriptor, recorder, {
    budget: new OutputBudget(bytes, new RunMemory(1 << 20)),
    deny,
    waiting: () => {},
  });
}

function readText(stream: { read(into: Uint8Array): number }, size: number): string {
  const into = new Uint8Array(size);
  const count = stream.read(into);
  return Buffer.from(into.subarray(0, Math.max(0, count))).toString();
}

test("host stream: a regular file can be sought, and is left for others where the guest left it", () => {
  const descriptor = fs.openSync(fileWith("0123456789abcdef"), "r");
  fs.readSync(descriptor, new Uint8Array(2), 0, 2, null);
  const stream = streamOf(descriptor, new InputRecorder());
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
  const stream = streamOf(descriptor);
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
  const stream = streamOf(descriptor, new InputRecorder());
  readText(stream, 3);
  const again = new GivenInput(stream.recording());
  assert.equal(readText(again, 3), "bcd");
  assert.equal(again.seek(0, SEEK.set), 0);
  assert.equal(readText(again, 100), "abcdefgh");
  assert.deepEqual(again.status(), stream.status());
  fs.closeSync(descriptor);
});

/** Everything that a program can do to a file that is its output. */
function attack(stream: HostStream): void {
  stream.truncate(0);
  stream.writeAt(Buffer.from("X"), 0);
  stream.seek(0, SEEK.set);
  stream.write(Buffer.from("Y"));
  stream.truncate(3);
}

test("host stream: what was in a file before the run, or is appended by others, stays whatever the program does", () => {
  for (const [flags, offset] of [
    ["a", 0],
    ["a+", 0],
    ["r+", 0],
    ["r+", 7],
  ] as const) {
    const path = fileWith("before\n");
    const descriptor = fs.openSync(path, flags);
    if (offset > 0) fs.readSync(descriptor, new Uint8Array(offset), 0, offset, null);
    const stream = streamOf(descriptor);
    stream.write(Buffer.from("own\n"));
    if (flags.startsWith("a")) fs.appendFileSync(path, "others\n");
    attack(stream);
    const text = fs.readFileSync(path, "utf8");
    assert.match(
      text,
      flags.startsWith("a") ? /^before\nown\nothers\nXY$/ : /^before\n/,
      `${flags} ${offset}: ${text}`,
    );
    assert.match(text, /X/);
    assert.match(text, /Y/);
    fs.closeSync(descriptor);
  }
  assert.match(denied.join(), /cutting off/);
});

test("host stream: what the program has printed itself it may change", () => {
  const path = fileWith("");
  const descriptor = fs.openSync(path, "w");
  fs.writeSync(descriptor, "others ");
  const stream = streamOf(descriptor);
  stream.write(Buffer.from("one two"));
  stream.seek(7, SEEK.set);
  stream.write(Buffer.from("ONE"));
  const held = new HeldOutput(stream.shape(), null);
  held.write(Buffer.from("one two"));
  assert.deepEqual([stream.truncate(10), held.truncate(10)], [0, 0]);
  assert.deepEqual([stream.truncate(6), held.truncate(6)], [-1, -1], "also in a repetition");
  assert.equal(fs.readFileSync(path, "utf8"), "others ONE");
  fs.closeSync(descriptor);
});

test("host stream: the limit of output holds, for bytes as for holes", () => {
  const path = fileWith("");
  const acts: readonly ((stream: HostStream) => void)[] = [
    (stream) => stream.write(new Uint8Array(101)),
    (stream) => stream.writeAt(new Uint8Array(1), 100),
    (stream) => stream.truncate(101),
    (stream) => {
      stream.seek(100, SEEK.set);
      stream.write(new Uint8Array(1));
    },
  ];
  for (const act of acts) {
    const descriptor = fs.openSync(path, "w");
    assert.throws(() => act(streamOf(descriptor, null, 100)), RunStop);
    assert.equal(fs.statSync(path).size, 0);
    fs.closeSync(descriptor);
  }
});
