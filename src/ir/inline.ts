// Inlining of small functions. V8 does not inline across WebAssembly functions, and C is written as if that were free:
// measured, a hash-and-sort program full of tiny functions runs 2.2 times slower without it. Callees come with their own
// callees inlined already, so one scan over the caller is enough and nothing is inlined into itself.
//
// The stack of a report must not change, so each copied instruction's location gets the call's as `inlinedAt`. A callee
// that keeps variables in memory is not inlined: its frame's end is what finds pointers that outlive it.

import { returnsTwice } from "./alloca-uses.js";
import { calledFunction } from "./call-graph.js";
import { numberInstructions } from "./cfg.js";
import { cloneBlocks } from "./clone.js";
import { DebugLoc } from "./debug-info.js";
import { writesMemory } from "./forbidding.js";
import { Forwarding } from "./forwarding.js";
import type { IrFunction } from "./module.js";
import { sameType, VOID } from "./types.js";
import { Block, type Body, type Instruction, type InstructionOf, instruction, type Value } from "./values.js";

/** A callee ready to be copied: optimised, without checks, numbered and in order. */
export interface InlineCandidate {
  readonly fn: IrFunction;
  readonly body: Body;
  readonly cost: number;
  /** How deep calls are nested in it that were inlined themselves. */
  readonly depth: number;
}

/** See `bodyCost` for the unit. Chosen by measurement: bench notes in docs. */
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
export function bodyCost(fn: IrFunction, body: Body): number {
  const { attributes } = fn;
  if (fn.type.variadic || attributes.noInline || attributes.naked || attributes.returnsTwice) {
    return Number.POSITIVE_INFINITY;
  }
  if (fn.params.some((param) => param.byval !== null)) return Number.POSITIVE_INFINITY;
  let cost = 0;
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      cost += instructionCost(i);
      if (cost === Number.POSITIVE_INFINITY) return cost;
      for (const operand of i.operands) if (operand.kind === "blockaddress") return Number.POSITIVE_INFINITY;
    }
  }
  return cost;
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

export interface Inlined {
  /** How many calls were replaced; if any, the blocks are no longer in order. */
  readonly count: number;
  readonly depth: number;
}
export function inlineCalls(body: Body, candidateOf: (callee: IrFunction) => InlineCandidate | null): Inlined {
  const inliner = new Inliner(body, candidateOf);
  inliner.run();
  return inliner;
}

class Inliner implements Inlined {
  count = 0;
  depth = 0;
  #growth = 0;
  readonly #forwarding: Forwarding;
  readonly #blocks: Block[] = [];

  constructor(
    readonly body: Body,
    readonly candidateOf: (callee: IrFunction) => InlineCandidate | null,
  ) {
    this.#forwarding = new Forwarding(numberInstructions(body));
  }

  run(): void {
    for (const block of this.body.blocks) this.#block(block);
    if (this.count === 0) return;
    this.body.blocks = this.#blocks;
    this.#forwarding.apply(this.body);
  }

  #block(first: Block): void {
    this.#blocks.push(first);
    const old = first.instructions;
    let at = first;
    let list: Instruction[] | null = null;
    for (let k = 0; k < old.length; k++) {
      const i = old[k];
      const candidate = i.op === "call" ? this.#candidate(i) : null;
      if (candidate === null || i.op !== "call") {
        list?.push(i);
        continue;
      }
      if (list === null) {
        list = old.slice(0, k);
        first.instructions = list;
      }
      this.count++;
      this.#growth += candidate.cost;
      this.depth = Math.max(this.depth, candidate.depth + 1);
      const rest = this.#expand(i, candidate.body, at);
      if (rest !== at) {
        at = rest;
        list = at.instructions;
      }
    }
    if (at !== first) for (const to of at.terminator.blocks) replaceSource(to, first, at);
  }

  #candidate(call: InstructionOf<"call">): InlineCandidate | null {
    if (!call.extra.mayInline || call.extra.mustTail || call.extra.returnsTwice) return null;
    const callee = calledFunction(call.operands[0]);
    if (callee === null || callee.isDeclaration) return null;
    const candidate = this.candidateOf(callee);
    if (candidate === null || this.#growth + candidate.cost > CALLER_GROWTH) return null;
    if (candidate.depth >= INLINE_DEPTH) return null;
    // A call through a wrong declaration keeps its wrong meaning, whatever that is.
    const { args } = candidate.body;
    if (args.length !== call.operands.length - 1) return null;
    for (let k = 0; k < args.length; k++) if (!sameType(args[k].type, call.operands[k + 1].type)) return null;
    if (call.extra.paramAttributes.some((attributes) => attributes.byval !== null)) return null;
    return sameType(resultType(candidate.body, call), call.type) ? candidate : null;
  }

  /** Puts a copy of `callee` at the end of `at`; returns the block in which the caller goes on. */
  #expand(call: InstructionOf<"call">, callee: Body, at: Block): Block {
    const args = call.operands.slice(1);
    const { blocks, values } = cloneBlocks(callee, args, relocation(call.loc), `.i${this.count}`);
    for (const value of values) value.id = -1;
    const [entry] = blocks;
    if (blocks.length === 1 && entry.terminator.op === "ret") {
      const ret = entry.instructions.pop() as Instruction;
      for (const i of entry.instructions) at.instructions.push(i);
      if (ret.operands.length > 0) this.#forwarding.set(call, ret.operands[0]);
      return at;
    }
    const after = new Block(`${at.name}.after${this.count}`);
    const phi = instruction("phi", call.type, [], null, [], call.loc);
    for (const block of blocks) {
      const last = block.terminator;
      this.#blocks.push(block);
      if (last.op !== "ret") continue;
      block.instructions[block.instructions.length - 1] = instruction("br", VOID, [], null, [after], last.loc);
      if (last.operands.length === 0) continue;
      phi.operands.push(last.operands[0]);
      phi.blocks.push(block);
    }
    at.instructions.push(instruction("br", VOID, [], null, [entry], call.loc));
    if (call.type.kind !== "void") {
      // A callee that never returns leaves a block that nothing reaches, and a value that nothing is.
      if (phi.blocks.length === 0) this.#forwarding.set(call, { kind: "undef", type: call.type });
      else if (phi.blocks.length === 1) this.#forwarding.set(call, phi.operands[0]);
      else {
        after.instructions.push(phi);
        this.#forwarding.set(call, phi);
      }
    }
    this.#blocks.push(after);
    return after;
  }
}

function resultType(callee: Body, call: Instruction): Value["type"] {
  for (const block of callee.blocks) {
    const last = block.terminator;
    if (last.op === "ret") return last.operands[0]?.type ?? VOID;
  }
  return call.type;
}

function replaceSource(block: Block, old: Block, fresh: Block): void {
  for (const phi of block.instructions) {
    if (phi.op !== "phi") return;
    const position = phi.blocks.indexOf(old);
    if (position >= 0) phi.blocks[position] = fresh;
  }
}

/** Where a copied instruction is: where it was, inlined at the call. Positions stay shared within one call. */
function relocation(call: DebugLoc | null): (loc: DebugLoc | null) => DebugLoc | null {
  if (call === null) return (loc) => loc;
  const known = new Map<DebugLoc, DebugLoc>();
  const relocate = (loc: DebugLoc): DebugLoc => {
    let moved = known.get(loc);
    if (moved === undefined) {
      moved = new DebugLoc(loc.debug, loc.id, loc.inlinedAt === null ? call : relocate(loc.inlinedAt));
      known.set(loc, moved);
    }
    return moved;
  };
  return (loc) => (loc === null ? call : relocate(loc));
}
