// Floating point: float and double map to f32 and f64, lane by lane for vectors. 80-bit values were lowered to integers
// before (ir/passes/lower.ts); half and 128-bit arithmetic does not occur in C unless asked for by name and is unsupported.

import type { FloatBinaryOp, FloatPredicate, Instruction, Value } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { partsOf, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

const OPS: Readonly<Record<Exclude<FloatBinaryOp, "frem">, { readonly f32: number; readonly f64: number }>> = {
  fadd: { f32: W.f32_add, f64: W.f64_add },
  fsub: { f32: W.f32_sub, f64: W.f64_sub },
  fmul: { f32: W.f32_mul, f64: W.f64_mul },
  fdiv: { f32: W.f32_div, f64: W.f64_div },
};
/** Ordered comparisons; the unordered twin of each is the negation of its opposite. */
const ORDERED = {
  oeq: { f32: W.f32_eq, f64: W.f64_eq },
  ogt: { f32: W.f32_gt, f64: W.f64_gt },
  oge: { f32: W.f32_ge, f64: W.f64_ge },
  olt: { f32: W.f32_lt, f64: W.f64_lt },
  ole: { f32: W.f32_le, f64: W.f64_le },
} as const;
const NEGATED: Partial<Record<FloatPredicate, keyof typeof ORDERED>> = {
  une: "oeq",
  ule: "ogt",
  ult: "oge",
  uge: "olt",
  ugt: "ole",
};

function floatWidth(value: Value): "f32" | "f64" {
  const part = partsOf(value.type)[0];
  if (part === undefined || (part.wasm !== "f32" && part.wasm !== "f64")) {
    throw new ShapeError("arithmetic on half or 128-bit floating point");
  }
  return part.wasm;
}

export function emitFloatBinary(e: FunctionEmitter, i: Instruction): void {
  const [a, b] = i.operands;
  const width = floatWidth(a);
  const lanes = partsOf(i.type).length;
  for (let k = 0; k < lanes; k++) {
    e.push(a, k);
    e.push(b, k);
    if (i.op === "frem") e.callRuntime(width === "f32" ? "fmodf" : "fmod");
    else e.op(OPS[i.op as keyof typeof OPS][width]);
  }
}

export function emitFloatNegate(e: FunctionEmitter, i: Instruction): void {
  const width = floatWidth(i.operands[0]);
  const lanes = partsOf(i.type).length;
  for (let k = 0; k < lanes; k++) {
    e.push(i.operands[0], k);
    e.op(width === "f32" ? W.f32_neg : W.f64_neg);
  }
}

export function emitFloatCompare(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "fcmp") return;
  const [a, b] = i.operands;
  const lanes = partsOf(a.type).length;
  for (let k = 0; k < lanes; k++) emitCompareLane(e, i.extra.predicate, a, b, k);
}

function emitCompareLane(e: FunctionEmitter, predicate: FloatPredicate, a: Value, b: Value, k: number): void {
  if (predicate === "true" || predicate === "false") {
    e.i32(predicate === "true" ? 1 : 0);
    return;
  }
  const width = floatWidth(a);
  const compare = (code: { readonly f32: number; readonly f64: number }, x: Value, y: Value): void => {
    e.push(x, k);
    e.push(y, k);
    e.op(code[width]);
  };
  if (predicate in ORDERED) {
    compare(ORDERED[predicate as keyof typeof ORDERED], a, b);
    return;
  }
  const negated = NEGATED[predicate];
  if (negated !== undefined) {
    compare(ORDERED[negated], a, b);
    e.op(W.i32_eqz);
    return;
  }
  // The rest look at an operand twice.
  const x = e.local(a, k);
  const y = e.local(b, k);
  const twice = (p: number, q: number, code: { readonly f32: number; readonly f64: number }): void => {
    e.get(p);
    e.get(q);
    e.op(code[width]);
  };
  if (predicate === "one" || predicate === "ueq") {
    twice(x, y, ORDERED.olt);
    twice(x, y, ORDERED.ogt);
    e.op(W.i32_or);
    if (predicate === "ueq") e.op(W.i32_eqz);
  } else {
    twice(x, x, ORDERED.oeq);
    twice(y, y, ORDERED.oeq);
    e.op(W.i32_and);
    if (predicate === "uno") e.op(W.i32_eqz);
  }
}
