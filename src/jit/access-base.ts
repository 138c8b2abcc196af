// What an address was computed from, for the words of a finding: an index that runs out of its array may land next to another
// variable, and the nearest object is then the wrong one to name. The root of a chain of getelementptrs is known when code
// is made: a variable, whose place is noted in a table beside the code; or a pointer, which the slow path of the check leaves in the
// control block before it asks. A check that passes does nothing of this.

import type { Instruction, Value } from "../ir/values.js";
import type { Ask } from "./function-draft.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { CONTROL } from "./memory-layout.js";
import { W } from "./wasm.js";

/** In the table: nothing is known; the pointer is in the control block. Others are a variable's address, or its offset in the frame. */
export const NO_BASE = 0xffff_ffff;
export const POINTER_BASE = 0xffff_fffe;

export interface AccessBase {
  readonly code: number | Ask;
  /** Of POINTER_BASE: the local that holds it. */
  readonly local: number;
}

/** Where in a function's code which access is made, and what its address was computed from. */
export interface BaseMark<Question = Ask> {
  readonly start: number;
  readonly end: number;
  readonly read: number | Question;
  readonly write: number | Question;
}

/** Chains are short; generated code must not cost more. */
const MOST_STEPS = 64;

export function baseOfAccess(e: FunctionEmitter, pointer: Value, allowsPointer = true): AccessBase | null {
  if (e.trusted) return null;
  const root = rootOf(pointer, new Set());
  if (root === null) return null;
  if (root.kind === "global") {
    const definition = root.target.resolved;
    return definition?.kind === "variable" ? { code: { kind: "address", ref: root }, local: -1 } : null;
  }
  if (root.kind === "instruction" && root.op === "alloca") {
    const offset = e.frame.offsetOf.get(root);
    if (offset !== undefined) return { code: offset, local: -1 };
  }
  if (!allowsPointer || root === pointer) return null;
  if (root.kind === "argument") return { code: POINTER_BASE, local: e.local(root) };
  if (root.kind !== "instruction" || e.placement.isKept[root.id] === 0) return null;
  return { code: POINTER_BASE, local: e.local(root) };
}

/** In the slow path, before the access is asked for. */
export function keepBase(e: FunctionEmitter, base: AccessBase | null): void {
  if (base === null || base.code !== POINTER_BASE) return;
  e.i32(0);
  e.get(base.local);
  e.memory(W.i64_store, CONTROL.accessBase);
}

export function markBase(e: FunctionEmitter, start: number, read: AccessBase | null, write: AccessBase | null): void {
  if (read === null && write === null) return;
  e.bases.push({ start, end: e.code.length, read: read?.code ?? NO_BASE, write: write?.code ?? NO_BASE });
}

/** The one value that all of the address's ways come from; null if there are several. */
export function rootOf(pointer: Value, seen: Set<Value>): Value | null {
  let at = pointer;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (at.kind === "constexpr" && at.op === "getelementptr") at = at.operands[0];
    else if (at.kind !== "instruction") return at;
    else if (at.op === "getelementptr") at = at.operands[0];
    else if (at.op === "phi" || at.op === "select") return commonRoot(at, seen);
    else return at;
  }
  return null;
}

function commonRoot(joined: Instruction, seen: Set<Value>): Value | null {
  if (seen.has(joined) || seen.size > MOST_STEPS) return joined;
  seen.add(joined);
  const ways = joined.op === "select" ? joined.operands.slice(1) : joined.operands;
  let root: Value | null = null;
  for (const way of ways) {
    const one = rootOf(way, seen);
    // Round the loop: from itself.
    if (one === joined) continue;
    if (one === null || (root !== null && !isSame(one, root))) return joined;
    root = one;
  }
  return root ?? joined;
}

function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  return (
    a.kind === "global" && b.kind === "global" && (a.target.resolved ?? a.target) === (b.target.resolved ?? b.target)
  );
}
