// Which operands of arithmetic on numbers are addresses, as far as the function itself shows: arithmetic on any other is arithmetic on
// numbers, though the analysis may believe that a pointer was stored where the number was loaded from. The result is somewhere in what
// the address points to.

import { calledFunction } from "../analysis/call-graph.js";
import type { Instruction, Value } from "../values.js";

/** How far back it is looked. */
const LONGEST_ARITHMETIC = 4;

/** Intrinsics that compute with numbers, by their names without types; the second operand of a difference is no address of its result. */
const SUMS = /^llvm\.(uadd\.sat|[su]add\.with\.overflow|[su]min|[su]max|ptrmask)\./;
const DIFFERENCES = /^llvm\.(usub\.sat|[su]sub\.with\.overflow)\./;
/** Intrinsics whose result is their first operand. */
const SAME =
  /^llvm\.(expect|launder\.invariant\.group|strip\.invariant\.group|(ptr\.)?annotation|ssa\.copy|threadlocal\.address)\b/;

/** What an intrinsic only passes on. */
export function passedOn(name: string): boolean {
  return SAME.test(name);
}

/** The addresses that an instruction computes another one of; none if it is no arithmetic, or its result is a number. */
export function addressOperands(i: Instruction, depth = 0): readonly Value[] {
  const isOne = (operand: Value): boolean => isAddress(operand, depth + 1);
  switch (i.op) {
    case "add":
    case "and":
    case "or":
      return i.operands.filter(isOne);
    case "sub":
      return differenceOf(i.operands[0], i.operands[1], isOne);
    case "call": {
      const name = calledFunction(i.operands[0])?.name ?? "";
      if (!name.startsWith("llvm.")) return [];
      if (SUMS.test(name)) return i.operands.slice(1).filter(isOne);
      return DIFFERENCES.test(name) ? differenceOf(i.operands[1], i.operands[2], isOne) : [];
    }
    default:
      return [];
  }
}

/** The difference of two addresses is a number. */
function differenceOf(left: Value, right: Value, isOne: (value: Value) => boolean): readonly Value[] {
  return isOne(left) && !isOne(right) ? [left] : [];
}

function isAddress(value: Value, depth: number): boolean {
  if (value.kind === "constexpr") return value.op === "ptrtoint";
  if (value.type.kind === "ptr") return true;
  if (value.kind !== "instruction" || depth > LONGEST_ARITHMETIC + 1) return false;
  switch (value.op) {
    case "ptrtoint":
      return true;
    case "phi":
    case "select":
    case "extractvalue":
      return value.operands.some((operand) => isAddress(operand, depth + 1));
    default:
      return addressOperands(value, depth).length > 0;
  }
}
