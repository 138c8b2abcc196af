// Inlining of small functions. V8 does not inline across WebAssembly functions, and C is written as if that were free:
// measured, a hash-and-sort program full of tiny functions runs 2.2 times slower without it. Callees come with their own
// callees inlined already, so one scan over the caller is enough and nothing is inlined into itself.
// The stack of a report must not change, so each copied instruction's location gets the call's as `inlinedAt`.
// Which functions are small enough is asked in inline-cost.ts.

import { calledFunction } from "../analysis/call-graph.js";
import { numberInstructions } from "../analysis/cfg.js";
import type { DataLayout } from "../data-layout.js";
import { DebugLoc } from "../debug-info.js";
import type { IrFunction } from "../module.js";
import { functionType, I1, I64, PTR, sameType, type Type, VOID } from "../types.js";
import {
  Block,
  type Body,
  type CallExtra,
  constInt,
  FALSE,
  type GlobalRef,
  globalRef,
  type Instruction,
  type InstructionOf,
  instruction,
  type ParamAttributes,
  type Value,
} from "../values.js";
import { cloneBlocks } from "./clone.js";
import { Forwarding } from "./forwarding.js";
import { CALLER_GROWTH, INLINE_DEPTH, type InlineCandidate } from "./inline-cost.js";
import { intrinsic } from "./intrinsic.js";

export interface Inlined {
  /** How many calls were replaced; if any, the blocks are no longer in order. */
  readonly count: number;
  readonly depth: number;
}
export function inlineCalls(
  body: Body,
  layout: DataLayout,
  candidateOf: (callee: IrFunction) => InlineCandidate | null,
): Inlined {
  const inliner = new Inliner(body, layout, candidateOf);
  inliner.run();
  return inliner;
}

class Inliner implements Inlined {
  count = 0;
  depth = 0;
  private growth = 0;
  private readonly forwarding: Forwarding;
  private readonly blocks: Block[] = [];
  /** Copies of structures that are passed by value; for the entry block. */
  private readonly allocas: Instruction[] = [];

  constructor(
    readonly body: Body,
    readonly layout: DataLayout,
    readonly candidateOf: (callee: IrFunction) => InlineCandidate | null,
  ) {
    this.forwarding = new Forwarding(numberInstructions(body));
  }

  run(): void {
    for (const block of this.body.blocks) this.block(block);
    if (this.count === 0) return;
    this.body.blocks = this.blocks;
    const [entry] = this.blocks;
    if (this.allocas.length > 0) entry.instructions = this.allocas.concat(entry.instructions);
    this.forwarding.apply(this.body);
  }

  private block(first: Block): void {
    this.blocks.push(first);
    const old = first.instructions;
    let at = first;
    let list: Instruction[] | null = null;
    for (let k = 0; k < old.length; k++) {
      const i = old[k];
      const candidate = i.op === "call" ? this.candidate(i) : null;
      if (candidate === null || i.op !== "call") {
        list?.push(i);
        continue;
      }
      if (list === null) {
        list = old.slice(0, k);
        first.instructions = list;
      }
      this.count++;
      this.growth += candidate.cost;
      this.depth = Math.max(this.depth, candidate.depth + 1);
      const rest = this.expand(i, candidate, at);
      if (rest !== at) {
        at = rest;
        list = at.instructions;
      }
    }
    if (at !== first) for (const to of at.terminator.blocks) replaceSource(to, first, at);
  }

  private candidate(call: InstructionOf<"call">): InlineCandidate | null {
    if (!call.extra.mayInline || call.extra.mustTail || call.extra.returnsTwice) return null;
    const callee = calledFunction(call.operands[0]);
    if (callee === null || callee.isDeclaration) return null;
    const candidate = this.candidateOf(callee);
    if (candidate === null || this.growth + candidate.cost > CALLER_GROWTH) return null;
    if (candidate.depth >= INLINE_DEPTH) return null;
    // A call through a wrong declaration keeps its wrong meaning, whatever that is.
    const { args } = candidate.body;
    if (args.length !== call.operands.length - 1) return null;
    for (let k = 0; k < args.length; k++) if (!sameType(args[k].type, call.operands[k + 1].type)) return null;
    const passed = call.extra.paramAttributes;
    for (let k = 0; k < args.length; k++) if (!sameCopy(passed[k], callee.params[k])) return null;
    return sameType(resultType(candidate.body, call), call.type) ? candidate : null;
  }

