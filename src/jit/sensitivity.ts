// Which accesses ZESTI calls sensitive (make test-zesti, IV-B: "all pointer dereferences", in LLVM accesses preceded by a
// getelementptr). Address arithmetic of no bytes is gone by the time this is asked, so `*p` and `p->first` look the same. One of a
// variable of the function or the program by its own address, at a constant place, cannot go wrong on any path.

import { intValue, type Sensitivity, type Value } from "../ir/values.js";

/** Longest chain of steps followed. */
const MOST_STEPS = 16;

export function sensitivityOf(pointer: Value): Sensitivity {
  if (isComputed(pointer)) return "computed";
  return isOfVariable(pointer) ? "safe" : "plain";
}

/** Of a copy or fill: whether it may go wrong on another path. */
export function isTouch(pointers: readonly Value[], size: Value): boolean {
  return intValue(size) === null || !pointers.every(isOfVariable);
}

function isComputed(pointer: Value): boolean {
  if (pointer.kind !== "instruction" || pointer.op !== "getelementptr") return false;
  const base = pointer.operands[0];
  if (pointer.operands.slice(1).some((index) => intValue(index) === null)) return true;
  return base.kind === "instruction" && base.op !== "alloca" ? true : base.kind === "argument";
}

function isOfVariable(pointer: Value): boolean {
  let base = pointer;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (base.kind === "global") return true;
    if (base.kind === "constexpr") {
      if (base.op !== "getelementptr") return false;
      base = base.operands[0];
    } else if (base.kind === "instruction") {
      if (base.op === "alloca") return true;
      if (base.op !== "getelementptr") return false;
      base = base.operands[0];
    } else return false;
  }
  return false;
}
