// Intrinsics that need no code generator: hints that mean nothing here, questions to an optimiser that we answer with
// "don't know", libm functions in disguise, and the bit tests of floating-point classes.

import { constInt, type Instruction, intValue, type Value } from "../values.js";
import type { Emitter } from "./emitter.js";
import { type Float80Lowering, lowerFloatClass, type RuntimeLookup } from "./lower-float80.js";
import { lowerType } from "./lower-type.js";
import { libmFunction } from "./math-intrinsics.js";

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

/** How an intrinsic is lowered. Found once for each name: a program has a hundred names and ten thousand calls. */
export type Meaning =
  | "ignored"
  | "transparent"
  | "is-constant"
  | "object-size"
  | "float-class"
  | "float80"
  | "kept"
  | { readonly libm: string };

function meaningOf(name: string): Meaning {
  const starts = (prefix: string): boolean => name.startsWith(prefix);
  if (IGNORED.some(starts)) return "ignored";
  if (TRANSPARENT.some(starts)) return "transparent";
  if (starts("llvm.is.constant.")) return "is-constant";
  if (starts("llvm.objectsize.")) return "object-size";
  if (starts("llvm.is.fpclass.")) return "float-class";
  if (FLOAT80.has(name)) return "float80";
  const libm = libmFunction(name);
  return libm === null ? "kept" : { libm };
}
const FLOAT80: ReadonlySet<string> = new Set(["fabs", "copysign", "sqrt", "fmuladd"].map((name) => `llvm.${name}.f80`));

export class IntrinsicLowering {
  constructor(
    readonly emitter: Emitter,
    readonly float80: Float80Lowering,
    readonly runtime: RuntimeLookup,
    readonly meanings: Map<string, Meaning>,
  ) {}

  /** Emits the replacement and returns its value; "drop" if nothing is left; null if the call stays. */
  lower(i: Instruction, name: string): Value | "drop" | null {
    let meaning = this.meanings.get(name);
    if (meaning === undefined) {
      meaning = meaningOf(name);
      this.meanings.set(name, meaning);
    }
    const args = i.operands;
    switch (meaning) {
      case "kept":
        return null;
      case "ignored":
        return "drop";
      case "transparent":
        return args[1];
      case "is-constant":
        return constInt(1, 0);
      case "object-size": {
        // Unknown: 0 where the least is asked for, else as much as there can be.
        const least = intValue(args[2]) === 1n;
        return i.type.kind === "int" ? constInt(i.type.bits, least ? 0 : -1) : null;
      }
      case "float-class":
        return lowerFloatClass(this.emitter, args[1], Number(intValue(args[2]) ?? 0n));
      case "float80":
        return this.lowerFloat80(name, args);
      default:
        return this.libm(i, name, meaning.libm);
    }
  }

  private lowerFloat80(name: string, args: readonly Value[]): Value {
    const { float80 } = this;
    switch (name) {
      case "llvm.fabs.f80":
        return float80.absolute(args[1]);
      case "llvm.copysign.f80":
        return float80.copySign(args[1], args[2]);
      case "llvm.sqrt.f80":
        return float80.arithmetic("sqrt", args[1]);
      default:
        return float80.arithmetic("add", float80.arithmetic("mul", args[1], args[2]), args[3]);
    }
  }

  private libm(i: Instruction, name: string, libm: string): Value {
    const target = this.runtime(libm);
    if (target === null) return this.emitter.unsupported(`${name} (${libm} is missing)`, i.type);
    return this.emitter.call(target, lowerType(i.type), i.operands.slice(1));
  }
}
