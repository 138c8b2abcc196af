// Integers of more than 64 bits as limbs of 64, low limb first. Addition carries, multiplication of 128 bits is
// schoolbook on 32-bit halves, division calls the C runtime. Operations that do not occur in C beyond 128 bits end the
// run as unsupported instead of being guessed.

import type { BinaryOp, IntPredicate, Value } from "../ir/values.js";
import { intValue } from "../ir/values.js";
import type { FunctionEmitter } from "./function-emitter.js";
import { type Part, ShapeError } from "./shape.js";
import { W } from "./wasm.js";

const LIMBWISE: Partial<Record<BinaryOp, number>> = { and: W.i64_and, or: W.i64_or, xor: W.i64_xor };
const RUNTIME_DIVISION: Partial<Record<BinaryOp, string>> = {
  udiv: "__tangent_udiv128",
  urem: "__tangent_urem128",
  sdiv: "__tangent_sdiv128",
  srem: "__tangent_srem128",
};

/** Leaves all limbs of `a op b` on the stack; the operands' limbs begin at part k. */
export function emitWideBinary(
  e: FunctionEmitter,
  op: BinaryOp,
  parts: readonly Part[],
  a: Value,
  b: Value,
  k: number,
): void {
  const limbwise = LIMBWISE[op];
  const count = parts.length;
  if (limbwise !== undefined) {
    for (let n = 0; n < count; n++) {
      e.push(a, k + n);
      e.push(b, k + n);
      e.op(limbwise);
    }
    return;
  }
  const x = parts.map((_, n) => e.local(a, k + n));
  const y = parts.map((_, n) => e.local(b, k + n));
  if (op === "add" || op === "sub") return emitAddSub(e, op, parts, x, y);
  if (op === "shl" || op === "lshr" || op === "ashr") {
    const amount = intValue(b);
    if (amount !== null) return emitConstantShift(e, op, parts, x, amount);
    if (count === 2) return emitShift128(e, op, parts, x, y[0]);
  }
  if (count === 2 && op === "mul") return emitMultiply128(e, parts, x, y);
  const division = RUNTIME_DIVISION[op];
  if (count === 2 && division !== undefined) {
    const signed = op === "sdiv" || op === "srem";
    for (const limbs of [x, y]) {
      e.get(limbs[0]);
      e.get(limbs[1]);
      if (signed) e.signExtend(parts[1]);
    }
    e.callRuntime(division);
    e.mask(parts[1]);
    return;
  }
  throw new ShapeError(`${op} of integers of more than 128 bits`);
}

function emitAddSub(e: FunctionEmitter, op: "add" | "sub", parts: readonly Part[], x: number[], y: number[]): void {
  const code = op === "add" ? W.i64_add : W.i64_sub;
  let carry = -1;
  for (let n = 0; n < parts.length; n++) {
    const last = n === parts.length - 1;
    const sum = last ? -1 : e.temp("i64");
    const nextCarry = last ? -1 : e.temp("i64");
    e.get(x[n]);
    e.get(y[n]);
    e.op(code);
    if (last) {
      if (carry >= 0) {
        e.get(carry);
        e.op(code);
      }
      e.mask(parts[n]);
      return;
    }
    e.set(sum);
    // Carry out of x + y is sum < x, borrow out of x - y is x < y; adding the carry in may carry once more.
    e.get(op === "add" ? sum : x[n]);
    e.get(op === "add" ? x[n] : y[n]);
    e.op(W.i64_lt_u);
    if (carry >= 0) {
      if (op === "sub") {
        e.get(sum);
        e.get(carry);
        e.op(W.i64_lt_u);
        e.op(W.i32_or);
      }
      e.get(sum);
      e.get(carry);
      e.op(code);
      e.set(sum);
      if (op === "add") {
        e.get(sum);
        e.get(carry);
        e.op(W.i64_lt_u);
        e.op(W.i32_or);
      }
    }
    e.op(W.i64_extend_i32_u);
    e.set(nextCarry);
    e.get(sum);
    carry = nextCarry;
  }
}

/** A shift of any number of limbs by a constant. */
function emitConstantShift(
  e: FunctionEmitter,
  op: "shl" | "lshr" | "ashr",
  parts: readonly Part[],
  x: readonly number[],
  amount: bigint,
): void {
  const count = parts.length;
  const top = parts[count - 1];
  const width = BigInt(64 * (count - 1) + top.bits);
  const shift = amount >= width ? (op === "ashr" ? width - 1n : null) : amount;
  if (shift === null) {
    for (let n = 0; n < count; n++) e.i64(0n);
    return;
  }
  const limbs = Number(shift / 64n);
  const bits = shift % 64n;
  // The source limb n, sign- or zero-extended beyond the top.
  const source = (n: number): void => {
    if (n < 0 || (n >= count && op !== "ashr")) e.i64(0n);
    else if (n >= count) {
      e.get(x[count - 1]);
      e.signExtend(top);
      e.i64(63n);
      e.op(W.i64_shr_s);
    } else {
      e.get(x[n]);
      if (n === count - 1 && op === "ashr") e.signExtend(top);
    }
  };
  for (let n = 0; n < count; n++) {
    const near = op === "shl" ? n - limbs : n + limbs;
    source(near);
    if (bits > 0n) {
      e.i64(bits);
      e.op(op === "shl" ? W.i64_shl : W.i64_shr_u);
      source(op === "shl" ? near - 1 : near + 1);
      e.i64(64n - bits);
      e.op(op === "shl" ? W.i64_shr_u : W.i64_shl);
      e.op(W.i64_or);
    }
    if (n === count - 1) e.mask(top);
  }
}

