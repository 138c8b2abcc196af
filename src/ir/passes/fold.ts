// Arithmetic on constants, exactly as LLVM defines it on integers of any width. What LLVM leaves undefined or lets trap
// (division by zero, oversized shifts) is not folded: the machine must see it happen.
// Invariant: arguments and results are unsigned, 0 <= value < 2^bits.

import type { BinaryOp, IntPredicate } from "../values.js";

export function foldBinary(op: BinaryOp, bits: number, a: bigint, b: bigint): bigint | null {
  const width = BigInt(bits);
  switch (op) {
    case "add":
      return BigInt.asUintN(bits, a + b);
    case "sub":
      return BigInt.asUintN(bits, a - b);
    case "mul":
      return BigInt.asUintN(bits, a * b);
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    case "shl":
      return b >= width ? null : BigInt.asUintN(bits, a << b);
    case "lshr":
      return b >= width ? null : a >> b;
    case "ashr":
      return b >= width ? null : BigInt.asUintN(bits, BigInt.asIntN(bits, a) >> b);
    case "udiv":
      return b === 0n ? null : a / b;
    case "urem":
      return b === 0n ? null : a % b;
    case "sdiv":
    case "srem": {
      const dividend = BigInt.asIntN(bits, a);
      const divisor = BigInt.asIntN(bits, b);
      const overflows = divisor === -1n && dividend === -(1n << (width - 1n));
      if (divisor === 0n || overflows) return null;
      return BigInt.asUintN(bits, op === "sdiv" ? dividend / divisor : dividend % divisor);
    }
  }
}

export function foldCompare(predicate: IntPredicate, bits: number, a: bigint, b: bigint): boolean {
  switch (predicate) {
    case "eq":
      return a === b;
    case "ne":
      return a !== b;
    case "ult":
      return a < b;
    case "ule":
      return a <= b;
    case "ugt":
      return a > b;
    case "uge":
      return a >= b;
    case "slt":
      return BigInt.asIntN(bits, a) < BigInt.asIntN(bits, b);
    case "sle":
      return BigInt.asIntN(bits, a) <= BigInt.asIntN(bits, b);
    case "sgt":
      return BigInt.asIntN(bits, a) > BigInt.asIntN(bits, b);
    case "sge":
      return BigInt.asIntN(bits, a) >= BigInt.asIntN(bits, b);
  }
}

/** The predicate for exchanged operands. */
export const SWAPPED: Readonly<Record<IntPredicate, IntPredicate>> = {
  eq: "eq",
  ne: "ne",
  ult: "ugt",
  ule: "uge",
  ugt: "ult",
  uge: "ule",
  slt: "sgt",
  sle: "sge",
  sgt: "slt",
  sge: "sle",
};
/** The predicate that is true where this one is false. */
export const INVERTED: Readonly<Record<IntPredicate, IntPredicate>> = {
  eq: "ne",
  ne: "eq",
  ult: "uge",
  ule: "ugt",
  ugt: "ule",
  uge: "ult",
  slt: "sge",
  sle: "sgt",
  sgt: "sle",
  sge: "slt",
};
