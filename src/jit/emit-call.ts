// Calls. A direct call whose types fit its callee is a WebAssembly call. C lets them not fit (a K&R declaration, a
// cast function pointer), so arguments are converted as the x86-64 registers would convert them: a missing one is zero,
// one too many is dropped, an int where a long is expected is extended.
//
// An indirect call must not trap on a signature mismatch, because real programs live with it. Functions are sorted by
// signature, so "is this pointer a function of my signature" is one subtraction, rotation and comparison; if not, the
// pointer goes to `resolveMismatch` of this signature, which remembers it and returns the table index of a function
// that carries the arguments to the host, which calls the real one.

import { isJumpPointer } from "../ir/jump-pointer.js";
import type { IrFunction } from "../ir/module.js";
import { lowerType } from "../ir/passes/lower.js";
import { type FunctionType, VOID } from "../ir/types.js";
import { type Instruction, type InstructionOf, instruction, type Value } from "../ir/values.js";
import { noteAllocation } from "./access-base.js";
import type { HostName } from "./boundary.js";
import { emitInlineAsm } from "./emit-asm.js";
import { emitFromI64, emitToI64 } from "./emit-cast.js";
import { emitCheck } from "./emit-check.js";
import { emitVariadicStates } from "./emit-frame.js";
import { emitBulkCost, emitRefuel } from "./emit-fuel.js";
import { emitIntrinsic, emitMathFunction } from "./emit-intrinsic.js";
import { emitRestoreMask } from "./emit-setjmp.js";
import { emitVariadicShadow } from "./emit-shadow.js";
import { variadicLayout } from "./frame.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { CONTROL, GRANULE, NO_ARGUMENTS } from "./memory-layout.js";
import { GLOBAL_STACK_POINTER, TAG_LONGJMP } from "./module-globals.js";
import { emitObserved } from "./observed.js";
import { memoryPartsOf, type Part, partsOf, signatureOf } from "./shape.js";
import { FIRST_VARIADIC_SLOT, SYMBOLIC_FUNCTIONS } from "./symbolic-boundary.js";
import { W, WX } from "./wasm.js";

type Call = InstructionOf<"call">;

export function emitCall(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "call") return;
  const callee = i.operands[0];
  if (callee.kind === "asm") return emitInlineAsm(e, i, callee);
  emitObserved(e, i);
  if (callee.kind !== "global") return emitIndirectCall(e, i, callee);
  const target = callee.target;
  if (target.name === "llvm.eh.sjlj.longjmp") return emitLongjmp(e, i);
  if (target.name.startsWith("llvm.")) return emitIntrinsic(e, i, target.name);
  const resolved = e.module.resolveFunction(target);
  if (resolved !== null && resolved.absent === undefined && !isJumpPointer(resolved)) {
    if (resolved.module.origin !== "program" && emitMathFunction(e, i, resolved.name)) return;
    noteAllocation(e, i);
    return emitDirectCall(e, i, resolved);
  }
  if (emitProvided(e, i, target.name)) return;
  if (target.resolved !== null && target.resolved.kind !== "function") return emitIndirectCall(e, i, callee);
  e.unsupported(resolved?.absent ?? `a call of ${target.name}, which is defined nowhere`);
  for (const part of partsOf(i.type)) e.zero(part.wasm);
}

/** See layoutFrame: where the variadic arguments of a call begin, or -1. */
export function namedParameters(e: { readonly module: FunctionEmitter["module"] }, i: Call): number {
  const callee = i.operands[0];
  const known = callee.kind === "global" ? e.module.resolveFunction(callee.target) : null;
  if (known !== null) return known.type.variadic ? known.type.params.length : -1;
  const named = i.extra.fnType.params.length;
  return i.extra.fnType.variadic && i.operands.length - 1 > named ? named : -1;
}