/** A shift of two limbs by a variable amount below 128. */
export function emitShift128(
  e: FunctionEmitter,
  op: "shl" | "lshr" | "ashr",
  parts: readonly Part[],
  x: readonly number[],
  amount: number,
): void {
  const left = op === "shl";
  const near = e.temp("i64");
  const far = e.temp("i64");
  // `far` is the limb the bits come from: the low one for shl, the high one for the others.
  const high = e.temp("i64");
  e.get(x[1]);
  if (op === "ashr") e.signExtend(parts[1]);
  e.set(high);
  const from = left ? x[0] : high;
  const to = left ? high : x[0];
  e.get(from);
  e.get(amount);
  e.op(left ? W.i64_shl : op === "ashr" ? W.i64_shr_s : W.i64_shr_u);
  e.set(far);
  // near = (to << n) | (from >> 1 >> (63 - n)), which is right for n = 0 too.
  e.get(to);
  e.get(amount);
  e.op(left ? W.i64_shl : W.i64_shr_u);
  e.get(from);
  e.i64(1n);
  e.op(left ? W.i64_shr_u : W.i64_shl);
  e.i64(63n);
  e.get(amount);
  e.i64(63n);
  e.op(W.i64_and);
  e.op(W.i64_sub);
  e.op(left ? W.i64_shr_u : W.i64_shl);
  e.op(W.i64_or);
  e.set(near);
  const beyond = (): void => {
    e.get(amount);
    e.i64(64n);
    e.op(W.i64_and);
    e.op(W.i64_eqz);
  };
  const filled = (): void => {
    if (op !== "ashr") return e.i64(0n);
    e.get(high);
    e.i64(63n);
    e.op(W.i64_shr_s);
  };
  const pushNear = (): void => {
    e.get(near);
    e.get(far);
    beyond();
    e.op(W.select);
  };
  const pushFar = (): void => {
    e.get(far);
    filled();
    beyond();
    e.op(W.select);
  };
  if (left) {
    pushFar();
    pushNear();
  } else {
    pushNear();
    pushFar();
  }
  e.mask(parts[1]);
}

function emitMultiply128(e: FunctionEmitter, parts: readonly Part[], x: readonly number[], y: readonly number[]): void {
  e.get(x[0]);
  e.get(y[0]);
  e.op(W.i64_mul);
  emitHighProduct(e, x[0], y[0]);
  e.get(x[0]);
  e.get(y[1]);
  e.op(W.i64_mul);
  e.op(W.i64_add);
  e.get(x[1]);
  e.get(y[0]);
  e.op(W.i64_mul);
  e.op(W.i64_add);
  e.mask(parts[1]);
}

/** Leaves the high 64 bits of the unsigned product of two locals on the stack. */
export function emitHighProduct(e: FunctionEmitter, x: number, y: number): void {
  const low = (local: number): void => {
    e.get(local);
    e.i64(0xffff_ffffn);
    e.op(W.i64_and);
  };
  const high = (local: number): void => {
    e.get(local);
    e.i64(32n);
    e.op(W.i64_shr_u);
  };
  const middle = e.temp("i64");
  const cross = e.temp("i64");
  // middle = xh * yl + (xl * yl >> 32)
  high(x);
  low(y);
  e.op(W.i64_mul);
  low(x);
  low(y);
  e.op(W.i64_mul);
  e.i64(32n);
  e.op(W.i64_shr_u);
  e.op(W.i64_add);
  e.set(middle);
  // cross = xl * yh + low(middle)
  low(x);
  high(y);
  e.op(W.i64_mul);
  low(middle);
  e.op(W.i64_add);
  e.set(cross);
  high(x);
  high(y);
  e.op(W.i64_mul);
  high(middle);
  e.op(W.i64_add);
  high(cross);
  e.op(W.i64_add);
}

export function emitWideCompare(
  e: FunctionEmitter,
  predicate: IntPredicate,
  parts: readonly Part[],
  a: Value,
  b: Value,
  k: number,
): void {
  const count = parts.length;
  if (predicate === "eq" || predicate === "ne") {
    for (let n = 0; n < count; n++) {
      e.push(a, k + n);
      e.push(b, k + n);
      e.op(W.i64_xor);
      if (n > 0) e.op(W.i64_or);
    }
    e.op(W.i64_eqz);
    if (predicate === "ne") e.op(W.i32_eqz);
    return;
  }
  // Reduce to "less than" of (x, y): a > b is b < a, a <= b is not b < a.
  const swapped = predicate.endsWith("gt") || predicate.endsWith("le");
  const negated = predicate.endsWith("le") || predicate.endsWith("ge");
  const signed = predicate.startsWith("s");
  const x = swapped ? b : a;
  const y = swapped ? a : b;
  // From the low limb up: less = x[n] < y[n] || (x[n] == y[n] && less).
  for (let n = 0; n < count; n++) {
    const top = n === count - 1;
    const left = e.local(x, k + n);
    const right = e.local(y, k + n);
    const extend = (local: number): void => {
      e.get(local);
      if (top && signed) e.signExtend(parts[n]);
    };
    if (n > 0) {
      e.get(left);
      e.get(right);
      e.op(W.i64_eq);
      e.op(W.i32_and);
    }
    extend(left);
    extend(right);
    e.op(top && signed ? W.i64_lt_s : W.i64_lt_u);
    if (n > 0) e.op(W.i32_or);
  }
  if (negated) e.op(W.i32_eqz);
}
