// Calls of llvm.* intrinsics: a table from the name's stem to what it does. Those that are libm functions call them
// (`libraryFunction` tells the linker which), those that only inform the optimiser do nothing.

import type { InstructionOf } from "../ir/values.js";
import { intValue } from "../ir/values.js";
import { FAULTS } from "./boundary.js";
import { emitBits } from "./emit-bits.js";
import { memoryOperation } from "./emit-bulk.js";
import { emitSlotStates } from "./emit-frame.js";
import { emitFault } from "./emit-integer.js";
import { emitStackRestore, emitStackSave, emitVaCopy, emitVaStart } from "./emit-variadic.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { FUNCTION_BASE } from "./memory-layout.js";
import { GLOBAL_STACK_POINTER } from "./module-globals.js";
import { partsOf, ShapeError } from "./shape.js";
import { W, WX } from "./wasm.js";

type Call = InstructionOf<"call">;
type Emit = (e: FunctionEmitter, i: Call, name: string) => void;

const nothing: Emit = (e, i) => {
  for (const part of partsOf(i.type)) e.zero(part.wasm);
};
const firstArgument: Emit = (e, i) => e.pushAll(i.operands[1]);

/** Per lane, one WebAssembly instruction. */
function floatOp(f32: number, f64: number, operands: 1 | 2 = 1): Emit {
  return (e, i) => {
    partsOf(i.type).forEach((part, k) => {
      if (part.wasm !== "f32" && part.wasm !== "f64") throw new ShapeError("an intrinsic on half or fp128");
      for (let a = 1; a <= operands; a++) e.push(i.operands[a], k);
      e.op(part.wasm === "f32" ? f32 : f64);
    });
  };
}

/** libm functions by intrinsic stem; `f` is appended for float. */
const LIBRARY: Readonly<Record<string, string>> = {
  sin: "sin",
  cos: "cos",
  tan: "tan",
  asin: "asin",
  acos: "acos",
  atan: "atan",
  atan2: "atan2",
  sinh: "sinh",
  cosh: "cosh",
  tanh: "tanh",
  exp: "exp",
  exp2: "exp2",
  exp10: "exp10",
  log: "log",
  log2: "log2",
  log10: "log10",
  pow: "pow",
  fma: "fma",
  round: "round",
  lround: "lround",
  llround: "llround",
  lrint: "lrint",
  llrint: "llrint",
  ldexp: "ldexp",
};

/** The libm function an intrinsic needs at run time, or null. Used by the linker and by the translation. */
function libraryFunction(name: string): string | null {
  const match = /^llvm\.([a-z0-9]+)(?:\.i\d+)?\.(f32|f64)/.exec(name);
  if (match === null) return null;
  const library = LIBRARY[match[1]];
  if (library === undefined) return null;
  return match[2] === "f32" ? `${library}f` : library;
}

const library: Emit = (e, i, name) => {
  const fn = libraryFunction(name);
  if (fn === null || i.type.kind === "vector") return e.unsupported(`the intrinsic ${name}`);
  for (let a = 1; a < i.operands.length; a++) e.pushAll(i.operands[a]);
  e.callRuntime(fn);
};

/** fmin and fmax: the other operand if one is not a number. */
function numberChoice(f32: number, f64: number): Emit {
  return (e, i) => {
    partsOf(i.type).forEach((part, k) => {
      if (part.wasm !== "f32" && part.wasm !== "f64") throw new ShapeError("an intrinsic on half or fp128");
      const single = part.wasm === "f32";
      const a = e.local(i.operands[1], k);
      const b = e.local(i.operands[2], k);
      const isNumber = (local: number): void => {
        e.get(local);
        e.get(local);
        e.op(single ? W.f32_eq : W.f64_eq);
      };
      // b is a number ? (a is a number ? min : b) : a
      e.get(a);
      e.get(b);
      e.op(single ? f32 : f64);
      e.get(b);
      isNumber(a);
      e.op(W.select);
      e.get(a);
      isNumber(b);
      e.op(W.select);
    });
  };
}

/** fmuladd rounds twice, as x86-64 without FMA does. */
const multiplyAdd: Emit = (e, i) => {
  partsOf(i.type).forEach((part, k) => {
    const single = part.wasm === "f32";
    e.push(i.operands[1], k);
    e.push(i.operands[2], k);
    e.op(single ? W.f32_mul : W.f64_mul);
    e.push(i.operands[3], k);
    e.op(single ? W.f32_add : W.f64_add);
  });
};

