// llvm.experimental.constrained.*: floating-point operations in code that looks at the floating-point environment
// (`#pragma STDC FENV_ACCESS ON`). Here rounding is always to nearest and there are no exception flags, so each is the
// plain instruction it stands for; saying so while parsing spares every later stage a second spelling.

import { I1, type Type } from "../types.js";
import type { CastOp, FloatBinaryOp, FloatPredicate, Instruction, Value } from "../values.js";
import { instruction } from "../values.js";

const PREFIX = "llvm.experimental.constrained.";
const BINARY: ReadonlySet<string> = new Set(["fadd", "fsub", "fmul", "fdiv", "frem"]);
const CASTS: ReadonlySet<string> = new Set(["fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"]);

export function isConstrained(name: string | null): name is string {
  return name?.startsWith(PREFIX) ?? false;
}

/**
 * The plain instruction, or the plain intrinsic's name to call with the arguments that are not metadata. `strings` are
 * the metadata strings among the arguments, in order.
 */
export function plainMeaning(
  name: string,
  type: Type,
  args: readonly Value[],
  strings: readonly string[],
): Instruction | { readonly intrinsic: string } {
  const rest = name.slice(PREFIX.length);
  const stem = rest.split(".")[0];
  if (BINARY.has(stem)) return instruction(stem as FloatBinaryOp, type, [args[0], args[1]], null);
  if (CASTS.has(stem)) return instruction(stem as CastOp, type, [args[0]], null);
  if ((stem === "fcmp" || stem === "fcmps") && strings.length > 0) {
    return instruction("fcmp", type.kind === "int" ? I1 : type, [args[0], args[1]], {
      predicate: strings[0] as FloatPredicate,
    });
  }
  return { intrinsic: `llvm.${rest}` };
}
