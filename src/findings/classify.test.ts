import assert from "node:assert/strict";
import { test } from "node:test";
import { FRAME_MAGIC, GLOBALS_BASE, STACK_TOP } from "../jit/memory-layout.js";
import { GuestMemory } from "../vm/guest-memory.js";
import type { HeapBlock } from "../vm/heap-reader.js";
import type { Fault } from "../vm/run-end.js";
import { visibleFrames } from "../vm/stack-trace.js";
import { NO_VALUES, tinyImage } from "../vm/tiny-module.js";
import { classify } from "./classify.js";
import type { Finding } from "./finding.js";
import { nearest, type Scene } from "./locate-object.js";

const global = (name: string, address: number, size: number, constant = false) => ({
  name,
  address,
  size,
  constant,
  file: "g.c",
  line: 3,
});
const FIRST = GLOBALS_BASE + 64;
const image = tinyImage([{ name: "main", signature: NO_VALUES, body: [] }], {
  globals: [
    global("first", FIRST, 10),
    // The place of a number of a test's source: it is nobody's variable.
    global(".number.main.0.1", FIRST + 32, 4),
    global("second", FIRST + 48, 16),
    global("text", FIRST + 96, 6, true),
  ],
  frames: [
    {
      functionName: "leaf",
      size: 64,
      slots: [{ name: "small", offset: 16, size: 8, line: 5 }],
    },
    {
      functionName: "caller",
      size: 128,
      slots: [
        { name: "a", offset: 16, size: 20, line: 7 },
        { name: "b", offset: 64, size: 8, line: 8 },
      ],
    },
  ],
});
const CALLER = STACK_TOP - 128;
const LEAF = CALLER - 64;

/** A machine that stopped with two live frames and one heap block of each kind. */
function scene(): Scene & { block: HeapBlock; freed: HeapBlock } {
  const memory = new GuestMemory(image.globalsEnd, 0x100_0000);
  const heap = memory.grow(0x1_0000);
  const block: HeapBlock = { start: heap + 64, size: 10, live: true, allocationSerial: 1, freeSerial: 0 };
  const freed: HeapBlock = { start: heap + 160, size: 32, live: false, allocationSerial: 2, freeSerial: 1 };
  memory.allow(block.start, block.size);
  for (const { address, size } of image.globals) memory.allow(address, size);
  memory.u8[(FIRST + 96) >>> 3] = 0x16;
  for (const [index, base] of [LEAF, CALLER].entries()) {
    memory.view.setUint32(base, FRAME_MAGIC, true);
    memory.view.setUint32(base + 4, index, true);
    for (const slot of image.frames[index].slots) memory.allow(base + slot.offset, slot.size);
  }
  return {
    image,
    memory,
    heap: {
      findBlock: (address) => [block, freed].find((one) => Math.abs(address - one.start) < 48) ?? null,
      liveBlocks: () => [block],
      otherRanges: () => [],
    },
    arguments: [{ name: "argv[1]", address: 0x2180_2000, size: 5 }],
    mappings: [],
    stackPointer: LEAF,
    block,
    freed,
  };
}

function fault(name: Fault["name"], address: number, size = 4): Fault {
  return { name, address, size, stackPointer: LEAF, syscall: null };
}

function found(name: Fault["name"], address: number, size = 4): Finding {
  return classify(scene(), fault(name, address, size), []).finding;
}

test("classify: an access past a heap block's end is an overflow of that block", () => {
  const { block } = scene();
  const finding = found("write", block.start + 8);
  assert.equal(finding.kind, "heap-buffer-overflow");
  assert.equal(finding.object?.offset, 8);
  assert.equal(finding.firstBadAddress, block.start + 10);
  assert.match(finding.message, /^write of 4 bytes at 0x[0-9a-f]+, its last 2 bytes after 10-byte heap block$/);
});

test("classify: an access to a freed block is a use after free", () => {
  const finding = found("read", scene().freed.start + 4, 1);
  assert.equal(finding.kind, "heap-use-after-free");
  assert.match(finding.message, /4 bytes into freed 32-byte heap block/);
});