/** { fraction, integer part }, both with the sign of the operand; an infinity has fraction 0. */
const splitFraction: Emit = (e, i, name) => {
  const part = partsOf(i.type)[0];
  if (name === "llvm.modf.f80") return splitLongFraction(e, i);
  if (part.wasm !== "f32" && part.wasm !== "f64") return unsupportedIntrinsic(e, i, name);
  const single = part.wasm === "f32";
  const x = e.local(i.operands[1]);
  const whole = e.temp(part.wasm);
  e.get(x);
  e.op(single ? W.f32_trunc : W.f64_trunc);
  e.set(whole);
  e.zero(part.wasm);
  e.get(x);
  e.get(whole);
  e.op(single ? W.f32_sub : W.f64_sub);
  // An infinity minus itself is not a number; nothing else whose whole part equals it has a fraction.
  e.get(x);
  e.get(whole);
  e.op(single ? W.f32_eq : W.f64_eq);
  e.op(W.select);
  e.get(x);
  e.op(single ? W.f32_copysign : W.f64_copysign);
  e.get(whole);
};

/** The same for 80 bits, which travel as significand and sign with exponent. */
function splitLongFraction(e: FunctionEmitter, i: Call): void {
  const x = [e.local(i.operands[1], 0), e.local(i.operands[1], 1)];
  const whole = [e.temp("i64"), e.temp("i64")];
  const fraction = [e.temp("i64"), e.temp("i64")];
  for (const limb of x) e.get(limb);
  e.callRuntime("truncl");
  e.set(whole[1]);
  e.set(whole[0]);
  for (const limb of [...x, ...whole]) e.get(limb);
  e.callRuntime("__tangent_f80_sub");
  e.set(fraction[1]);
  e.set(fraction[0]);
  // No fraction if trunc changed nothing; something that is not a number stays one.
  for (const limb of [...x, ...whole]) e.get(limb);
  e.callRuntime("__tangent_f80_compare");
  e.op(W.i32_eqz);
  e.op(W.if);
  e.op(0x40);
  e.i64(0n);
  e.set(fraction[0]);
  e.get(x[1]);
  e.i64(0x8000n);
  e.op(W.i64_and);
  e.set(fraction[1]);
  e.end();
  for (const limb of [...fraction, ...whole]) e.get(limb);
}

function unsupportedIntrinsic(e: FunctionEmitter, i: Call, name: string): void {
  e.unsupported(`the intrinsic ${name}`);
  for (const part of partsOf(i.type)) e.zero(part.wasm);
}

const trap: Emit = (e) => emitFault(e, "trap");
const ubsanTrap: Emit = (e, i) => {
  e.i32(FAULTS.ubsan);
  e.i32(0);
  e.i32(0);
  e.push(i.operands[1]);
  e.call(e.module.host("fault"));
  e.op(W.unreachable);
};
/** Of check-fields.ts: whether it is a write, and how many bytes the field has. */
const fieldTrap: Emit = (e, i) => {
  e.i32(FAULTS.field);
  e.push(i.operands[1]);
  e.i32(0);
  e.push(i.operands[2]);
  e.call(e.module.host("fault"));
  e.op(W.unreachable);
};

/** A variable's scope begins or ends: if a pointer to it may be about, its bytes become addressable, or no longer. */
function emitScope(e: FunctionEmitter, i: Call, begins: boolean): void {
  const variable = i.operands[i.operands.length - 1];
  if (variable.kind !== "instruction" || !e.frame.exposed.has(variable)) return;
  const offset = e.frame.offsetOf.get(variable);
  const slot = e.frame.slots.find((one) => one.offset === offset);
  if (slot !== undefined) emitSlotStates(e, slot, begins);
}

/** Unknown sizes: all ones, or zero if the smallest is asked for. */
const objectSize: Emit = (e, i) => {
  const minimum = intValue(i.operands[2]) === 1n;
  const part = partsOf(i.type)[0];
  e.pushBits(part, minimum ? 0n : -1n);
};

/** Integer power of a float by repeated squaring, as the compiler runtime does it. */
const powi: Emit = (e, i, name) => {
  if (i.type.kind !== "float") return e.unsupported(`the intrinsic ${name}`);
  e.push(i.operands[1]);
  e.push(i.operands[2]);
  e.op(W.f64_convert_i32_s);
  if (i.type.name === "float") {
    e.op(W.f32_demote_f64);
    e.callRuntime("powf");
  } else e.callRuntime("pow");
};

