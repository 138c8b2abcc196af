// Whether a function may be inlined, and what a copy of it costs. A callee that keeps variables in memory is not inlined:
// its frame's end is what finds pointers that outlive it. Structures passed by value are an exception, if the callee
// only looks into them: the caller's copy then becomes registers.

import { returnsTwice } from "../analysis/alloca-uses.js";
import { calledFunction } from "../analysis/call-graph.js";
import { writesMemory } from "../analysis/forbidding.js";
import type { DataLayout } from "../data-layout.js";
import type { IrFunction } from "../module.js";
import { type Body, type Instruction, type InstructionOf, intValue, type Value } from "../values.js";
import { MAX_SPLIT_BYTES } from "./split-copies.js";

/** A callee ready to be copied: optimised, without checks, numbered and in order. */
export interface InlineCandidate {
  readonly fn: IrFunction;
  readonly body: Body;
  readonly cost: number;
  /** How deep calls are nested in it that were inlined themselves. */
  readonly depth: number;
}

/**
 * See `bodyCost` for the unit. Measured on a program of hash table, heap sort and vectors, seconds of processor time with
 * limits 0, 20, 40, 80, 160: 4.5, 3.2, 1.9, 1.9, 1.8.
 */
export const INLINE_COST = 40;
/** A caller stops growing here, so that one function cannot become the program. Unit: `bodyCost`. */
export const CALLER_GROWTH = 4000;

/** Locations are chains as long as inlining is deep; nobody reads a longer one. */
export const INLINE_DEPTH = 32;

/**
 * May a copy stand in `caller`? What trusted code writes may be the states of addresses, so that in other code its calls
 * must be seen as calls; what it copies is not checked, and would be in other code. The other way round likewise.
 */
export function mayMix(candidate: InlineCandidate, caller: IrFunction): boolean {
  const trusted = candidate.fn.module.origin === "trusted";
  if (trusted === (caller.module.origin === "trusted")) return true;
  if (!trusted) return false;
  return candidate.body.blocks.every((block) => !block.instructions.some(writesMemory));
}

/** What a copy of the body costs in code; infinite if it must not be copied. */
export function bodyCost(fn: IrFunction, body: Body, layout: DataLayout): number {
  const { attributes } = fn;
  if (fn.type.variadic || attributes.noInline || attributes.naked || attributes.returnsTwice) {
    return Number.POSITIVE_INFINITY;
  }
  const copied = new CopiedArguments(fn, body, layout);
  let cost = 0;
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      if (!copied.allows(i)) return Number.POSITIVE_INFINITY;
      cost += copied.isAccess(i) ? 1 : instructionCost(i);
      if (cost === Number.POSITIVE_INFINITY) return cost;
      for (const operand of i.operands) if (operand.kind === "blockaddress") return Number.POSITIVE_INFINITY;
    }
  }
  return copied.allowsPhis(body) ? cost : Number.POSITIVE_INFINITY;
}

/** The arguments passed by value, and pointers into them. */
class CopiedArguments {
  private readonly pointers = new Set<Value>();
  private readonly tooLarge: boolean;

  constructor(fn: IrFunction, body: Body, layout: DataLayout) {
    let tooLarge = false;
    fn.params.forEach(({ byval }, k) => {
      if (byval === null) return;
      this.pointers.add(body.args[k]);
      if (layout.sizeOf(byval) > MAX_SPLIT_BYTES) tooLarge = true;
    });
    this.tooLarge = tooLarge;
  }

  isAccess(i: Instruction): boolean {
    if (i.op === "load") return this.pointers.has(i.operands[0]);
    return i.op === "store" && this.pointers.has(i.operands[1]);
  }

  /** Does this use let the copy become registers? To be asked for all instructions, in the order of the blocks. */
  allows(i: Instruction): boolean {
    if (this.pointers.size === 0) return true;
    if (this.tooLarge) return false;
    if (i.op === "getelementptr" && this.pointers.has(i.operands[0])) {
      for (let k = 1; k < i.operands.length; k++) if (intValue(i.operands[k]) === null) return false;
      this.pointers.add(i);
      return true;
    }
    if (this.isAccess(i)) return i.op === "load" || !this.pointers.has(i.operands[0]);
    return !i.operands.some((operand) => this.pointers.has(operand));
  }
  /** A phi may use a pointer that is computed after it. */
  allowsPhis(body: Body): boolean {
    if (this.pointers.size === 0) return true;
    return body.blocks.every((block) => block.instructions.every((i) => i.op !== "phi" || this.allows(i)));
  }
}

function instructionCost(i: Instruction): number {
  switch (i.op) {
    case "alloca":
    case "indirectbr":
    case "unsupported":
    case "va_arg":
      return Number.POSITIVE_INFINITY;
    case "phi":
    case "br":
    case "ret":
    case "unreachable":
    case "zext":
    case "trunc":
    case "ptrtoint":
    case "inttoptr":
    case "bitcast":
      return 0;
    // With its check.
    case "load":
    case "store":
      return i.extra.unchecked ? 1 : 3;
    case "switch":
      return i.blocks.length;
    case "call":
      return callCost(i);
    default:
      return 1;
  }
}
function callCost(i: InstructionOf<"call">): number {
  const [callee] = i.operands;
  if (returnsTwice(i) || i.extra.mustTail || callee.kind === "asm") return Number.POSITIVE_INFINITY;
  const fn = calledFunction(callee);
  if (fn?.name.startsWith("llvm.")) {
    // They speak about the frame they stand in.
    if (/^llvm\.(stack|va_|frameaddress|returnaddress|sponentry|local|eh\.)/.test(fn.name)) {
      return Number.POSITIVE_INFINITY;
    }
    return 2;
  }
  return 2 + i.operands.length;
}
