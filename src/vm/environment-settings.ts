// What a program's environment asks of the machine: what malloc fills memory with, and further detectors. Libc finds it in the
// control block.

import { CONTROL } from "../jit/memory-layout.js";
import { furtherDetectors } from "./further-detectors.js";
import type { GuestMemory } from "./guest-memory.js";
import { heapFillOf } from "./heap-fill.js";

export function applyEnvironment({ view }: GuestMemory, environment: readonly (string | Uint8Array)[]): void {
  view.setUint32(CONTROL.heapFill, heapFillOf(environment), true);
  view.setUint32(CONTROL.detectors, furtherDetectors(environment), true);
}