const EMITTERS: Readonly<Record<string, Emit>> = {
  "lifetime.start": (e, i) => emitScope(e, i, true),
  "lifetime.end": (e, i) => emitScope(e, i, false),
  "invariant.start": nothing,
  "invariant.end": nothing,
  assume: nothing,
  "var.annotation": nothing,
  "dbg.declare": nothing,
  "dbg.value": nothing,
  "dbg.label": nothing,
  "dbg.assign": nothing,
  donothing: nothing,
  sideeffect: nothing,
  pseudoprobe: nothing,
  prefetch: nothing,
  "experimental.noalias.scope.decl": nothing,
  clear_cache: nothing,
  stackprotector: nothing,
  "is.constant": nothing,
  // There are no return addresses in guest memory: one address of code stands for all, none for outer frames.
  returnaddress: (e, i) => e.i64(intValue(i.operands[1]) === 0n ? BigInt(FUNCTION_BASE) : 0n),
  frameaddress: (e, i) => {
    if (intValue(i.operands[1]) !== 0n) return e.i64(0n);
    if (e.frame.size > 0) e.get(e.frame.pointerLocal);
    else e.globalGet(GLOBAL_STACK_POINTER);
    e.op(W.i64_extend_i32_u);
  },
  addressofreturnaddress: nothing,
  readcyclecounter: nothing,
  "get.rounding": (e) => e.i32(1),
  expect: firstArgument,
  "expect.with.probability": firstArgument,
  "threadlocal.address": firstArgument,
  "launder.invariant.group": firstArgument,
  "strip.invariant.group": firstArgument,
  annotation: firstArgument,
  "ptr.annotation": firstArgument,
  "ssa.copy": firstArgument,
  "arithmetic.fence": firstArgument,
  canonicalize: firstArgument,
  ptrmask: (e, i) => {
    e.push(i.operands[1]);
    e.push(i.operands[2]);
    e.op(W.i64_and);
  },
  objectsize: objectSize,
  memcpy: memoryOperation("__tangent_memcpy", WX.memory_copy),
  "memcpy.inline": memoryOperation("__tangent_memcpy", WX.memory_copy),
  memmove: memoryOperation("__tangent_memmove", WX.memory_copy),
  memset: memoryOperation("__tangent_memset", WX.memory_fill),
  "memset.inline": memoryOperation("__tangent_memset", WX.memory_fill),
  trap,
  debugtrap: trap,
  ubsantrap: ubsanTrap,
  "tangent.field": fieldTrap,
  va_start: (e, i) => emitVaStart(e, i.operands[1]),
  va_end: nothing,
  va_copy: (e, i) => emitVaCopy(e, i.operands[1], i.operands[2]),
  stacksave: (e) => emitStackSave(e),
  stackrestore: (e, i) => emitStackRestore(e, i.operands[1]),
  fabs: floatOp(W.f32_abs, W.f64_abs),
  sqrt: floatOp(W.f32_sqrt, W.f64_sqrt),
  floor: floatOp(W.f32_floor, W.f64_floor),
  ceil: floatOp(W.f32_ceil, W.f64_ceil),
  trunc: floatOp(W.f32_trunc, W.f64_trunc),
  rint: floatOp(W.f32_nearest, W.f64_nearest),
  nearbyint: floatOp(W.f32_nearest, W.f64_nearest),
  roundeven: floatOp(W.f32_nearest, W.f64_nearest),
  copysign: floatOp(W.f32_copysign, W.f64_copysign, 2),
  minimum: floatOp(W.f32_min, W.f64_min, 2),
  maximum: floatOp(W.f32_max, W.f64_max, 2),
  minnum: numberChoice(W.f32_min, W.f64_min),
  maxnum: numberChoice(W.f32_max, W.f64_max),
  minimumnum: numberChoice(W.f32_min, W.f64_min),
  maximumnum: numberChoice(W.f32_max, W.f64_max),
  fmuladd: multiplyAdd,
  modf: splitFraction,
  powi,
  ...Object.fromEntries(Object.keys(LIBRARY).map((stem) => [stem, library])),
};

/** Functions of libm that are one instruction; the C version of sqrt alone takes a hundred. */
const MATH_INSTRUCTIONS: ReadonlySet<string> = new Set(
  ["sqrt", "fabs", "floor", "ceil", "trunc", "rint", "nearbyint", "copysign"].flatMap((name) => [name, `${name}f`]),
);

/** Emits a call of libm's own function (not one the program defines under that name) if it is an instruction. */
export function emitMathFunction(e: FunctionEmitter, i: Call, name: string): boolean {
  if (!MATH_INSTRUCTIONS.has(name)) return false;
  const single = name.endsWith("f");
  const stem = single ? name.slice(0, -1) : name;
  const args = i.operands.slice(1);
  const expected = single ? "float" : "double";
  const fits = [i, ...args].every(({ type }) => type.kind === "float" && type.name === expected);
  if (!fits || args.length !== (stem === "copysign" ? 2 : 1)) return false;
  EMITTERS[stem](e, i, name);
  return true;
}

export function emitIntrinsic(e: FunctionEmitter, i: Call, name: string): void {
  // The stem is the name without "llvm." and without the types at its end, which begin after some dot.
  let stem = name.slice(5);
  for (;;) {
    const emit = EMITTERS[stem];
    if (emit !== undefined) return emit(e, i, name);
    if (emitBits(e, i, stem)) return;
    const dot = stem.lastIndexOf(".");
    if (dot < 0) break;
    stem = stem.slice(0, dot);
  }
  unsupportedIntrinsic(e, i, name);
}
