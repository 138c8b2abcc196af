// Intrinsics that need no code generator: hints that mean nothing here, questions to an optimiser that we answer with
// "don't know", libm functions in disguise, and the bit tests of floating-point classes.

import type { Emitter } from "./emitter.js";
import { type Float80Lowering, isFloat80, lowerFloatClass, type RuntimeLookup } from "./lower-float80.js";
import { lowerType } from "./lower-type.js";
import { libmFunction } from "./math-intrinsics.js";
import { constInt, type Instruction, type Value } from "./values.js";

/** Calls without effect or result. */
const IGNORED: readonly string[] = [
  "llvm.dbg.",
  "llvm.assume",
  "llvm.donothing",
  "llvm.sideeffect",
  "llvm.prefetch",
  "llvm.experimental.noalias.scope.decl",
  "llvm.invariant.end",
  "llvm.var.annotation",
  "llvm.pseudoprobe",
  "llvm.fake.use",
];
/** Calls whose result is their first argument. */
const TRANSPARENT: readonly string[] = [
  "llvm.expect.",
  "llvm.launder.invariant.group",
  "llvm.strip.invariant.group",
  "llvm.ptr.annotation",
  "llvm.annotation",
  "llvm.ssa.copy",
  "llvm.arithmetic.fence",
];

/** Emits the replacement and returns its value; "drop" if nothing is left; null if the call stays. */
export function lowerIntrinsic(
  i: Instruction,
  name: string,
  e: Emitter,
  float80: Float80Lowering,
  runtime: RuntimeLookup,
): Value | "drop" | null {
  const args = i.operands;
  if (IGNORED.some((prefix) => name.startsWith(prefix))) return "drop";
  if (TRANSPARENT.some((prefix) => name.startsWith(prefix))) return args[1];
  if (name.startsWith("llvm.is.constant.")) return constInt(1, 0);
  if (name.startsWith("llvm.objectsize.") && i.type.kind === "int") {
    // Unknown: 0 where the least is asked for, else as much as there can be.
    const least = args[2].kind === "int" && args[2].value === 1n;
    return constInt(i.type.bits, least ? 0 : -1);
  }
  if (name.startsWith("llvm.is.fpclass.")) {
    const mask = args[2].kind === "int" ? Number(args[2].value) : 0;
    return lowerFloatClass(e, args[1], mask);
  }
  if (args.length > 1 && isFloat80(args[1].type)) {
    if (name === "llvm.fabs.f80") return float80.absolute(args[1]);
    if (name === "llvm.copysign.f80") return float80.copySign(args[1], args[2]);
    if (name === "llvm.sqrt.f80") return float80.arithmetic("sqrt", args[1]);
    if (name === "llvm.fmuladd.f80") {
      return float80.arithmetic("add", float80.arithmetic("mul", args[1], args[2]), args[3]);
    }
  }
  const libm = libmFunction(name);
  if (libm === null) return null;
  const target = runtime(libm);
  if (target === null) return e.unsupported(`${name} (${libm} is missing)`, i.type);
  return e.call(target, lowerType(i.type), args.slice(1));
}
