// Bodies of functions and places of instructions for analyses of a linked program that look at its source as it was written.

import { IrError, type IrFunction } from "../ir/module.js";
import type { Body, Instruction } from "../ir/values.js";
import { pathOf } from "../jit/line-table.js";

export function bodyOf(fn: IrFunction): Body | null {
  try {
    return fn.parseBody();
  } catch (error) {
    // Whoever translates it says so.
    if (!(error instanceof IrError)) throw error;
    return null;
  }
}

export function instructionsOf({ blocks }: Body): readonly Instruction[] {
  return blocks.flatMap(({ instructions }) => instructions);
}

/** file:line:column; null where the compiler has joined functions: the stack then has other frames. */
export function placeOf({ loc }: Instruction): string | null {
  const frame = loc === null || loc.inlinedAt !== null ? null : loc.debug.frame(loc.id);
  return frame === null || frame.file === "" ? null : `${pathOf(frame)}:${frame.line}:${frame.column}`;
}