  /** Puts a copy of `callee` at the end of `at`; returns the block in which the caller goes on. */
  private expand(call: InstructionOf<"call">, { fn, body: callee }: InlineCandidate, at: Block): Block {
    const args = call.operands.slice(1);
    fn.params.forEach(({ byval, align }, k) => {
      if (byval !== null) args[k] = this.copyOf(args[k], byval, align, call, at);
    });
    const { blocks, values } = cloneBlocks(callee, args, relocation(call.loc), `.i${this.count}`);
    for (const value of values) value.id = -1;
    const [entry] = blocks;
    if (blocks.length === 1 && entry.terminator.op === "ret") {
      const ret = entry.instructions.pop() as Instruction;
      at.addVanished(entry.vanished);
      for (const i of entry.instructions) at.instructions.push(i);
      if (ret.operands.length > 0) this.forwarding.set(call, ret.operands[0]);
      return at;
    }
    const after = new Block(`${at.name}.after${this.count}`);
    const phi = instruction("phi", call.type, [], null, [], call.loc);
    for (const block of blocks) {
      const last = block.terminator;
      this.blocks.push(block);
      if (last.op !== "ret") continue;
      block.instructions[block.instructions.length - 1] = instruction("br", VOID, [], null, [after], last.loc);
      if (last.operands.length === 0) continue;
      phi.operands.push(last.operands[0]);
      phi.blocks.push(block);
    }
    at.instructions.push(instruction("br", VOID, [], null, [entry], call.loc));
    if (call.type.kind !== "void") {
      // A callee that never returns leaves a block that nothing reaches, and a value that nothing is.
      if (phi.blocks.length === 0) this.forwarding.set(call, { kind: "undef", type: call.type });
      else if (phi.blocks.length === 1) this.forwarding.set(call, phi.operands[0]);
      else {
        after.instructions.push(phi);
        this.forwarding.set(call, phi);
      }
    }
    this.blocks.push(after);
    return after;
  }

  /** What the callee gets for a structure passed by value: the address of a copy made at the call. */
  private copyOf(source: Value, type: Type, align: number, call: InstructionOf<"call">, at: Block): Value {
    const layout = this.layout;
    const aligned = Math.max(align, layout.abiAlign(type));
    const copy = instruction(
      "alloca",
      PTR,
      [constInt(32, 1)],
      { allocated: type, align: aligned },
      undefined,
      call.loc,
    );
    this.allocas.push(copy);
    const size = constInt(64, layout.sizeOf(type));
    const [callee] = call.operands;
    const { module } = (callee as GlobalRef).target;
    const memcpy = globalRef(intrinsic(module, "llvm.memcpy.p0.p0.i64", MEMCPY));
    at.instructions.push(
      instruction("call", VOID, [memcpy, copy, source, size, FALSE], MEMCPY_CALL, undefined, call.loc),
    );
    return copy;
  }
}

const MEMCPY = functionType(VOID, [PTR, PTR, I64, I1]);
const MEMCPY_CALL: CallExtra = {
  fnType: MEMCPY,
  paramAttributes: [],
  noreturn: false,
  returnsTwice: false,
  mustTail: false,
  mayInline: true,
};

/** Is the argument copied by both sides' account, or by neither's? */
function sameCopy(passed: ParamAttributes | undefined, taken: ParamAttributes | undefined): boolean {
  const [a, b] = [passed?.byval ?? null, taken?.byval ?? null];
  return a === null || b === null ? a === b : sameType(a, b);
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
