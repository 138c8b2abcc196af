import assert from "node:assert/strict";
import { test } from "node:test";
import { GLOBALS_BASE, STATE_READ_ONLY } from "../jit/memory-layout.js";
import { Random } from "../support/random.js";
import { GuestMemory } from "./guest-memory.js";

/** The definition, byte by byte. */
function firstRefused(memory: GuestMemory, address: number, size: number, write: boolean): number {
  for (let at = address; at < address + size; at++) {
    const state = memory.u8[at >>> 3];
    const usable = write && (state & STATE_READ_ONLY) !== 0 ? 0 : state & 15;
    if ((at & 7) >= usable) return at;
  }
  return -1;
}

test("guest memory: range checks agree with the definition of the states, byte by byte", () => {
  const memory = new GuestMemory(GLOBALS_BASE, 0x10_0000);
  const base = memory.grow(0x1_0000);
  const random = new Random(5);
  for (let round = 0; round < 3000; round++) {
    const states = memory.u8.subarray(base >>> 3, (base >>> 3) + 64);
    states.fill(8);
    for (let i = random.next() % 4; i > 0; i--) {
      states[random.next() % 64] = [0, 1, 5, 7, 0x18, 0x13][random.next() % 6];
    }
    const address = base + (random.next() % 400);
    const size = random.next() % 120;
    assert.equal(memory.firstUnreadable(address, size), firstRefused(memory, address, size, false));
    assert.equal(memory.firstUnwritable(address, size), firstRefused(memory, address, size, true));
  }
});

test("guest memory: addresses outside of it are refused, however large the number", () => {
  const memory = new GuestMemory(GLOBALS_BASE, 0x10_0000);
  assert.equal(memory.firstUnreadable(0, 1), 0);
  assert.equal(memory.firstUnreadable(2 ** 40, 8), 2 ** 40);
  assert.equal(memory.firstUnreadable(0xffff_fff0, 64), 0xffff_fff0);
  assert.equal(memory.latin1(0), null);
});

test("guest memory: grows up to its limit and not beyond, and what it gives is zero", () => {
  const memory = new GuestMemory(GLOBALS_BASE, 0x800_0000);
  const first = memory.grow(0x10_0000);
  const second = memory.grow(0x700_0000);
  assert.equal(second, first + 0x10_0000);
  assert.equal(memory.u8[second + 0x6ff_ffff], 0);
  assert.equal(memory.grow(0x100_0000), 0);
  assert.equal(memory.heapBytes, 0x710_0000);
});

test("guest memory: 64-bit numbers keep their sign and all bits below 2^53", () => {
  const memory = new GuestMemory(GLOBALS_BASE, 0x10_0000);
  const address = memory.grow(0x1_0000);
  for (const value of [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 40 + 7, -(2 ** 40) - 7, 2 ** 53 - 1]) {
    memory.setI64(address, value);
    assert.equal(memory.getI64(address), value);
    assert.equal(memory.view.getBigInt64(address, true), BigInt(value));
  }
});
