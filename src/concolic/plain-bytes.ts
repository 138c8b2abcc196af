// Concrete bytes of guest memory: as a constant, and whether 8 of them are the address of something that may be touched.

import type { ExprArena } from "../expr/arena.js";
import type { ExprRef } from "../expr/ops.js";
import { STATE_SHIFT } from "../jit/memory-layout.js";
import { addressableBytes } from "./object-bounds.js";

/** 1 to 8 bytes, little-endian. */
export function constantAt(arena: ExprArena, u8: Uint8Array, address: number, size: number): ExprRef {
  let low = 0;
  let high = 0;
  for (let k = size - 1; k >= 0; k--) {
    high = (high << 8) | (low >>> 24);
    low = (low << 8) | u8[address + k];
  }
  return arena.constant(size << 3, low, high);
}

export function wordAt(u8: Uint8Array, address: number): number {
  return u8[address] | (u8[address + 1] << 8) | (u8[address + 2] << 16) | (u8[address + 3] << 24);
}

/** Whether the two words of a value are an address of an object. */
export function isPointer(u8: Uint8Array, low: number, high: number): boolean {
  const address = low >>> 0;
  return high === 0 && address < u8.length && addressableBytes(u8[address >>> STATE_SHIFT]) > 0;
}

export function isPointerAt(u8: Uint8Array, address: number): boolean {
  return isPointer(u8, wordAt(u8, address), wordAt(u8, address + 4));
}
