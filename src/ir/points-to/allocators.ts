// Which functions make memory. Those of the C library by name; and *wrappers* (xmalloc, xstrdup, a parser's new_node): functions that
// return what an allocator returned and keep it nowhere. A block belongs to the call of the outermost wrapper, else every list node of a
// program that calls xmalloc would be one object.

import { calledFunction } from "../analysis/call-graph.js";
import type { IrFunction } from "../module.js";
import { type Body, type Instruction, intValue, type Value } from "../values.js";

/** Their result is new memory. */
const FRESH = new Set(["malloc", "calloc", "aligned_alloc", "memalign", "valloc", "mmap", "mmap64"]);
/** Their result is new memory with the content of the first argument's, or that argument itself. */
const RESIZING = new Set(["realloc", "reallocarray"]);
/** They copy the second argument's bytes to the first and return the first, or its end. */
const COPYING = new Set([
  "memcpy",
  "memmove",
  "mempcpy",
  "__tangent_memcpy",
  "__tangent_memmove",
  "__tangent_try_copy",
]);

export type Model =
  | { readonly kind: "fresh" }
  | { readonly kind: "resize" }
  | { readonly kind: "copy" }
  /** Stores new memory through its first argument. */
  | { readonly kind: "fresh-through-argument" }
  /** A pointer in, nothing out. */
  | { readonly kind: "nothing" };

/** What a function does that is described here instead of by its body. */
export function modelOf(name: string): Model | null {
  if (FRESH.has(name)) return { kind: "fresh" };
  if (RESIZING.has(name)) return { kind: "resize" };
  if (COPYING.has(name) || name.startsWith("llvm.memcpy.") || name.startsWith("llvm.memmove.")) return { kind: "copy" };
  if (name === "posix_memalign") return { kind: "fresh-through-argument" };
  if (name === "free" || name === "memset" || name === "__tangent_memset" || name.startsWith("llvm.memset.")) {
    return { kind: "nothing" };
  }
  return null;
}

/** What a wrapper returns besides null. */
export interface Wrapper {
  readonly isFresh: boolean;
  /** Parameters that it may return as they are, or resized. */
  readonly parameters: readonly number[];
}

/** `order`: callees before callers. A wrapper of itself, through recursion, is none. */
export function findWrappers(
  order: readonly IrFunction[],
  bodyOf: (fn: IrFunction) => Body,
): ReadonlyMap<IrFunction, Wrapper> {
  const wrappers = new Map<IrFunction, Wrapper>();
  for (const fn of order) {
    if (fn.type.result.kind !== "ptr" || modelOf(fn.name) !== null) continue;
    const wrapper = wrapperOf(bodyOf(fn), wrappers);
    if (wrapper !== null) wrappers.set(fn, wrapper);
  }
  return wrappers;
}

function wrapperOf(body: Body, known: ReadonlyMap<IrFunction, Wrapper>): Wrapper | null {
  const returned = new Set<Instruction>();
  const parameters = new Set<number>();
  let isFresh = false;
  const work: Value[] = [];
  for (const { terminator } of body.blocks) if (terminator.op === "ret") work.push(terminator.operands[0]);
  for (let value = work.pop(); value !== undefined; value = work.pop()) {
    if (value.kind === "argument") parameters.add(value.index);
    else if (value.kind === "instruction") {
      if (returned.has(value)) continue;
      returned.add(value);
      if (value.op === "phi") work.push(...value.operands);
      else if (value.op === "select") work.push(value.operands[1], value.operands[2]);
      else if (value.op !== "call") return null;
      else {
        const callee = calledFunction(value.operands[0]);
        const model = callee === null ? null : modelOf(callee.name);
        const inner = callee === null ? undefined : known.get(callee);
        if (model?.kind === "fresh") isFresh = true;
        else if (model?.kind === "copy" && callee?.name !== "mempcpy") work.push(value.operands[1]);
        else if (model?.kind === "resize") {
          isFresh = true;
          work.push(value.operands[1]);
        } else if (inner !== undefined) {
          isFresh ||= inner.isFresh;
          for (const parameter of inner.parameters) work.push(value.operands[1 + parameter]);
        } else return null;
      }
    } else if (value.kind !== "undef" && intValue(value) !== 0n) return null;
  }
  if (!isFresh || isKept(body, returned)) return null;
  return { isFresh, parameters: [...parameters] };
}

/** Whether one of the values is stored, or given to somebody who may store it. */
function isKept(body: Body, values: ReadonlySet<Instruction>): boolean {
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      for (let at = 0; at < i.operands.length; at++) {
        const operand = i.operands[at];
        if (operand.kind !== "instruction" || !values.has(operand)) continue;
        if (i.op === "store" && at === 0) return true;
        if (i.op === "ptrtoint" || i.op === "insertvalue") return true;
        if (i.op === "call" && at > 0 && !values.has(i)) {
          const callee = calledFunction(i.operands[0]);
          if (callee === null || modelOf(callee.name) === null) return true;
        }
        // A field of it is somebody's business only if its address goes on.
        if (i.op === "getelementptr" && isAddressKept(body, i)) return true;
      }
    }
  }
  return false;
}

function isAddressKept(body: Body, address: Instruction): boolean {
  return body.blocks.some(({ instructions }) =>
    instructions.some((i) =>
      i.operands.some((operand, at) => operand === address && !(i.op === "load" || (i.op === "store" && at === 1))),
    ),
  );
}