function emitDirectCall(e: FunctionEmitter, i: Call, callee: IrFunction): void {
  const expected = callee.type;
  const count = expected.params.length;
  const given = i.operands.length - 1;
  const area = expected.variadic ? storeVariadicArguments(e, i, count) : -1;
  const addresses = copyByvalArguments(e, i);
  if (given !== count && addresses.size === 0 && fitsFlattened(i, expected)) {
    // An __int128 is two parameters to clang and one to the lowering of 80-bit floats: the parts are the same.
    for (let a = 1; a <= given; a++) e.pushAll(i.operands[a]);
  } else {
    for (let a = 0; a < count; a++) {
      const parts = partsOf(lowerType(expected.params[a]));
      if (a >= given) for (const part of parts) e.zero(part.wasm);
      else pushArgument(e, i, a, parts, addresses);
    }
  }
  if (expected.variadic) pushVariadicArea(e, area);
  e.callAsked({ kind: "function", fn: callee });
  convertResult(e, partsOf(lowerType(expected.result)), partsOf(i.type));
}

function fitsFlattened(i: Call, expected: FunctionType): boolean {
  if (expected.variadic) return false;
  const given = i.operands.slice(1).flatMap((value) => partsOf(lowerType(value.type)).map((part) => part.wasm));
  const wanted = signatureOf(expected).params;
  return given.length === wanted.length && given.every((type, k) => type === wanted[k]);
}

function emitIndirectCall(e: FunctionEmitter, i: Call, callee: Value): void {
  // A call without a prototype is written as a variadic one without further arguments: its callee is rarely variadic.
  const variadic = namedParameters(e, i) >= 0;
  const type: FunctionType = { ...i.extra.fnType, variadic };
  const signature = signatureOf(type);
  const pointer = e.local(callee);
  const area = type.variadic ? storeVariadicArguments(e, i, type.params.length) : -1;
  const addresses = copyByvalArguments(e, i);
  // The table index first, in a local: the arguments come before it on the stack.
  const index = e.temp("i32");
  const distance = e.temp("i64");
  e.get(pointer);
  e.i64Asked({ kind: "first-address", signature });
  e.op(W.i64_sub);
  e.i64(4n);
  e.op(W.i64_rotr);
  e.tee(distance);
  e.i64Asked({ kind: "count", signature });
  e.op(W.i64_lt_u);
  e.op(W.if);
  e.op(0x7f);
  e.get(distance);
  e.op(W.i32_wrap_i64);
  e.i32Asked({ kind: "first", signature });
  e.op(W.i32_add);
  e.op(W.else);
  e.get(pointer);
  e.callAsked({ kind: "resolver", signature });
  e.end();
  e.set(index);
  for (let a = 0; a < type.params.length; a++) {
    pushArgument(e, i, a, partsOf(lowerType(type.params[a])), addresses);
  }
  if (type.variadic) pushVariadicArea(e, area);
  e.get(index);
  e.op(W.call_indirect);
  e.asked("u32", { kind: "type", signature });
  e.code.u32(0);
}

function pushArgument(
  e: FunctionEmitter,
  i: Call,
  a: number,
  parts: readonly Part[],
  addresses: ReadonlyMap<number, number>,
): void {
  const address = addresses.get(a);
  if (address !== undefined) {
    e.get(address);
    return;
  }
  const value = i.operands[a + 1];
  const source = partsOf(value.type);
  if (sameParts(source, parts)) {
    e.pushAll(value);
    return;
  }
  parts.forEach((part, k) => {
    if (k >= source.length) e.zero(part.wasm);
    else {
      e.push(value, k);
      emitToI64(e, source[k]);
      emitFromI64(e, part);
    }
  });
}
function sameParts(a: readonly Part[], b: readonly Part[]): boolean {
  return a === b || (a.length === b.length && a.every((part, k) => part.wasm === b[k].wasm && part.bits === b[k].bits));
}

