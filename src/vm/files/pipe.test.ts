import assert from "node:assert/strict";
import { test } from "node:test";
import { Random } from "../../support/random.js";
import { RunMemory } from "../run-memory.js";
import { OPEN } from "./open-file.js";
import { makePipe } from "./pipe.js";

const EAGAIN = -11;
const ENOMEM = -12;

test("pipe: what comes out is what went in, in whatever pieces", () => {
  const random = new Random(7);
  const below = (limit: number): number => random.next() % limit;
  const [reader, writer] = makePipe(OPEN.nonBlocking, 1, new RunMemory(1 << 30));
  let written = 0;
  let read = 0;
  for (let step = 0; step < 20_000; step++) {
    const size = 1 + below(below(2) === 0 ? 8 : 30_000);
    if (below(2) === 0) {
      const count = writer.write(Uint8Array.from({ length: size }, (_, index) => (written + index) % 251));
      if (count !== EAGAIN) written += count;
    } else {
      const into = new Uint8Array(size);
      const count = reader.read(into);
      if (count === EAGAIN) assert.equal(read, written);
      else {
        for (let index = 0; index < count; index++) assert.equal(into[index], (read + index) % 251);
        read += count;
      }
    }
    assert.equal(reader.pendingBytes, written - read);
    assert.ok(written - read <= 0x1_0000);
  }
});

test("pipe: filled byte by byte, many of them take little of our memory", () => {
  const before = process.memoryUsage();
  const memory = new RunMemory(1 << 30);
  const pipes = Array.from({ length: 40 }, (_, index) => makePipe(OPEN.nonBlocking, index, memory));
  const byte = Uint8Array.of(1);
  for (const [, writer] of pipes) while (writer.write(byte) === 1);
  const after = process.memoryUsage();
  const used = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
  assert.ok(used < 64 << 20, `${used} bytes`);
  assert.equal(pipes[39][0].pendingBytes, 0x1_0000);
});

test("pipe: what it holds is the run's memory: full it says so, read to its end and closed it gives it back", () => {
  const memory = new RunMemory(0x1_0000);
  const full = (): number => {
    const [reader, writer] = makePipe(OPEN.nonBlocking, 1, memory);
    const piece = new Uint8Array(0x1000);
    let written = 0;
    let count = writer.write(piece);
    for (; count > 0; count = writer.write(piece)) written += count;
    assert.equal(count, ENOMEM);
    reader.close();
    writer.close();
    return written;
  };
  const first = full();
  assert.ok(first > 0 && first <= 0x1_0000, `${first} bytes`);
  assert.equal(full(), first);
  assert.ok(memory.has(0x1_0000));
});
