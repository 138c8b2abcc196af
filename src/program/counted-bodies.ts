// The bodies of a linked program as they were when its image was made, with the numbers of their blocks: what static analyses
// look at, so that what they say can be held against what runs do. Translation is deterministic, so the same program with the
// same options gives the same blocks in the same order; a difference is a defect and is thrown.

import type { DataLayout } from "../ir/data-layout.js";
import type { LinkedProgram } from "../ir/link.js";
import { IrError, type IrFunction } from "../ir/module.js";
import { splitEdges } from "../ir/passes/split-edges.js";
import { Optimizer } from "../ir/pipeline.js";
import type { Body } from "../ir/values.js";
import type { ProgramImage } from "../jit/image.js";
import type { CompileOptions } from "../jit/options.js";
import { ShapeError } from "../jit/shape.js";
import { SignatureTable } from "../jit/signature-table.js";

export interface CountedBody {
  readonly fn: IrFunction;
  /** Index into `image.functions`. */
  readonly functionIndex: number;
  readonly body: Body;
  /** The coverage number of `body.blocks[0]`; the others follow. -1 if it is not counted, as libc's are not. */
  readonly firstBlock: number;
}

/** Callees before callers. An address that was expanded to bytes has beside it what was written. Functions that cannot be translated are left out. */
export function countedBodies(
  program: LinkedProgram,
  layout: DataLayout,
  options: CompileOptions,
  image: ProgramImage,
): readonly CountedBody[] {
  const table = new SignatureTable(program.functions);
  const firstBlocks = new Map<number, number>();
  image.coverage.forEach(({ functionIndex }, number) => {
    if (!firstBlocks.has(functionIndex)) firstBlocks.set(functionIndex, number);
  });
  const runtime = (name: string): IrFunction | null => {
    const found = program.lookup(name);
    return found?.kind === "function" ? found : null;
  };
  const optimizer = new Optimizer(program, options, layout, runtime);
  const bodies: CountedBody[] = [];
  for (const fn of optimizer.order) {
    const functionIndex = table.indexOf(fn);
    if (functionIndex === undefined) continue;
    let body: Body;
    try {
      body = optimizer.body(fn, true);
    } catch (error) {
      if (error instanceof IrError || error instanceof ShapeError) continue;
      throw error;
    }
    const isCounted = options.coverage && fn.module.origin === "program";
    if (isCounted && options.shadows) splitEdges(body);
    const firstBlock = isCounted ? (firstBlocks.get(functionIndex) ?? -1) : -1;
    if (firstBlock >= 0) checkBlocks(fn, body, firstBlock, image);
    bodies.push({ fn, functionIndex, body, firstBlock });
  }
  return bodies;
}

function checkBlocks(fn: IrFunction, body: Body, first: number, image: ProgramImage): void {
  body.blocks.forEach(({ terminator }, at) => {
    const counted = image.coverage[first + at]?.successors ?? [];
    const own = terminator.blocks.map(({ index }) => first + index);
    if (counted.length !== own.length || own.some((number, n) => number !== counted[n])) {
      throw new Error(`${fn.name}: block ${at} is not as the image has it`);
    }
  });
}