/** What the callee left on the stack becomes what the call site expects. */
function convertResult(e: FunctionEmitter, given: readonly Part[], expected: readonly Part[]): void {
  if (sameParts(given, expected)) return;
  const locals = given.map((part) => e.temp(part.wasm));
  for (let k = given.length - 1; k >= 0; k--) e.set(locals[k]);
  expected.forEach((part, k) => {
    if (k >= given.length) e.zero(part.wasm);
    else {
      e.get(locals[k]);
      emitToI64(e, given[k]);
      emitFromI64(e, part);
    }
  });
}

/** Copies structures passed by value into the frame; locals with the copies' addresses, by argument. */
function copyByvalArguments(e: FunctionEmitter, i: Call): ReadonlyMap<number, number> {
  const offsets = e.frame.byvalOffsets.get(i as Instruction);
  const addresses = new Map<number, number>();
  if (offsets === undefined) return addresses;
  for (const [a, offset] of offsets) {
    const byval = i.extra.paramAttributes[a]?.byval ?? null;
    if (byval === null) continue;
    const address = e.temp("i64");
    e.get(e.frame.pointerLocal);
    e.i32(offset);
    e.op(W.i32_add);
    e.op(W.i64_extend_i32_u);
    e.tee(address);
    e.push(i.operands[a + 1]);
    e.i64(BigInt(e.module.layout.sizeOf(lowerType(byval))));
    e.callRuntime("__tangent_memmove");
    addresses.set(a, address);
  }
  return addresses;
}

/** Writes the arguments from number `fixed` on into the frame's variadic area. Returns its offset, or -1. */
function storeVariadicArguments(e: FunctionEmitter, i: Call, fixed: number): number {
  const given = i.operands.length - 1;
  if (given <= fixed) return -1;
  const layout = e.module.layout;
  const { offsets, sizes } = variadicLayout(i, fixed, layout);
  const base = e.frame.variadicOffset;
  const passed = new Set<number>();
  offsets.forEach((offset, n) => {
    for (let at = offset; at < offset + sizes[n]; at += GRANULE) passed.add(at / GRANULE);
  });
  emitVariadicStates(e, (granule) => passed.has(granule));
  offsets.forEach((offset, n) => {
    const a = fixed + n;
    const value = i.operands[a + 1];
    const byval = i.extra.paramAttributes[a]?.byval ?? null;
    if (byval !== null) {
      e.get(e.frame.pointerLocal);
      e.i32(base + offset);
      e.op(W.i32_add);
      e.op(W.i64_extend_i32_u);
      e.push(value);
      e.i64(BigInt(layout.sizeOf(lowerType(byval))));
      e.callRuntime("__tangent_memmove");
      return;
    }
    const parts = memoryPartsOf(lowerType(value.type), layout);
    if (parts.length === 1 && parts[0].wasm === "i32") {
      // The upper half of a slot must be defined: va_arg of a long reads it, as a register would have it.
      e.get(e.frame.pointerLocal);
      e.push(value);
      e.op(W.i64_extend_i32_u);
      e.memory(W.i64_store, base + offset);
      if (e.hasShadows) emitVariadicShadow(e, base + offset, FIRST_VARIADIC_SLOT + n);
      return;
    }
    const address = e.temp("i64");
    e.get(e.frame.pointerLocal);
    e.i32(base + offset);
    e.op(W.i32_add);
    e.op(W.i64_extend_i32_u);
    e.set(address);
    emitStoreToLocal(e, value, address);
    if (e.hasShadows && parts.length === 1) emitVariadicShadow(e, base + offset, FIRST_VARIADIC_SLOT + n);
  });
  return base;
}
function emitStoreToLocal(e: FunctionEmitter, value: Value, address: number): void {
  const parts = memoryPartsOf(lowerType(value.type), e.module.layout);
  parts.forEach((part, k) => {
    e.get(address);
    e.op(W.i32_wrap_i64);
    e.push(value, k);
    if (part.wasm === "f32") e.memory(W.f32_store, part.offset);
    else if (part.wasm === "f64") e.memory(W.f64_store, part.offset);
    else if (part.wasm === "i32") {
      e.memory(part.bytes === 1 ? W.i32_store8 : part.bytes === 2 ? W.i32_store16 : W.i32_store, part.offset);
    } else e.memory(W.i64_store, part.offset);
  });
}
function pushVariadicArea(e: FunctionEmitter, offset: number): void {
  if (offset < 0) {
    e.i32(NO_ARGUMENTS);
    return;
  }
  e.get(e.frame.pointerLocal);
  e.i32(offset);
  e.op(W.i32_add);
}

