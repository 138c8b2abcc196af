// Control flow of a whole function: walks the plan of structure.ts, or, where there is none, writes a dispatch loop:
//
//   loop { try { block .. block { br_table state } code0; code1; .. } catch longjmp { .. } }
//
// Phis are locals written on the edges: all incoming values are pushed before any is stored, so that a swap is right.

import type { Block, Instruction, Value } from "../ir/values.js";
import { isTerminator } from "../ir/values.js";
import { emitFrameExit } from "./emit-frame.js";
import { emitRefuel } from "./emit-fuel.js";
import { emitFault } from "./emit-integer.js";
import { emitLongjmpHandler, type SetjmpSite } from "./emit-setjmp.js";
import { emitJumpDecision, emitSwitchDecision } from "./emit-switch.js";
import type { FunctionEmitter, InstructionEmitter } from "./function-emitter.js";
import { GLOBAL_FUEL } from "./module-globals.js";
import { NOWHERE } from "./placement.js";
import { partsOf } from "./shape.js";
import { PLAN, type Plan } from "./structure.js";
import { W } from "./wasm.js";

/** How a jump between two blocks is written depends on the mode. */
interface Jumper {
  /** Jumps to the block (without the edge's copies); `nesting` blocks were opened since the source's own level. */
  jump(to: Block, backward: boolean): void;
}

export interface ControlOptions {
  readonly blocks: readonly Block[];
  /** Fuel one iteration costs, by header; 0 for other blocks. */
  readonly loopCost: Int32Array;
  /** Coverage numbers, null without coverage. Blocks that were made by splitting others have none. */
  readonly coverage: ReadonlyMap<Block, number> | null;
  readonly setjmpSites: readonly SetjmpSite[];
}

// ---------------------------------------------------------------- structured

/** In `labels`: what a WebAssembly label stands for. */
const LABEL_OTHER = -1;
const loopLabel = (block: number): number => 2 * block;
const blockLabel = (block: number): number => 2 * block + 1;

export function emitStructured(
  e: FunctionEmitter,
  plan: Plan,
  options: ControlOptions,
  emit: InstructionEmitter,
): void {
  const { blocks } = options;
  const depthOf = (label: number): number => e.labels.length - 1 - e.labels.lastIndexOf(label);
  const jumper: Jumper = {
    jump(to, backward) {
      e.op(W.br);
      e.code.u32(depthOf(backward ? loopLabel(to.index) : blockLabel(to.index)));
    },
  };
  for (let at = 0; at < plan.length; at += 3) {
    const block = blocks[plan[at + 1]];
    const target = blocks[plan[at + 2]];
    switch (plan[at]) {
      case PLAN.block:
        e.block();
        e.labels.push(blockLabel(target.index));
        break;
      case PLAN.loop:
        e.op(W.loop);
        e.op(0x40);
        e.labels.push(loopLabel(target.index));
        // A loop that is stopped for want of fuel is reported at its head.
        e.mark(target.instructions.find((i) => i.op !== "phi" && i.loc !== null)?.loc ?? null);
        emitLoopCost(e, options.loopCost[target.index]);
        break;
      case PLAN.end:
        e.end();
        e.labels.pop();
        break;
      case PLAN.body:
        emitBody(e, block, options, emit);
        break;
      case PLAN.if: {
        e.push(block.terminator.operands[0]);
        e.releaseTemps();
        e.op(W.if);
        e.op(0x40);
        e.labels.push(LABEL_OTHER);
        break;
      }
      case PLAN.else:
        e.op(W.else);
        break;
      case PLAN.edge:
        emitEdge(e, block, target);
        break;
      case PLAN.jump:
        jumper.jump(target, target.index <= block.index);
        break;
      case PLAN.terminator:
        emitTerminator(e, block, jumper);
        break;
    }
  }
  e.op(W.unreachable);
}

// ---------------------------------------------------------------- dispatch

