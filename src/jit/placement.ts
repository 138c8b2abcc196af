// Where each value of a function lives: in a local, or nowhere because it is computed at its only use. Values used once,
// in their own block, by an operation without side effects are deferred to that use, which turns chains of
// instructions into WebAssembly's expression trees and halves the code. Values that do not leave their block share
// locals, since V8's compilers pay for every local at every merge. In a function with very many values the others share
// theirs too, by live-spans.ts: V8's memory is locals times merges (measured: 1 GB for its first, simple code of one
// function of 2800 locals).
// Invariant: an operand of a deferred instruction stays alive until the place where the deferred one is emitted.

import type { Block, Instruction, Op } from "../ir/values.js";
import { isAllocation } from "./access-base.js";
import type { WasmValueType } from "./image.js";
import { liveSpans } from "./live-spans.js";
import { partsOf } from "./shape.js";

/** In `local`: no local, the value is unused or has no parts. */
export const NOWHERE = -1;
/** In `local`: computed at its use. */
export const DEFERRED = -2;

/** An expression deeper than this gets a local, so that emission may recurse over deferred operands. */
const MAX_DEPTH = 40;

/** Operations without side effects that may move down within their block. Loads may not: a store could come between. */
const PURE: ReadonlySet<Op> = new Set<Op>([
  ...(["add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"] as const),
  ...(["icmp", "fcmp", "select", "freeze", "getelementptr", "fneg", "fadd", "fsub", "fmul", "fdiv"] as const),
  ...(["trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"] as const),
  ...(["ptrtoint", "inttoptr", "bitcast", "addrspacecast", "extractvalue", "extractelement"] as const),
]);

export interface Placement {
  /** By instruction id: first local, NOWHERE or DEFERRED. */
  readonly local: Int32Array;
  /** By instruction id: not 0 if its local still holds it wherever an address that was computed from it is used. */
  readonly isKept: Uint8Array;
  /** A local may hold what is left of another value until its own is written. */
  readonly isShared: boolean;
  /** The types of the locals after the parameters. */
  readonly localTypes: WasmValueType[];
}

/** Above so many values that leave their blocks, these share locals too. */
const SHARE_ABOVE = 200;

/**
 * Instructions must be numbered in block order (`id`). `isStatic` says which allocas are part of the frame. `resumes`:
 * longjmp may lead back into the function, on ways that the blocks do not show.
 */
export function placeValues(
  blocks: readonly Block[],
  count: number,
  firstLocal: number,
  isStatic: (alloca: Instruction) => boolean,
  resumes: boolean,
): Placement {
  const local = new Int32Array(count).fill(NOWHERE);
  const isKept = new Uint8Array(count);
  const uses = new Int32Array(count);
  /** Id of a user, -1 none, -2 used across blocks. */
  const user = new Int32Array(count).fill(-1);
  for (const block of blocks) {
    for (const i of block.instructions) {
      for (const operand of i.operands) {
        if (operand.kind !== "instruction") continue;
        uses[operand.id]++;
        user[operand.id] = i.op === "phi" ? -2 : user[operand.id] === -2 ? -2 : i.id;
      }
    }
  }
  // Which block each instruction is in follows from the numbering.
  const lastUse = new Int32Array(count);
  const emitAt = new Int32Array(count);
  const depth = new Uint8Array(count);
  for (const block of blocks) {
    const first = block.instructions[0].id;
    const last = first + block.instructions.length - 1;
    for (const i of block.instructions) {
      const id = i.id;
      if (i.op === "alloca" && isStatic(i)) {
        local[id] = DEFERRED;
        continue;
      }
      if (uses[id] !== 1 || user[id] < first || user[id] > last || !PURE.has(i.op)) continue;
      if (partsOf(i.type).length !== 1) continue;
      let deepest = 0;
      for (const operand of i.operands) {
        if (operand.kind === "instruction" && local[operand.id] === DEFERRED) {
          deepest = Math.max(deepest, depth[operand.id] + 1);
        }
      }
      if (deepest > MAX_DEPTH) continue;
      depth[id] = deepest;
      local[id] = DEFERRED;
    }
    for (let k = block.instructions.length - 1; k >= 0; k--) {
      const i = block.instructions[k];
      const at = local[i.id] === DEFERRED && i.op !== "alloca" ? emitAt[user[i.id]] : i.id;
      emitAt[i.id] = at;
      for (const operand of i.operands) {
        if (operand.kind === "instruction" && at > lastUse[operand.id]) lastUse[operand.id] = at;
      }
    }
  }
  let leaving = 0;
  for (const block of blocks) {
    for (const i of block.instructions)
      if (local[i.id] !== DEFERRED && uses[i.id] > 0 && !staysInside(i, block)) leaving++;
  }
  const isShared = leaving > SHARE_ABOVE && !resumes;
  const ends = isShared ? liveSpans(blocks, count, emitAt, (i) => i.op !== "phi" && !PURE.has(i.op)) : lastUse;
  const localTypes: WasmValueType[] = [];
  const free: Record<WasmValueType, number[]> = { i32: [], i64: [], f32: [], f64: [] };
  const releaseAt = new Map<number, { type: WasmValueType; local: number }[]>();
  const allocate = (type: WasmValueType): number => {
    localTypes.push(type);
    return firstLocal + localTypes.length - 1;
  };
  for (const block of blocks) {
    for (const i of block.instructions) {
      const id = i.id;
      const released = releaseAt.get(id);
      if (released !== undefined) {
        for (const { type, local: freed } of released) free[type].push(freed);
        releaseAt.delete(id);
      }
      if (local[id] === DEFERRED || uses[id] === 0) continue;
      const parts = partsOf(i.type);
      if (parts.length === 0) continue;
      const insideBlock = staysInside(i, block) && !isAllocation(i);
      if ((insideBlock || isShared) && parts.length === 1) {
        const type = parts[0].wasm;
        const reused = free[type].pop();
        local[id] = reused ?? allocate(type);
        // In a block the last use is known exactly, and no finding asks for more.
        const end = insideBlock ? lastUse[id] : ends[id];
        if (!insideBlock) isKept[id] = 1;
        const list = releaseAt.get(end);
        if (list === undefined) releaseAt.set(end, [{ type, local: local[id] }]);
        else list.push({ type, local: local[id] });
      } else {
        local[id] = allocate(parts[0].wasm);
        isKept[id] = 1;
        for (let k = 1; k < parts.length; k++) allocate(parts[k].wasm);
      }
    }
  }
  return { local, isKept, isShared, localTypes };

  // lastUse within the block and no use recorded elsewhere: a later block's ids are larger, an earlier block cannot use
  // it except through a phi. A phi's operands are read at the end of the incoming block; user -2 marks those values.
  function staysInside(i: Instruction, { instructions }: Block): boolean {
    const first = instructions[0].id;
    const at = lastUse[i.id];
    return i.op !== "phi" && user[i.id] >= 0 && at >= first && at < first + instructions.length;
  }
}
