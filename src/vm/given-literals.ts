// Literals of a library's tests with other bytes than their source has: put into memory before a run. Where one is longer, what lies behind it
// may be touched as far as that, and no further.

import type { LiteralInfo, ProgramImage } from "../jit/image.js";
import type { GuestMemory } from "./guest-memory.js";
import type { RunOptions } from "./run-options.js";

/** What the image does not know, or has no room for, stays as it is. */
export function giveLiterals(
  memory: GuestMemory,
  { tests }: Pick<ProgramImage, "tests">,
  literals: NonNullable<RunOptions["literals"]>,
): void {
  for (const { name, bytes } of literals) {
    const known = tests?.literals.find((literal) => literal.name === name);
    if (known === undefined || bytes.length > mostBytesOf(known)) continue;
    makeRoom(memory, known, bytes.length);
    memory.u8.set(bytes, known.address);
  }
}

/** Without the zero at its end. */
export function mostBytesOf({ bytes, room = 0 }: LiteralInfo): number {
  return bytes.length + room;
}

/** For a literal that is longer than in its source: with the zero behind it, which is there. */
export function makeRoom(memory: GuestMemory, { address, bytes: own }: LiteralInfo, length: number): void {
  if (length > own.length) memory.allowMore({ address, size: length + 1 });
}
