// Integer arithmetic and comparison on parts of up to 64 bits; wider values go to emit-wide.ts. Narrow values are kept
// zero-extended, so only operations that can set higher bits mask, and only signed ones extend first.
// Division by zero and INT_MIN / -1 are left to WebAssembly's own traps, which the VM turns into findings; the one case
// where WebAssembly does not trap and x86 does, INT_MIN % -1, is tested here.

import type { BinaryOp, Instruction, IntPredicate, Value } from "../ir/values.js";
import { FAULTS } from "./boundary.js";
import { emitWideBinary, emitWideCompare } from "./emit-wide.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { type Part, partsOf } from "./shape.js";
import { W } from "./wasm.js";

const OPS: Readonly<Record<BinaryOp, { readonly i32: number; readonly i64: number }>> = {
  add: { i32: W.i32_add, i64: W.i64_add },
  sub: { i32: W.i32_sub, i64: W.i64_sub },
  mul: { i32: W.i32_mul, i64: W.i64_mul },
  udiv: { i32: W.i32_div_u, i64: W.i64_div_u },
  sdiv: { i32: W.i32_div_s, i64: W.i64_div_s },
  urem: { i32: W.i32_rem_u, i64: W.i64_rem_u },
  srem: { i32: W.i32_rem_s, i64: W.i64_rem_s },
  shl: { i32: W.i32_shl, i64: W.i64_shl },
  lshr: { i32: W.i32_shr_u, i64: W.i64_shr_u },
  ashr: { i32: W.i32_shr_s, i64: W.i64_shr_s },
  and: { i32: W.i32_and, i64: W.i64_and },
  or: { i32: W.i32_or, i64: W.i64_or },
  xor: { i32: W.i32_xor, i64: W.i64_xor },
};
const MAY_OVERFLOW: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["add", "sub", "mul", "shl", "sdiv", "srem", "ashr"]);

const COMPARISONS: Readonly<
  Record<IntPredicate, { readonly i32: number; readonly i64: number; readonly signed: boolean }>
> = {
  eq: { i32: W.i32_eq, i64: W.i64_eq, signed: false },
  ne: { i32: W.i32_ne, i64: W.i64_ne, signed: false },
  ugt: { i32: W.i32_gt_u, i64: W.i64_gt_u, signed: false },
  uge: { i32: W.i32_ge_u, i64: W.i64_ge_u, signed: false },
  ult: { i32: W.i32_lt_u, i64: W.i64_lt_u, signed: false },
  ule: { i32: W.i32_le_u, i64: W.i64_le_u, signed: false },
  sgt: { i32: W.i32_gt_s, i64: W.i64_gt_s, signed: true },
  sge: { i32: W.i32_ge_s, i64: W.i64_ge_s, signed: true },
  slt: { i32: W.i32_lt_s, i64: W.i64_lt_s, signed: true },
  sle: { i32: W.i32_le_s, i64: W.i64_le_s, signed: true },
};

export function emitBinary(e: FunctionEmitter, i: Instruction): void {
  const op = i.op as BinaryOp;
  const [a, b] = i.operands;
  const element = i.type.kind === "vector" ? i.type.element : i.type;
  const parts = partsOf(element);
  const total = partsOf(i.type).length;
  for (let k = 0; k < total; k += parts.length) {
    if (parts.length === 1) emitBinaryPart(e, op, parts[0], a, b, k);
    else emitWideBinary(e, op, parts, a, b, k);
  }
}

function emitBinaryPart(e: FunctionEmitter, op: BinaryOp, part: Part, a: Value, b: Value, k: number): void {
  const wide = part.wasm === "i64";
  const signed = op === "sdiv" || op === "srem" || op === "ashr";
  if (op === "srem") guardRemainder(e, part, a, b, k);
  e.push(a, k);
  if (signed) e.signExtend(part);
  e.push(b, k);
  if (signed && op !== "ashr") e.signExtend(part);
  e.op(wide ? OPS[op].i64 : OPS[op].i32);
  if (MAY_OVERFLOW.has(op)) e.mask(part);
}

/** INT_MIN % -1 faults on x86 but is 0 in WebAssembly. Narrow operands are computed in int there: no fault. */
function guardRemainder(e: FunctionEmitter, part: Part, a: Value, b: Value, k: number): void {
  if (part.bits !== 32 && part.bits !== 64) return;
  if (b.kind === "int" && b.value !== (1n << BigInt(part.bits)) - 1n) return;
  const wide = part.bits === 64;
  const divisor = e.local(b, k);
  const dividend = e.local(a, k);
  e.get(divisor);
  if (wide) e.i64(-1n);
  else e.i32(-1);
  e.op(wide ? W.i64_eq : W.i32_eq);
  e.ifUnlikely();
  e.get(dividend);
  if (wide) e.i64(-(1n << 63n));
  else e.i32(-(2 ** 31));
  e.op(wide ? W.i64_eq : W.i32_eq);
  e.ifUnlikely();
  emitFault(e, "division-overflow");
  e.end();
  e.end();
}

/** A fault without an address. */
export function emitFault(e: FunctionEmitter, name: keyof typeof FAULTS, size = 0): void {
  e.i32(FAULTS[name]);
  e.i32(0);
  e.i32(0);
  e.i32(size);
  e.call(e.module.host("fault"));
  e.op(W.unreachable);
}

export function emitCompare(e: FunctionEmitter, i: Instruction): void {
  if (i.op !== "icmp") return;
  const [a, b] = i.operands;
  const type = a.type;
  const element = type.kind === "vector" ? type.element : type;
  const parts = partsOf(element);
  const total = partsOf(type).length;
  for (let k = 0; k < total; k += parts.length) {
    if (parts.length === 1) emitComparePart(e, i.extra.predicate, parts[0], a, b, k);
    else emitWideCompare(e, i.extra.predicate, parts, a, b, k);
  }
}

function emitComparePart(e: FunctionEmitter, predicate: IntPredicate, part: Part, a: Value, b: Value, k: number): void {
  const info = COMPARISONS[predicate];
  const wide = part.wasm === "i64";
  const zero = b.kind === "zero" || (b.kind === "int" && b.value === 0n);
  e.push(a, k);
  if (zero && predicate === "eq") {
    e.op(wide ? W.i64_eqz : W.i32_eqz);
    return;
  }
  if (info.signed) e.signExtend(part);
  e.push(b, k);
  if (info.signed) e.signExtend(part);
  e.op(wide ? info.i64 : info.i32);
}
