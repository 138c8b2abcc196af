// Scalar replacement: which byte ranges of local variables can live in registers. A range is a variable of its own if
// everything that touches it touches exactly it, whatever else the structure around it does; so a structure is split
// without being taken apart, and what cannot be a register stays in memory at its place. Ranges that overlap (a structure
// of two ints passed as one i64) become one integer of up to 64 bits, read with shifts and written with masks.
// LLVM's SROA also rewrites allocas into smaller ones; that helps only later passes of its own.
// Functions that may return twice (setjmp) are left alone: their variables must survive in memory.

import type { Access, AllocaUses, LocalVariable } from "../analysis/alloca-uses.js";
import type { DominatorTree } from "../analysis/dominators.js";
import { type ScopeMark, Scopes } from "../analysis/lifetimes.js";
import type { DataLayout } from "../data-layout.js";
import { intType, sameType, type Type } from "../types.js";
import type { Body, Instruction } from "../values.js";
import { buildSsa, type Register, type RegisterAccess } from "./mem2reg.js";

export function hasAllocas(body: Body): boolean {
  return body.blocks[0].instructions.some((i) => i.op === "alloca");
}

/**
 * Returns true if anything was promoted. The blocks must be in order, and stay so; `tree` is their dominator tree; ids must be
 * as they were when the uses were found.
 */
export function promoteFrom(uses: AllocaUses, tree: DominatorTree, keepsUnset = false): boolean {
  if (uses.mayReturnTwice) return false;
  for (const variable of uses.variables) if (variable.copies.length > 0) variable.escapes = true;
  const candidates = uses.variables.filter((variable) => !variable.escapes);
  if (candidates.length === 0) return false;
  const dead = deadAccesses(candidates, tree);
  const registers: Register[] = [];
  const accessOf = new Array<RegisterAccess | undefined>(uses.count);
  const dropped: Instruction[] = [];
  for (const variable of candidates) {
    if (dead.has(variable)) continue;
    const left = assignRegisters(variable, uses.layout, registers, accessOf);
    if (!left) for (const { instruction } of variable.lifetimes) dropped.push(instruction);
  }
  if (registers.length === 0 && dropped.length === 0) return false;
  buildSsa(uses.body, tree, registers, accessOf, dropped, uses.count, keepsUnset);
  return true;
}

/** The variables with an access that may come after the end of their scope. */
function deadAccesses(candidates: readonly LocalVariable[], tree: DominatorTree): ReadonlySet<LocalVariable> {
  const result = new Set<LocalVariable>();
  const scoped = candidates.filter((variable) => variable.scopeEnds);
  if (scoped.length === 0) return result;
  const marks: ScopeMark[] = [];
  scoped.forEach((variable, v) => {
    for (const { ends, block } of variable.lifetimes) marks.push({ variable: v, ends, block });
  });
  const scopes = new Scopes(tree.preds, scoped.length, marks);
  scoped.forEach((variable, v) => {
    let next = 0;
    let block = -1;
    let dead = false;
    // Accesses and marks are both in the order of the instructions' ids.
    for (const access of variable.accesses) {
      if (access.block !== block) {
        block = access.block;
        dead = scopes.mayBeDeadAtStart(block, v);
      }
      for (; next < variable.lifetimes.length; next++) {
        const mark = variable.lifetimes[next];
        if (mark.instruction.id > access.instruction.id) break;
        if (mark.block === block) dead = mark.ends;
      }
      if (dead) result.add(variable);
    }
  });
  return result;
}

/** Makes registers of all ranges that can be ones. Returns whether some range must stay in memory. */
function assignRegisters(
  variable: LocalVariable,
  layout: DataLayout,
  registers: Register[],
  accessOf: (RegisterAccess | undefined)[],
): boolean {
  const accesses = variable.accesses;
  if (!atOnePlace(accesses)) accesses.sort((a, b) => a.offset - b.offset);
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
      const whole = from === 0 && to === accesses.length ? accesses : accesses.slice(from, to);
      const partOf = variable.alloca.extra.variable ?? null;
      const source = whole === accesses && start === 0 ? partOf : null;
      addRegister(whole, start, { type, variable: source, partOf }, registers, accessOf);
    }
    from = to;
  }
  return left;
}

function atOnePlace(accesses: readonly Access[]): boolean {
  for (const access of accesses) if (access.offset !== accesses[0].offset) return false;
  return true;
}

function addRegister(
  accesses: Access[],
  start: number,
  what: Omit<Register, "accesses">,
  registers: Register[],
  accessOf: (RegisterAccess | undefined)[],
): void {
  const register = registers.length;
  let plain: RegisterAccess | null = null;
  let ordered = true;
  for (let k = 0; k < accesses.length; k++) {
    const { instruction, offset } = accesses[k];
    if (k > 0 && instruction.id < accesses[k - 1].instruction.id) ordered = false;
    plain ??= { register, shift: 0 };
    accessOf[instruction.id] = offset === start ? plain : { register, shift: (offset - start) * 8 };
  }
  if (!ordered) accesses.sort((a, b) => a.instruction.id - b.instruction.id);
  registers.push({ ...what, accesses });
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
