// For tests: guest memory as a plain array with address states, small, and an observer that writes down what it is told.

import type { ExprRef } from "../expr/ops.js";
import { STATE_FULL, STATE_READ_ONLY } from "../jit/memory-layout.js";
import type { CheckKind, PathObserver, PinReason } from "../path/observer.js";
import type { ByteMemory } from "./shadow-memory.js";

/** The states of addresses from here on lie below here. */
export const FIXTURE_BASE = 0x2_0000;

export class FixtureMemory implements ByteMemory {
  u8: Uint8Array;

  constructor(size = 0x10_0000) {
    this.u8 = new Uint8Array(size);
  }

  /** Makes exactly these bytes addressable; the address is a multiple of 8. */
  allow(address: number, size: number, flag = 0): void {
    this.u8.fill(STATE_FULL | flag, address >>> 3, (address + size) >>> 3);
    if ((size & 7) !== 0) this.u8[(address + size) >>> 3] = (size & 7) | flag;
  }

  allowReadOnly(address: number, size: number): void {
    this.allow(address, size, STATE_READ_ONLY);
  }

  forbid(address: number, size: number): void {
    this.u8.fill(0, address >>> 3, (address + size + 7) >>> 3);
  }

  /** An object with this content. */
  place(address: number, bytes: ArrayLike<number>): void {
    this.allow(address, bytes.length);
    this.u8.set(bytes, address);
  }

  state(address: number): number {
    return this.u8[address >>> 3];
  }
}

export type Told =
  | { readonly what: "branch"; readonly site: number; readonly condition: ExprRef; readonly taken: boolean }
  | { readonly what: "choose"; readonly site: number; readonly taken: ExprRef; readonly others: readonly ExprRef[] }
  | { readonly what: "check"; readonly site: number; readonly kind: CheckKind; readonly bad: ExprRef }
  | { readonly what: "pin"; readonly site: number; readonly reason: PinReason; readonly equals: ExprRef }
  | { readonly what: "assume"; readonly site: number; readonly condition: ExprRef; readonly holds: boolean };

export class RecordingObserver implements PathObserver {
  readonly told: Told[] = [];

  branch(site: number, condition: ExprRef, taken: boolean): void {
    this.told.push({ what: "branch", site, condition, taken });
  }

  choose(site: number, taken: ExprRef, others: readonly ExprRef[]): void {
    this.told.push({ what: "choose", site, taken, others });
  }

  check(site: number, kind: CheckKind, bad: ExprRef): void {
    this.told.push({ what: "check", site, kind, bad });
  }

  pin(site: number, reason: PinReason, equals: ExprRef): void {
    this.told.push({ what: "pin", site, reason, equals });
  }

  assume(site: number, condition: ExprRef, holds: boolean): void {
    this.told.push({ what: "assume", site, condition, holds });
  }
}