export function emitDispatch(e: FunctionEmitter, options: ControlOptions, emit: InstructionEmitter): void {
  const { blocks, setjmpSites } = options;
  const state = e.newLocal("i32");
  const guarded = setjmpSites.length > 0;
  e.op(W.loop);
  e.op(0x40);
  e.labels.push(loopLabel(0));
  emitLoopCost(e, 16);
  if (guarded) {
    e.op(W.try);
    e.op(0x40);
    e.labels.push(LABEL_OTHER);
  }
  for (const _ of blocks) {
    e.block();
    e.labels.push(LABEL_OTHER);
  }
  e.get(state);
  e.op(W.br_table);
  e.code.u32(blocks.length);
  for (let n = 0; n < blocks.length; n++) e.code.u32(n);
  e.code.u32(0);
  const jumper: Jumper = {
    jump(to) {
      e.i32(to.index);
      e.set(state);
      e.op(W.br);
      e.code.u32(e.labels.length - 1 - e.labels.indexOf(loopLabel(0)));
    },
  };
  for (const block of blocks) {
    e.end();
    e.labels.pop();
    emitBody(e, block, options, emit);
    const terminator = block.terminator;
    if (terminator.op === "br") {
      emitEdge(e, block, terminator.blocks[0]);
      if (terminator.blocks[0].index !== block.index + 1) jumper.jump(terminator.blocks[0], false);
    } else if (terminator.op === "condbr") {
      e.push(terminator.operands[0]);
      e.releaseTemps();
      e.op(W.if);
      e.op(0x40);
      e.labels.push(LABEL_OTHER);
      emitEdge(e, block, terminator.blocks[0]);
      jumper.jump(terminator.blocks[0], false);
      e.end();
      e.labels.pop();
      emitEdge(e, block, terminator.blocks[1]);
      jumper.jump(terminator.blocks[1], false);
    } else emitTerminator(e, block, jumper);
  }
  e.op(W.unreachable);
  if (guarded) {
    emitLongjmpHandler(e, setjmpSites, (site) => {
      jumper.jump(site.resumeAt, false);
    });
    e.end();
    e.labels.pop();
  }
  e.end();
  e.labels.pop();
  e.op(W.unreachable);
}

// ---------------------------------------------------------------- shared

function emitBody(e: FunctionEmitter, block: Block, options: ControlOptions, emit: InstructionEmitter): void {
  const counted = options.coverage?.get(block);
  if (counted !== undefined) emitCount(e, counted);
  for (const i of block.instructions) {
    if (i.op === "phi" || isTerminator(i)) continue;
    const local = e.placement.local[i.id];
    if (local < NOWHERE) continue;
    e.mark(i.loc);
    emit(e, i);
    if (partsOf(i.type).length > 0) e.settle(i);
    e.releaseTemps();
  }
}

/** Up to 255 times: more is as much as that. */
function emitCount(e: FunctionEmitter, block: number): void {
  const before = e.temp("i32");
  e.i32(0);
  e.i32(0);
  e.covered(W.i32_load8_u, block);
  e.tee(before);
  e.get(before);
  e.i32(255);
  e.op(W.i32_ne);
  e.op(W.i32_add);
  e.covered(W.i32_store8, block);
  e.releaseTemps();
}

/**
 * Loops pay for each iteration, into a local: a counter in a WebAssembly global lives in memory, and its load, subtract
 * and store would be the longest dependency of a tight loop (measured: 3x on a pointer chase). The local is settled
 * when it is large and when the function returns.
 */
function emitLoopCost(e: FunctionEmitter, cost: number): void {
  if (cost <= 0 || e.spentLocal < 0) return;
  e.get(e.spentLocal);
  e.i32(cost);
  e.op(W.i32_add);
  e.tee(e.spentLocal);
  e.i32(SETTLE_AT);
  e.op(W.i32_gt_u);
  e.ifUnlikely();
  settleFuel(e);
  e.i32(0);
  e.set(e.spentLocal);
  emitRefuel(e);
  e.end();
}
/** Instructions a loop may run before it is charged for them. */
const SETTLE_AT = 20_000;

