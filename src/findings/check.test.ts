import assert from "node:assert/strict";
import { test } from "node:test";
import { FAULTS, HOST_FUNCTIONS } from "../jit/boundary.js";
import { CONTROL } from "../jit/memory-layout.js";
import { GuestMemory } from "../vm/guest-memory.js";
import type { HeapBlock } from "../vm/heap-reader.js";
import { DEFAULT_LIMITS, DEFAULT_OPTIONS } from "../vm/run-options.js";
import { callHost, i32const, NO_VALUES, store64, type TinyFunction, tinyImage } from "../vm/tiny-module.js";
import { type CheckOptions, runChecked } from "./check.js";
import { leakFinding, unreachableBlocks } from "./leaks.js";

const HEAP = 0x2210_0000;
const block: HeapBlock = { start: HEAP + 64, size: 16, live: false, allocationSerial: 5, freeSerial: 1 };
const heap: CheckOptions["heap"] = () => ({
  findBlock: (address) => (address >= HEAP ? block : null),
  liveBlocks: () => [],
  otherRanges: () => [],
});
const check: CheckOptions = { repeat: "for-stacks", leaks: false, heap };

const call = (index: number): number[] => [0x10, Object.keys(HOST_FUNCTIONS).length + index];
const plain = (name: string, body: readonly number[]): TinyFunction => ({ name, signature: NO_VALUES, body });
/** Reports an event if the host watches for that serial number. */
const event = (control: number, serial: number, freed: number): number[] => [
  ...i32const(control),
  ...[0x28, 2, 0],
  ...i32const(serial),
  ...[0x46, 0x04, 0x40],
  ...callHost("watch", serial, freed),
  0x0b,
];

test("check: a use after free is run again for the stacks of its allocation and its free", () => {
  const image = tinyImage([
    plain("main", [...call(1), ...call(2), ...callHost("fault", FAULTS.read, block.start + 4, 0, 1)]),
    plain("allocate", event(CONTROL.watchAllocation, 5, 0)),
    plain("release", event(CONTROL.watchFree, 5, 1)),
  ]);
  const { finding } = runChecked(image, DEFAULT_OPTIONS, check);
  assert.equal(finding?.kind, "heap-use-after-free");
  assert.equal(finding?.confirmed, true);
  assert.equal(finding?.object?.allocationStack?.[0].functionName, "allocate");
  assert.equal(finding?.object?.freeStack?.[0].functionName, "release");
  assert.equal(finding?.object?.freeStack?.[1].functionName, "main");
});

test("check: a finding that does not happen again is marked", () => {
  // Faults at another address when somebody watches, which no honest program can see.
  const image = tinyImage([
    plain("main", [
      ...[...i32const(CONTROL.watchAllocation), 0x28, 2, 0, 0x04, 0x40],
      ...callHost("fault", FAULTS.read, block.start + 8, 0, 1),
      0x0b,
      ...callHost("fault", FAULTS.read, block.start + 4, 0, 1),
    ]),
  ]);
  const { finding } = runChecked(image, DEFAULT_OPTIONS, check);
  assert.equal(finding?.confirmed, false);
});

test("check: a program that uses up its instructions makes no progress", () => {
  const image = tinyImage([plain("main", [0x03, 0x40, ...callHost("refuel"), 0x1a, 0x41, 0, 0x24, 0, 0x0c, 0, 0x0b])]);
  const limits = { ...DEFAULT_LIMITS, instructions: 1_000_000 };
  const { finding } = runChecked(image, { ...DEFAULT_OPTIONS, limits }, check);
  assert.equal(finding?.kind, "no-progress");
});

test("check: standard input that was given is given again to the repetition", () => {
  // read(0, argv[0]'s bytes, 1), then fault at an address that depends on the byte.
  const image = tinyImage([
    plain("main", [
      ...[0, 0, 0x2180_1200, 1].flatMap((value, index) => store64(CONTROL.syscall + 8 * index, value)),
      ...callHost("syscall"),
      ...i32const(FAULTS.read),
      ...[...i32const(0x2180_1200), 0x2d, 0, 0],
      ...[...i32const(0), ...i32const(1)],
      ...callHost("fault"),
    ]),
  ]);
  const options = { ...DEFAULT_OPTIONS, arguments: ["x".repeat(4000)], stdin: Buffer.from("A") };
  const { finding } = runChecked(image, options, { ...check, repeat: "always" });
  assert.equal(finding?.kind, "null-dereference");
  assert.equal(finding?.address, 0x41);
  assert.equal(finding?.confirmed, true);
});

test("leaks: blocks that only leaked blocks point to are leaked, those that globals reach are not", () => {
  const image = tinyImage([plain("main", [])], {
    globals: [{ name: "root", address: 0x2200_0040, size: 8, constant: false, file: null, line: 1 }],
  });
  const blocks = [0, 1, 2, 3].map((index) => ({
    start: HEAP + 64 * index,
    size: 32,
    live: true,
    allocationSerial: 9 - index,
    freeSerial: 0,
  }));
  const words = new Map<number, number>([
    [0x2200_0040, HEAP + 8],
    [HEAP + 16, HEAP + 64],
    [HEAP + 128, HEAP + 192],
  ]);
  const memory = new GuestMemory(image.globalsEnd, 0x10_0000);
  for (const [address, value] of words) memory.setI64(address, value);
  const leaked = unreachableBlocks({
    image,
    memory,
    heap: { findBlock: () => null, liveBlocks: () => blocks, otherRanges: () => [] },
    stackPointer: 0x2180_0000,
  });
  assert.deepEqual(
    leaked.map(({ start }) => (start - HEAP) / 64),
    [3, 2],
  );
  assert.match(leakFinding(leaked, null).message, /^64 bytes in 2 blocks/);
});
