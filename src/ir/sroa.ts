// Scalar replacement: which byte ranges of local variables can live in registers. A range is a variable of its own if
// everything that touches it touches exactly it, whatever else the structure around it does; so a structure is split
// without being taken apart, and what cannot be a register stays in memory at its place. Ranges that overlap (a structure
// of two ints passed as one i64) become one integer of up to 64 bits, read with shifts and written with masks.
// LLVM's SROA also rewrites allocas into smaller ones; that helps only later passes of its own.
// Functions that may return twice (setjmp) are left alone: their variables must survive in memory.

import { type Access, AllocaUses, type LocalVariable } from "./alloca-uses.js";
import { numberInstructions } from "./cfg.js";
import type { DataLayout } from "./data-layout.js";
import type { DominatorTree } from "./dominators.js";
import { Lifetimes, mayBeDead } from "./lifetimes.js";
import { buildSsa, type RegisterAccess } from "./mem2reg.js";
import { intType, sameType, type Type } from "./types.js";
import type { Body, Instruction, InstructionOf } from "./values.js";

/** Returns true if anything was promoted. The blocks must be in order, and stay so; `tree` is their dominator tree. */
export function promoteVariables(body: Body, layout: DataLayout, tree: DominatorTree): boolean {
  if (body.blocks[0].instructions.every((i) => i.op !== "alloca")) return false;
  const count = numberInstructions(body);
  const uses = new AllocaUses(body, layout, count);
  for (const variable of uses.variables) if (variable.copies.length > 0) variable.escapes = true;
  const candidates = uses.variables.filter((variable) => !variable.escapes);
  if (candidates.length === 0 || mayReturnTwice(body)) return false;
  const lifetimes = new Lifetimes(body, tree.preds, (p) => uses.variableOf(p), uses.variables.length);
  if (lifetimes.someEnd) excludeDeadAccesses(body, uses, lifetimes);

  const registers: Type[] = [];
  const accessOf = new Array<RegisterAccess | undefined>(count);
  const dropped: Instruction[] = [];
  for (const variable of candidates) {
    if (variable.escapes) continue;
    const left = assignRegisters(variable, layout, registers, accessOf);
    if (!left) dropped.push(...variable.lifetimes);
  }
  if (registers.length === 0 && dropped.length === 0) return false;
  buildSsa(body, tree, registers, accessOf, dropped, count);
  return true;
}

/** Does the body call setjmp, or one of its kin? */
export function mayReturnTwice(body: Body): boolean {
  for (const block of body.blocks) {
    for (const i of block.instructions) if (i.op === "call" && returnsTwice(i)) return true;
  }
  return false;
}
export function returnsTwice(call: InstructionOf<"call">): boolean {
  if (call.extra.returnsTwice) return true;
  const [callee] = call.operands;
  if (callee.kind !== "global" || callee.target.kind !== "function") return false;
  // The builtin's declaration does not say it.
  return callee.target.attributes.returnsTwice || callee.target.name === "llvm.eh.sjlj.setjmp";
}

function excludeDeadAccesses(body: Body, uses: AllocaUses, lifetimes: Lifetimes): void {
  for (const block of body.blocks) {
    const dead = lifetimes.enter(block.index);
    for (const i of block.instructions) {
      if (i.op === "call") lifetimes.step(dead, i);
      else if (i.op === "load" || i.op === "store") {
        const index = uses.variableOf(i.operands[i.op === "load" ? 0 : 1]);
        if (index >= 0 && mayBeDead(dead, index)) uses.variables[index].escapes = true;
      }
    }
  }
}

/** Makes registers of all ranges that can be ones. Returns whether some range must stay in memory. */
function assignRegisters(
  variable: LocalVariable,
  layout: DataLayout,
  registers: Type[],
  accessOf: (RegisterAccess | undefined)[],
): boolean {
  const accesses = variable.accesses;
  if (accesses.length > 1) accesses.sort((a, b) => a.offset - b.offset);
  let left = false;
  for (let from = 0; from < accesses.length; ) {
    const start = accesses[from].offset;
    let end = start + accesses[from].size;
    let to = from + 1;
    while (to < accesses.length && accesses[to].offset < end) {
      end = Math.max(end, accesses[to].offset + accesses[to].size);
      to++;
    }
    const type = registerType(accesses, from, to, end - start, layout);
    if (type === null) left = true;
    else {
      const register = registers.length;
      registers.push(type);
      for (let k = from; k < to; k++) {
        accessOf[accesses[k].instruction.id] = { register, shift: (accesses[k].offset - start) * 8 };
      }
    }
    from = to;
  }
  return left;
}

/** The type of a register for accesses[from..to), which touch `size` bytes without a gap; null if there is none. */
function registerType(
  accesses: readonly Access[],
  from: number,
  to: number,
  size: number,
  layout: DataLayout,
): Type | null {
  const first = accesses[from].instruction.extra.accessType;
  let allSame = true;
  let allScalar = isWholeScalar(first, layout);
  for (let k = from; k < to; k++) {
    const type = accesses[k].instruction.extra.accessType;
    if (type !== first && !sameType(type, first)) allSame = false;
    if (!isWholeScalar(type, layout)) allScalar = false;
  }
  if (allSame) return accesses[from].size === size ? first : null;
  if (!allScalar || size > 8) return null;
  let bits = 8;
  while (bits < size * 8) bits *= 2;
  return intType(bits);
}

/** Can the value be moved to and from an integer of as many bits as it has bytes? */
function isWholeScalar(type: Type, layout: DataLayout): boolean {
  switch (type.kind) {
    case "int":
      return type.bits % 8 === 0 && type.bits <= 64;
    case "ptr":
      return true;
    case "float":
      return layout.bitsOf(type) <= 64;
    default:
      return false;
  }
}