test("classify: near a local variable of a live frame it is a stack overflow, with the nearer variable named", () => {
  const over = found("write", CALLER + 16 + 20);
  assert.deepEqual([over.kind, over.object?.name, over.object?.offset], ["stack-buffer-overflow", "a", 20]);
  const under = found("read", CALLER + 64 - 4);
  assert.deepEqual([under.kind, under.object?.name, under.object?.offset], ["stack-buffer-overflow", "b", -4]);
  assert.equal(under.object?.functionName, "caller");
});

test("classify: below the stack pointer it is a use after return", () => {
  const before = scene();
  const returned = { ...before, stackPointer: CALLER };
  before.memory.forbid(LEAF, 64);
  const { finding } = classify(returned, fault("read", LEAF + 16), []);
  assert.deepEqual([finding.kind, finding.object?.name], ["stack-use-after-return", "small"]);
});

test("classify: inside a variable that may not be touched any more it is a use after scope", () => {
  const before = scene();
  before.memory.forbid(CALLER + 64, 8);
  const { finding } = classify(before, fault("read", CALLER + 64), []);
  assert.deepEqual([finding.kind, finding.object?.name], ["stack-use-after-scope", "b"]);
});

test("classify: between two globals the nearer one is meant", () => {
  assert.equal(found("read", FIRST + 10, 1).object?.name, "first");
  const under = found("read", FIRST + 44);
  assert.deepEqual([under.kind, under.object?.name, under.object?.offset], ["global-buffer-overflow", "second", -4]);
  assert.equal(found("read", FIRST + 38, 1).object?.name, "second", "not the place of a number");
});

test("classify: writing to a constant is that, and reading past it an overflow", () => {
  assert.equal(found("write", FIRST + 97, 1).kind, "read-only-write");
  assert.equal(found("read", FIRST + 102, 1).kind, "global-buffer-overflow");
});

test("classify: small addresses are null, others where nothing is are wild", () => {
  assert.equal(found("read", 0).kind, "null-dereference");
  assert.equal(found("write", 0x18).kind, "null-dereference");
  assert.equal(found("write", 0x1234_5678).kind, "wild-access");
  assert.equal(found("read", 0x7fff_ffff_f000).kind, "wild-access");
  assert.equal(found("read", 0x2180_2005, 1).kind, "argument-overflow");
});

test("classify: UBSan's code gives the check's name", () => {
  const finding = found("ubsan", 0, 20);
  assert.deepEqual([finding.kind, finding.check], ["undefined-behaviour", "shift-out-of-bounds"]);
});

test("classify: freeing in the middle of a block names the block", () => {
  const { block } = scene();
  const finding = found("invalid-free", block.start + 4, 0);
  assert.deepEqual([finding.kind, finding.object?.offset, finding.access], ["invalid-free", 4, null]);
});

test("nearest: prefers the range before if both are equally near", () => {
  const ranges = [
    { start: 100, size: 10 },
    { start: 130, size: 10 },
  ];
  assert.equal(nearest(ranges, 105), 0);
  assert.equal(nearest(ranges, 112), 0);
  assert.equal(nearest(ranges, 128), 1);
  assert.equal(nearest(ranges, 50), 0);
  assert.equal(nearest(ranges, 500), 1);
  assert.equal(nearest([], 500), -1);
});

test("visible frames: of the runtime's own functions only the one that was called from outside is shown", () => {
  const frame = (functionName: string, origin: "program" | "trusted" | "libc") => ({
    functionName,
    origin,
    file: null,
    line: 1,
    column: 1,
  });
  const shown = visibleFrames([
    frame("bad_free", "trusted"),
    frame("free", "trusted"),
    frame("user", "program"),
    frame("fault", "trusted"),
    frame("__tangent_check_read", "trusted"),
    frame("main", "program"),
    frame("__tangent_start", "libc"),
  ]);
  assert.deepEqual(
    shown.map((one) => one.functionName),
    ["free", "user", "main"],
  );
});
