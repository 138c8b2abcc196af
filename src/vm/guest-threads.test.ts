// When the topmost thread has to wait: whether one below could go on, whatever the guest has made of its list.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { GLOBALS_BASE } from "../jit/memory-layout.js";
import { GuestMemory } from "./guest-memory.js";
import { GuestThreads } from "./guest-threads.js";
import { RunStop } from "./run-end.js";
import { THREADS } from "./syscalls/threads.js";

const WORD = GLOBALS_BASE + 0x100;
const FIRST = GLOBALS_BASE + 0x200;
const SECOND = GLOBALS_BASE + 0x300;

function memoryWith(
  ...waits: readonly (readonly [at: number, below: number, address: number, value: number])[]
): GuestMemory {
  const memory = new GuestMemory(GLOBALS_BASE + 0x1000, 0x10_0000);
  memory.allow(WORD, 8);
  memory.view.setInt32(WORD, 5, true);
  for (const [at, below, address, value] of waits) {
    memory.allow(at, 24);
    memory.setI64(at, below);
    memory.setI64(at + 8, address);
    memory.setI64(at + 16, value);
  }
  return memory;
}

function threadsAt(waits: number): GuestThreads {
  const threads = new GuestThreads();
  threads.changed(4243, waits, 0, 0);
  return threads;
}

function isUnsupported(error: unknown): boolean {
  return error instanceof RunStop && error.reason.kind === "unsupported";
}

test("threads: with nobody below, or one whose word is unchanged, waiting is allowed", () => {
  threadsAt(0).wait(memoryWith(), false);
  threadsAt(FIRST).wait(memoryWith([FIRST, 0, WORD, 5]), false);
});

test("threads: if one below could go on, the topmost may not wait for ever", () => {
  const changed = memoryWith([FIRST, SECOND, WORD, 5], [SECOND, 0, WORD, 6]);
  assert.throws(() => threadsAt(FIRST).wait(changed, false), isUnsupported);
  assert.throws(() => threadsAt(FIRST).wait(memoryWith([FIRST, 0, 0, 0]), false), isUnsupported);
});

test("threads: it may let time pass, but not without end", () => {
  const threads = threadsAt(FIRST);
  const memory = memoryWith([FIRST, 0, 0, 0]);
  threads.wait(memory, true);
  assert.throws(() => {
    for (let n = 0; n < 20_000; n++) threads.wait(memory, true);
  }, isUnsupported);
});

test("threads: a list that is a circle or leads nowhere does no harm", () => {
  threadsAt(FIRST).wait(memoryWith([FIRST, SECOND, WORD, 5], [SECOND, FIRST, WORD, 5]), false);
  threadsAt(0xffff_fff0).wait(memoryWith(), false);
  threadsAt(FIRST).wait(memoryWith([FIRST, 0, 2 ** 40, 5]), false);
});

test("threads: the calls have the numbers of machine.h", () => {
  const header = readFileSync(new URL("../../../runtime/include/tangent/machine.h", import.meta.url), "utf8");
  const defined = (name: string): number => Number(new RegExp(`#define ${name} (\\d+)`).exec(header)?.[1]);
  assert.equal(THREADS[defined("TANGENT_CALL_THREADS")]?.name, "threads");
  assert.equal(THREADS[defined("TANGENT_CALL_THREAD_WAITS")]?.name, "thread_waits");
});