function settleFuel(e: FunctionEmitter): void {
  if (e.spentLocal < 0) return;
  e.globalGet(GLOBAL_FUEL);
  e.get(e.spentLocal);
  e.op(W.i32_sub);
  e.globalSet(GLOBAL_FUEL);
}

/** Recursive functions pay at entry. When the fuel is used up the host decides. */
export function emitEntryCost(e: FunctionEmitter, cost: number): void {
  e.globalGet(GLOBAL_FUEL);
  e.i32(cost);
  e.op(W.i32_sub);
  e.globalSet(GLOBAL_FUEL);
  emitRefuel(e);
}

function emitEdge(e: FunctionEmitter, from: Block, to: Block): void {
  const copies: { readonly local: number; readonly value: Value; readonly count: number }[] = [];
  for (const phi of to.instructions) {
    if (phi.op !== "phi") break;
    const local = e.placement.local[phi.id];
    if (local < 0) continue;
    const value = phi.operands[phi.blocks.indexOf(from)];
    if (value === undefined || value === phi) continue;
    // Any value will do, but not what is left of another one: it might be no shadow.
    if (value.kind === "undef" && !e.placement.isShared) continue;
    copies.push({ local, value, count: partsOf(phi.type).length });
  }
  for (const { value, count } of copies) for (let k = 0; k < count; k++) e.push(value, k);
  for (let n = copies.length - 1; n >= 0; n--) {
    for (let k = copies[n].count - 1; k >= 0; k--) e.set(copies[n].local + k);
  }
  e.releaseTemps();
}

function emitTerminator(e: FunctionEmitter, block: Block, jumper: Jumper): void {
  const i = block.terminator;
  e.mark(i.loc);
  switch (i.op) {
    case "ret":
      emitReturn(e, i);
      break;
    case "switch":
      emitChoice(e, block, jumper, (labelOf) => {
        emitSwitchDecision(e, i, labelOf);
      });
      break;
    case "indirectbr":
      emitChoice(e, block, jumper, (labelOf) => {
        emitJumpDecision(e, i, labelOf);
      });
      break;
    case "unreachable":
      emitUnreachable(e, block);
      break;
    case "unsupported":
      e.unsupported(i.extra.what);
      break;
    default:
      throw new Error(`${i.op} is not a terminator`);
  }
  e.releaseTemps();
}

/**
 * A jump to one of several targets: a stub for each target that makes its copies and jumps, and a decision in front
 * that branches to a stub. `decide` gets the label depth of a target's stub by the target's block index.
 */
function emitChoice(
  e: FunctionEmitter,
  block: Block,
  jumper: Jumper,
  decide: (labelOf: (blockIndex: number) => number) => void,
): void {
  const targets = [...new Set(block.terminator.blocks)];
  for (const _ of targets) {
    e.block();
    e.labels.push(LABEL_OTHER);
  }
  const depth = e.labels.length;
  // The first target's stub follows the innermost block.
  const position = new Map(targets.map((target, n) => [target.index, n]));
  decide((index) => (position.get(index) as number) + (e.labels.length - depth));
  for (const target of targets) {
    e.end();
    e.labels.pop();
    emitEdge(e, block, target);
    jumper.jump(target, target.index <= block.index);
  }
}

function emitReturn(e: FunctionEmitter, i: Instruction): void {
  emitFrameExit(e);
  settleFuel(e);
  if (i.operands.length > 0) e.pushAll(i.operands[0]);
  e.op(W.return);
}

/** After a call that does not return this is never reached; elsewhere reaching it is undefined behaviour. */
function emitUnreachable(e: FunctionEmitter, block: Block): void {
  const before = block.instructions[block.instructions.length - 2];
  if (before?.op === "call" && (before.extra.noreturn || isTrap(before))) e.op(W.unreachable);
  else emitFault(e, "unreachable");
}
function isTrap(call: Instruction): boolean {
  const callee = call.operands[0];
  return callee.kind === "global" && /^llvm\.((ubsan)?trap|tangent\.field)$/.test(callee.target.name);
}
