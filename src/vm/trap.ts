// Ends that come from V8 itself: WebAssembly traps, the native stack's end, a longjmp that no frame waits for. The
// generated code checks most of these before V8 does (and then says more); these are the remaining ones.

import type { FaultName } from "../jit/boundary.js";
import type { RunEnd } from "./run-end.js";
import { wasmFrames } from "./stack-trace.js";

/** V8's words for its traps. */
const TRAPS: readonly (readonly [RegExp, FaultName])[] = [
  [/divide by zero|remainder by zero/, "division-by-zero"],
  [/divide result unrepresentable/, "division-overflow"],
  [/unreachable/, "unreachable"],
  [/table index|null function|signature mismatch|table access/, "wild-call"],
  [/memory access out of bounds/, "read"],
];

/** The end an exception of V8 stands for; null if it is none of these, that is, our own bug. */
export function endOfTrap(error: unknown, stackPointer: number): RunEnd | null {
  const name = trapName(error);
  if (name === null) return null;
  const trace = error instanceof Error ? wasmFrames(error) : [];
  return { kind: "fault", fault: { name, address: 0, size: 0, stackPointer, syscall: null }, trace };
}

function trapName(error: unknown): FaultName | null {
  if (error instanceof WebAssembly.Exception) return "invalid-longjmp";
  if (error instanceof RangeError && /call stack/.test(error.message)) return "stack-overflow";
  if (!(error instanceof WebAssembly.RuntimeError)) return null;
  for (const [pattern, name] of TRAPS) {
    if (pattern.test(error.message)) return name;
  }
  return "trap";
}