/** Functions that the host or the JIT provide to the runtime. */
function emitProvided(e: FunctionEmitter, i: Call, name: string): boolean {
  for (const [host, info] of e.module.imports) {
    if (info.symbol !== name) continue;
    for (let a = 0; a < info.params; a++) e.push(i.operands[a + 1]);
    e.call(e.module.host(host as HostName));
    return true;
  }
  const absent = Object.values(SYMBOLIC_FUNCTIONS).find(({ symbol }) => symbol === name);
  if (absent !== undefined) {
    // Nothing is symbolic in a program translated without shadows.
    if (absent.result) e.i32(0);
    return true;
  }
  switch (name) {
    case "__tangent_shadow":
      // The shadow pass has appended the shadow.
      if (i.operands.length > 2) e.push(i.operands[2]);
      else e.i32(0);
      return true;
    case "__tangent_with_shadow":
      e.push(i.operands[1]);
      return true;
    case "__tangent_memory_copy":
    case "__tangent_memory_fill":
      emitBulkCost(e, i.operands[3]);
      for (let a = 1; a <= 3; a++) e.push(i.operands[a]);
      if (name === "__tangent_memory_copy") {
        e.extended(WX.memory_copy);
        e.op(0);
        e.op(0);
      } else {
        e.extended(WX.memory_fill);
        e.op(0);
      }
      return true;
    case "__tangent_settle":
      emitRefuel(e);
      return true;
    case "__tangent_stack_pointer":
      e.globalGet(GLOBAL_STACK_POINTER);
      return true;
    case "__tangent_thread_locals":
      e.i32Asked({ kind: "thread-locals", part: "address" });
      return true;
    case "__tangent_thread_locals_size":
      e.i32Asked({ kind: "thread-locals", part: "size" });
      return true;
    case "__tangent_thread_locals_image":
      e.i32Asked({ kind: "thread-locals", part: "image" });
      return true;
    case "__tangent_run_constructors":
    case "__tangent_run_destructors":
      e.callAsked({ kind: "structors", constructors: name === "__tangent_run_constructors" });
      return true;
    case "longjmp":
    case "_longjmp":
    case "siglongjmp":
      emitLongjmp(e, i);
      return true;
    default:
      return false;
  }
}

/** A jump buffer holds the number of the setjmp call that filled it; see emit-setjmp.ts. */
function emitLongjmp(e: FunctionEmitter, i: Call): void {
  const callee = i.operands[0];
  const isBuiltin = callee.kind === "global" && callee.target.name === "llvm.eh.sjlj.longjmp";
  if (!isBuiltin) emitRestoreMask(e, i.operands[1]);
  else emitCheck(e, instruction("check", VOID, [i.operands[1]], { size: 8, write: false, align: 8 }));
  e.i32(CONTROL.watchLongjmp);
  e.memory(W.i32_load, 0);
  e.ifUnlikely();
  e.i32(0);
  e.i32(2);
  e.call(e.module.host("watch"));
  e.end();
  // __builtin_longjmp names no value: it is always 1.
  const value = i.operands.length > 2 ? e.local(i.operands[2]) : -1;
  e.push(i.operands[1]);
  e.op(W.i32_wrap_i64);
  e.memory(W.i32_load, 0);
  if (value < 0) e.i32(1);
  else {
    // longjmp(env, 0) makes setjmp return 1.
    e.get(value);
    e.get(value);
    e.op(W.i32_eqz);
    e.op(W.i32_add);
  }
  e.op(W.throw);
  e.code.u32(TAG_LONGJMP);
}
