// Which functions make memory. Those of the C library by name; and *wrappers* (xmalloc, xstrdup, a parser's new_node): functions that
// return what an allocator returned and keep it nowhere. A block belongs to the call of the outermost wrapper, else every list node of a
// program that calls xmalloc would be one object. A program's own allocator (a pool with free lists) is known by its name only.
//
// And *returners* (strchr, skip_space): what they return is made of their parameters, so that it need not be mixed with what
// others gave them.

import { calledName } from "../../support/library-names.js";
import { calledFunction } from "../analysis/call-graph.js";
import type { IrFunction } from "../module.js";
import { type Body, type Instruction, intValue, type Value } from "../values.js";
import { addressOperands } from "./address-arithmetic.js";

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

/** A function of the program that is given a size and is called so is an allocator, whatever it does inside. */
const NAMED_ALLOCATOR = /(?:m|c|z|re|p)alloc/i;

export type Model =
  | { readonly kind: "fresh" }
  | { readonly kind: "resize" }
  | { readonly kind: "copy" }
  /** Stores new memory through its first argument. */
  | { readonly kind: "fresh-through-argument" }
  /** A pointer in, nothing out. */
  | { readonly kind: "nothing" };

/** What a function does that is described here instead of by its body. */
export function modelOf(linkName: string): Model | null {
  const name = calledName(linkName);
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
    const wrapper = wrapperOf(bodyOf(fn), wrappers) ?? namedAllocator(fn);
    if (wrapper !== null) wrappers.set(fn, wrapper);
  }
  return wrappers;
}

/** One that resizes returns what it was given, too. */
function namedAllocator(fn: IrFunction): Wrapper | null {
  const { params } = fn.type;
  if (fn.module.origin !== "program" || !NAMED_ALLOCATOR.test(fn.name)) return null;
  if (!params.some(({ kind }) => kind === "int")) return null;
  const pointers = params.flatMap(({ kind }, index) => (kind === "ptr" ? [index] : []));
  return { isFresh: true, parameters: /realloc/i.test(fn.name) ? pointers : [] };
}

/** What a function returns if all of it is made of its parameters: which, and whether as they are or somewhere in the same object. */
export interface Returner {
  readonly parameters: ReadonlyMap<number, "same" | "moved">;
}

export function findReturners(
  order: readonly IrFunction[],
  bodyOf: (fn: IrFunction) => Body,
): ReadonlyMap<IrFunction, Returner> {
  const returners = new Map<IrFunction, Returner>();
  for (const fn of order) {
    if (fn.type.result.kind !== "ptr" || modelOf(fn.name) !== null) continue;
    const returner = returnerOf(bodyOf(fn), returners);
    if (returner !== null) returners.set(fn, returner);
  }
  return returners;
}

function returnerOf(body: Body, known: ReadonlyMap<IrFunction, Returner>): Returner | null {
  const parameters = new Map<number, "same" | "moved">();
  const seen = new Map<Value, boolean>();
  const work: [Value, boolean][] = [];
  for (const { terminator } of body.blocks) if (terminator.op === "ret") work.push([terminator.operands[0], false]);
  for (let at = work.pop(); at !== undefined; at = work.pop()) {
    const [value, isMoved] = at;
    const before = seen.get(value);
    if (before === true || before === isMoved) continue;
    seen.set(value, isMoved);
    if (value.kind === "argument") {
      if (value.type.kind !== "ptr") return null;
      if (isMoved || !parameters.has(value.index)) parameters.set(value.index, isMoved ? "moved" : "same");
    } else if (value.kind === "instruction") {
      switch (value.op) {
        case "phi":
          for (const operand of value.operands) work.push([operand, isMoved]);
          break;
        case "select":
          work.push([value.operands[1], isMoved], [value.operands[2], isMoved]);
          break;
        case "getelementptr":
          work.push([value.operands[0], true]);
          break;
        case "ptrtoint":
        case "inttoptr":
          work.push([value.operands[0], isMoved]);
          break;
        case "add":
        case "and":
        case "or":
        case "sub": {
          const addresses = addressOperands(value);
          if (addresses.length === 0) return null;
          for (const operand of addresses) work.push([operand, true]);
          break;
        }
        case "call": {
          const callee = calledFunction(value.operands[0]);
          const inner = callee === null ? undefined : known.get(callee);
          const addresses = inner === undefined ? addressOperands(value) : [];
          if (inner === undefined && addresses.length === 0) return null;
          for (const operand of addresses) work.push([operand, true]);
          for (const [index, how] of inner?.parameters ?? []) {
            if (value.operands[1 + index] === undefined) return null;
            work.push([value.operands[1 + index], isMoved || how === "moved"]);
          }
          break;
        }
        default:
          return null;
      }
    } else if (value.kind !== "undef" && intValue(value) !== 0n && value.kind !== "zero") return null;
  }
  return parameters.size === 0 ? null : { parameters };
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
      // Behind a header of its own.
      else if (value.op === "getelementptr") work.push(value.operands[0]);
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
    } else if (value.kind !== "undef" && intValue(value) !== 0n && value.kind !== "zero") return null;
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
