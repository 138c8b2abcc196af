// The pointers that system calls are given: whether what they point to may be read or written, and if not, whether that
// is an error to answer (EFAULT) or a finding. The kernel sees pages and we see objects, so the line is drawn here:
//
//   a redzone, freed memory, a frame that has returned, the end of an object, a constant to be written  -> finding
//   NULL, below the program, beyond its heap, a page it unmapped or protected itself                    -> EFAULT
//
// The first would be written by the kernel without a word, or could be read; the second is what EFAULT is for.

import { STACK_LIMIT } from "../jit/memory-layout.js";
import { ERRNO } from "./errno.js";
import { PATH_LIMIT } from "./files/overlay-tree.js";
import type { GuestMemory } from "./guest-memory.js";
import type { Mappings } from "./mappings.js";

export type AccessKind = "read" | "write";
type Report = (access: AccessKind, address: number, size: number) => never;

/** Answers of checkString. */
export const TOO_LONG = -1;
const NOWHERE = -2;

export class GuestPointers {
  private readonly memory: GuestMemory;
  private readonly mappings: Mappings;
  private readonly report: Report;

  constructor(memory: GuestMemory, mappings: Mappings, report: Report) {
    this.memory = memory;
    this.mappings = mappings;
    this.report = report;
  }

  /** False if the range is nowhere; reports one that is a wrong part of something. Nothing is taken as written yet. */
  check(access: AccessKind, address: number, size: number): boolean {
    const bad = this.memory.firstRefused(address, size, access === "write");
    if (bad < 0) return true;
    if (bad === address && !this.isSomewhere(address)) return false;
    return this.report(access, address, size);
  }

  /** As `check`, for a call that is about to write exactly that. */
  mayWrite(address: number, size: number): boolean {
    if (!this.check("write", address, size)) return false;
    return this.memory.firstUnwritable(address, size) < 0;
  }

  /** For a call that is about to read that, and to act on it. */
  mayRead(address: number, size: number): boolean {
    if (!this.check("read", address, size)) return false;
    this.memory.take(address, size);
    return true;
  }

  /** Checks a C string up to its NUL or the limit: its length, TOO_LONG or NOWHERE. */
  checkString(address: number, limit: number): number {
    if (this.memory.firstRefused(address, 1, false) >= 0) {
      return this.isSomewhere(address) ? this.report("read", address, 1) : NOWHERE;
    }
    const end = this.memory.u8.subarray(address, address + limit).indexOf(0);
    const bad = this.memory.firstRefused(address, end < 0 ? limit : end + 1, false);
    if (bad >= 0) this.report("read", address, bad - address + 1);
    return end < 0 ? TOO_LONG : end;
  }

  /** A path or name, one character per byte, or a negated error number. */
  path(address: number): string | number {
    const length = this.checkString(address, PATH_LIMIT);
    if (length === NOWHERE) return -ERRNO.EFAULT;
    if (length === TOO_LONG) return -ERRNO.ENAMETOOLONG;
    return this.memory.latin1(address) ?? -ERRNO.EFAULT;
  }

  /** Whether an address that may not be touched lies among the program's objects, between them or where one was. */
  private isSomewhere(address: number): boolean {
    return (
      address >= STACK_LIMIT && address < this.memory.heapStart + this.memory.heapBytes && !this.mappings.owns(address)
    );
  }
}
