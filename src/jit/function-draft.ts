// A function's code with holes: in the place of every number that only the whole program decides (indices of functions and types, addresses,
// numbers of sites and frames) stands a question. The code of a function is the same in every program that has the same function with the
// same callees; only the answers differ. So what is translated once can be filled in again (function-templates.ts).
//
// Invariant: a hole is one byte of the draft, so that a place before it and one behind it are told apart; filled, it is as short as the
// number is. Holes are answered in the order of the code: an answer may make a helper, and so decide the numbers of others.

import type { DebugLoc } from "../ir/debug-info.js";
import type { IrFunction } from "../ir/module.js";
import type { Constant, GlobalRef } from "../ir/values.js";
import type { BaseMark } from "./access-base.js";
import { ByteWriter } from "./byte-writer.js";
import type { ThreadLocals } from "./globals.js";
import type { HelperName } from "./helpers.js";
import type { Signature } from "./image.js";

/** What is asked of the program. */
export type Ask =
  | { readonly kind: "function"; readonly fn: IrFunction }
  | { readonly kind: "runtime"; readonly name: string }
  | { readonly kind: "helper"; readonly name: HelperName }
  /** Of the functions of a signature: the type, the first one's number in the table and its address, how many, who carries other calls. */
  | { readonly kind: "type" | "first" | "first-address" | "count" | "resolver"; readonly signature: Signature }
  | { readonly kind: "structors"; readonly constructors: boolean }
  | { readonly kind: "address"; readonly ref: GlobalRef }
  | { readonly kind: "constant"; readonly constant: Constant }
  | { readonly kind: "thread-locals"; readonly part: keyof ThreadLocals }
  | { readonly kind: "site"; readonly site: number }
  /** A number in the coverage table, and the address of its byte. */
  | { readonly kind: "coverage" | "coverage-address"; readonly number: number }
  /** The word at the low end of a frame, with the frame's number. */
  | { readonly kind: "frame"; readonly frame: number }
  | { readonly kind: "unsupported"; readonly what: string; readonly functionName: string };

export interface Hole<Question = Ask> {
  /** In the draft's code. */
  readonly offset: number;
  readonly form: "u32" | "s32" | "s64";
  readonly ask: Question;
}

/** `Question`: of this program, or of any (function-templates.ts). */
export interface FunctionDraft<Question = Ask> {
  /** The locals' declarations. */
  readonly locals: Uint8Array;
  readonly code: Uint8Array;
  readonly holes: readonly Hole<Question>[];
  /** These count from the beginning of the code. */
  readonly marks: readonly { readonly offset: number; readonly loc: DebugLoc }[];
  readonly bases: readonly BaseMark<Question>[];
  readonly hints: readonly { readonly offset: number; readonly likely: boolean }[];
  /** How likely it is to run long in one call (see `longRunningRank`). */
  readonly longRunning: number;
}

export interface TranslatedFunction {
  /** Locals and code, without the length in front. */
  readonly bytes: Uint8Array;
  /** Where the code begins in `bytes`; marks and hints count from there. */
  readonly codeStart: number;
  readonly marks: FunctionDraft["marks"];
  readonly bases: readonly BaseMark<never>[];
  readonly hints: FunctionDraft["hints"];
  readonly longRunning: number;
}

export function fillDraft<Question extends object>(
  draft: FunctionDraft<Question>,
  answer: (ask: Question) => number | bigint,
): TranslatedFunction {
  const { locals, code, holes } = draft;
  const out = new ByteWriter(locals.length + code.length + 2 * holes.length);
  out.append(locals);
  /** By hole: what is behind it lies so much further behind. */
  const shifts = new Int32Array(holes.length);
  let from = 0;
  holes.forEach(({ offset, form, ask }, n) => {
    out.append(code.subarray(from, offset));
    from = offset + 1;
    const value = answer(ask);
    if (form === "u32") out.u32(Number(value));
    else if (form === "s32") out.s32(Number(value));
    else out.s64(BigInt(value));
    shifts[n] = out.length - locals.length - from;
  });
  out.append(code.subarray(from));
  const moved = (offset: number): number => {
    let low = 0;
    let high = holes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (holes[middle].offset < offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + shifts[low - 1];
  };
  const baseOf = (base: number | Question): number => (typeof base === "number" ? base : Number(answer(base)));
  return {
    bytes: out.finish(),
    codeStart: locals.length,
    marks: draft.marks.map(({ offset, loc }) => ({ offset: moved(offset), loc })),
    bases: draft.bases.map(({ start, end, read, write }) => ({
      start: moved(start),
      end: moved(end),
      read: baseOf(read),
      write: baseOf(write),
    })),
    hints: draft.hints.map(({ offset, likely }) => ({ offset: moved(offset), likely })),
    longRunning: draft.longRunning,
  };
}
