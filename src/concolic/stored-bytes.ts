// Symbolic bytes that the program has written to a file or a pipe, where they have no expressions any more. They matter only
// if something is read back: then every one of them is pinned to what it is on this run, since what was read depends on
// them. Keeping their expressions beside the files' contents, the alternative, would follow them through truncation,
// renaming and links for the sake of few programs. Which file they went to is not asked: to pin too much loses nothing
// but the other values, which stay pending.

import { CONCRETE, type ExprRef } from "../expr/ops.js";
import { GRANULE, STATE_SHIFT, STATE_SYMBOLIC } from "../jit/memory-layout.js";
import type { SymbolicHost } from "./symbolic-host.js";

/** A program that writes more than this is not expected to read it back cheaply: it is pinned at once. */
const MOST_KEPT = 1 << 16;

export class StoredBytes {
  private readonly bytes: ExprRef[] = [];
  private readonly values: number[] = [];

  constructor(private readonly host: SymbolicHost) {}

  /** Before a run. */
  begin(): void {
    this.bytes.length = 0;
    this.values.length = 0;
  }

  /** The program writes these bytes of its memory somewhere where it may read them again. */
  add(u8: Uint8Array, address: number, size: number): void {
    const { shadows } = this.host;
    const end = address + size;
    for (let at = address; at < end; ) {
      const next = Math.min(end, at - (at % GRANULE) + GRANULE);
      if ((u8[at >>> STATE_SHIFT] & STATE_SYMBOLIC) !== 0) {
        for (let k = at; k < next; k++) {
          const byte = shadows.load(k, 1);
          if (byte === CONCRETE) continue;
          this.bytes.push(byte);
          this.values.push(u8[k]);
        }
      }
      at = next;
    }
    if (this.bytes.length > MOST_KEPT) this.pin();
  }

  /** Something was read that may hold them. */
  pin(): void {
    const { bytes, values, host } = this;
    for (const [n, byte] of bytes.entries()) host.pinByte(byte, values[n]);
    this.begin();
  }
}
