// One function: from its final body to WebAssembly bytes. Anything the families cannot express turns the whole function
// into one that ends the run as unsupported when it is called; the rest of the program is unaffected.

import { numberInstructions, orderBlocks, predecessors } from "../ir/analysis/cfg.js";
import { DominatorTree } from "../ir/analysis/dominators.js";
import { findLoops } from "../ir/analysis/loops.js";
import type { IrFunction } from "../ir/module.js";
import { lowerType } from "../ir/passes/lower.js";
import type { Block, Body, Instruction } from "../ir/values.js";
import { intValue } from "../ir/values.js";
import { ByteWriter } from "./byte-writer.js";
import { namedParameters } from "./emit-call.js";
import { type ControlOptions, emitDispatch, emitEntryCost, emitStructured } from "./emit-control.js";
import { emitFrameEntry } from "./emit-frame.js";
import { emitHook } from "./emit-hook.js";
import { emitInstruction } from "./emit-instruction.js";
import { splitAtSetjmp } from "./emit-setjmp.js";
import { readsMoreThanPassed } from "./emit-variadic.js";
import { layoutFrame, namedOffsets } from "./frame.js";
import { type FunctionDraft, fillDraft, type TranslatedFunction } from "./function-draft.js";
import { FunctionEmitter } from "./function-emitter.js";
import type { FrameInfo } from "./image.js";
import type { ModuleBuilder } from "./module-builder.js";
import { placeValues } from "./placement.js";
import { partsOf, ShapeError, signatureOf } from "./shape.js";
import { planStructure } from "./structure.js";
import { W } from "./wasm.js";

export interface TranslateOptions {
  /** Coverage numbers of the function's blocks, null if it is not counted. */
  readonly coverage: ReadonlyMap<Block, number> | null;
  /** Fuel taken at entry, 0 for functions that cannot call themselves. */
  readonly entryCost: number;
  /** The host may want to hear of its calls. */
  readonly hooked: boolean;
  /** The host hears of pointers that are compared or subtracted. */
  readonly tellsPairs: boolean;
  readonly addFrame: (frame: FrameInfo) => number;
  /** Is given what was translated, before it is filled. */
  readonly keep?: ((draft: FunctionDraft) => void) | null;
}

export function translateFunction(
  module: ModuleBuilder,
  fn: IrFunction,
  body: Body,
  options: TranslateOptions,
): TranslatedFunction {
  try {
    const draft = translate(module, fn, body, options);
    const filled = fillDraft(draft, (ask) => module.answer(ask));
    options.keep?.(draft);
    return filled;
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    return unsupportedFunction(module, fn.name, error.message);
  }
}

/** A function that only reports. */
export function unsupportedFunction(module: ModuleBuilder, name: string, what: string): TranslatedFunction {
  const out = new ByteWriter(16);
  out.u32(0);
  out.u8(W.i32_const);
  out.s32(module.unsupported(what, name));
  out.u8(W.call);
  out.u32(module.host("unsupported"));
  out.u8(W.unreachable);
  out.u8(W.end);
  return { bytes: out.finish(), codeStart: 1, marks: [], bases: [], hints: [], longRunning: 0 };
}

function translate(module: ModuleBuilder, fn: IrFunction, body: Body, options: TranslateOptions): FunctionDraft {
  const setjmpSites = splitAtSetjmp(body);
  if (setjmpSites.length > 0) orderBlocks(body);
  const count = numberInstructions(body);
  const blocks = body.blocks;
  const staticAllocas = new Set<Instruction>();
  let hasIndirectBranch = false;
  for (const block of blocks) {
    if (block.terminator.op === "indirectbr") hasIndirectBranch = true;
    if (block !== blocks[0]) continue;
    for (const i of block.instructions) if (i.op === "alloca" && intValue(i.operands[0]) !== null) staticAllocas.add(i);
  }

  const argumentLocals = new Int32Array(fn.type.params.length);
  let locals = 0;
  fn.type.params.forEach((param, n) => {
    argumentLocals[n] = locals;
    locals += partsOf(lowerType(param)).length;
  });
  const variadicLocal = fn.type.variadic ? locals++ : -1;

  const frame = layoutFrame(
    blocks,
    module.layout,
    staticAllocas,
    (alloca) => variableOf(alloca),
    (call) => namedParameters({ module }, call),
    module.definedness && fn.module.origin !== "trusted",
  );
  const resumes = setjmpSites.length > 0;
  const placement = placeValues(blocks, count, locals, (alloca) => staticAllocas.has(alloca), resumes);
  const name = module.uniqueName(fn);
  const e = new FunctionEmitter(
    module,
    name,
    fn.module.origin === "trusted",
    argumentLocals,
    locals,
    placement,
    frame,
    emitInstruction,
  );
  const readsMore = readsMoreThanPassed(fn);
  e.variadic = { local: variadicLocal, readsMore, ...namedOffsets(fn.type.params, fn.params) };
  e.setjmpSites = setjmpSites;
  e.tellsPairs = options.tellsPairs;
  e.params = fn.params;

  e.mark(blocks[0].instructions.find((i) => i.loc !== null)?.loc ?? null);
  if (options.hooked) emitHook(e, module.signatures.indexOf(fn) ?? 0, signatureOf(fn.type));
  if (frame.size > 0) {
    emitFrameEntry(e, options.addFrame({ functionName: fn.name, size: frame.size, slots: frame.slots }));
    e.releaseTemps();
  }
  if (options.entryCost > 0) emitEntryCost(e, options.entryCost);

  const tree = new DominatorTree(predecessors(body));
  const plan = setjmpSites.length > 0 || hasIndirectBranch ? null : planStructure(blocks, tree.idom);
  const loopCost = new Int32Array(blocks.length);
  const { loops, innermost } = findLoops(tree);
  if ((loops.length > 0 || plan === null) && !e.trusted) e.spentLocal = e.newLocal("i32");
  // An iteration pays for the loop's own blocks; inner loops pay for theirs.
  for (const block of blocks) {
    const loop = innermost[block.index];
    if (loop >= 0) loopCost[loops[loop].header] += block.instructions.length;
  }
  const control: ControlOptions = { blocks, loopCost, coverage: options.coverage, setjmpSites };
  if (plan === null) emitDispatch(e, control, emitInstruction);
  else emitStructured(e, plan, control, emitInstruction);
  e.end();
  const depth = loops.reduce((deepest, loop) => Math.max(deepest, loop.depth), 0);
  return e.finish(longRunningRank(fn, depth));
}

/**
 * V8 cannot replace code while it runs: a loop in a function that is called once stays in its slow first version for
 * ever (measured: a matrix product in main runs 7x slower). How likely a function is to run long in one call: by the
 * depth of its loops, main before all. 0: leave it to V8; what is called often gets there by itself.
 */
function longRunningRank(fn: IrFunction, loopDepth: number): number {
  if (fn.module.origin !== "program") return 0;
  if (fn.name === "main" && loopDepth > 0) return Number.POSITIVE_INFINITY;
  return loopDepth >= 2 ? loopDepth : 0;
}

function variableOf(alloca: Instruction): { readonly name: string; readonly line: number } | null {
  if (alloca.op !== "alloca") return null;
  const variable = alloca.extra.variable ?? null;
  return variable === null ? null : { name: variable.name, line: variable.line };
}
