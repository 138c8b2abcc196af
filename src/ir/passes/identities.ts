// Rewrites of one instruction into something simpler: a constant, a value that is there already, or one new instruction
// that the caller puts in its place. Each holds for every bit pattern; nothing here relies on overflow being undefined,
// because what the machine does on overflow is what the program shall see.
// Patterns look one operand deep: operands are simplified already, so deeper ones have had their turn.

import { constantOffset } from "../analysis/gep.js";
import type { DataLayout } from "../data-layout.js";
import { I1, I8, type IntType, PTR } from "../types.js";
import {
  type BinaryOp,
  constInt,
  constZero,
  FALSE,
  type FieldStep,
  type Instruction,
  type InstructionOf,
  instruction,
  intValue,
  TRUE,
  type Value,
} from "../values.js";
import { foldBinary, foldCompare, INVERTED, SWAPPED } from "./fold.js";
import { sameValue } from "./value-table.js";

/** An existing value, or an instruction without id that is to be put before `i`; null if `i` stays as it is. */
export function simplifyInstruction(i: Instruction, layout: DataLayout): Value | null {
  switch (i.op) {
    case "add":
    case "sub":
    case "mul":
    case "udiv":
    case "sdiv":
    case "urem":
    case "srem":
    case "shl":
    case "lshr":
    case "ashr":
    case "and":
    case "or":
    case "xor":
      return i.type.kind === "int" ? binary(i, i.op, i.type) : null;
    case "icmp":
      return compare(i);
    case "trunc":
    case "zext":
    case "sext":
      return i.type.kind === "int" ? resize(i, i.op, i.type) : null;
    case "ptrtoint":
    case "inttoptr":
      return pointerCast(i);
    case "bitcast":
    case "addrspacecast":
      return bitcast(i);
    case "select":
      return select(i);
    case "freeze":
      // Every value here has one fixed bit pattern, so that freezing changes nothing.
      return i.operands[0].kind === "undef" ? constZero(i.type) : i.operands[0];
    case "getelementptr":
      return address(i, layout);
    case "extractvalue":
      return extract(i);
    case "extractelement":
      return extractElement(i);
    default:
      return null;
  }
}

const COMMUTATIVE: ReadonlySet<BinaryOp> = new Set<BinaryOp>(["add", "mul", "and", "or", "xor"]);

function binary(i: Instruction, op: BinaryOp, type: IntType): Value | null {
  const { bits } = type;
  let [a, b] = i.operands;
  let x = intValue(a);
  let y = intValue(b);
  if (x !== null && y !== null) {
    const folded = foldBinary(op, bits, x, y);
    return folded === null ? null : constInt(bits, folded);
  }
  if (x !== null && COMMUTATIVE.has(op)) {
    [a, b] = [b, a];
    [x, y] = [y, x];
    i.operands[0] = a;
    i.operands[1] = b;
  }
  if (y !== null) return binaryWithConstant(i, op, bits, a, y);
  if (a === b && a.kind !== "undef") {
    switch (op) {
      case "sub":
      case "xor":
        return constInt(bits, 0);
      case "and":
      case "or":
        return a;
    }
  }
  return null;
}

function binaryWithConstant(i: Instruction, op: BinaryOp, bits: number, a: Value, y: bigint): Value | null {
  const ones = (1n << BigInt(bits)) - 1n;
  switch (op) {
    case "add":
    case "sub":
    case "shl":
    case "lshr":
    case "ashr":
    case "or":
    case "xor":
      if (y === 0n) return a;
      break;
    case "mul":
    case "udiv":
    case "sdiv":
      if (y === 1n && bits > 1) return a;
      break;
    case "and":
      if (y === ones) return a;
      break;
  }
  if (op === "and" && a.kind === "instruction" && a.op === "zext" && a.operands[0].type.kind === "int") {
    const low = (1n << BigInt(a.operands[0].type.bits)) - 1n;
    if ((y & low) === low) return a;
  }
  if ((op === "mul" || op === "and") && y === 0n) return constInt(bits, 0);
  if (op === "or" && y === ones) return constInt(bits, ones);
  if (op === "urem" && y === 1n) return constInt(bits, 0);
  // (a op c) op y = a op (c op y)
  const isAssociative = op === "add" || op === "and" || op === "or" || op === "xor" || op === "mul";
  if (isAssociative && a.kind === "instruction" && a.op === op) {
    const c = intValue(a.operands[1]);
    const folded = c === null ? null : foldBinary(op, bits, c, y);
    if (folded !== null)
      return instruction(op, i.type, [a.operands[0], constInt(bits, folded)], null, undefined, i.loc);
  }
  // The negation of a comparison is a comparison.
  if (op === "xor" && bits === 1 && a.kind === "instruction" && a.op === "icmp") {
    return instruction("icmp", I1, a.operands.slice(), { predicate: INVERTED[a.extra.predicate] }, undefined, i.loc);
  }
  return null;
}

function compare(i: InstructionOf<"icmp">): Value | null {
  const [a, b] = i.operands;
  const { type } = a;
  if (type.kind !== "int" && type.kind !== "ptr") return null;
  const bits = type.kind === "int" ? type.bits : 64;
  const x = intValue(a);
  const y = intValue(b);
  const { predicate } = i.extra;
  if (x !== null && y !== null) return foldCompare(predicate, bits, x, y) ? TRUE : FALSE;
  if (a === b && a.kind !== "undef") return foldCompare(predicate, bits, 0n, 0n) ? TRUE : FALSE;
  if (x !== null) return instruction("icmp", I1, [b, a], { predicate: SWAPPED[predicate] }, undefined, i.loc);
  if (y === null || a.kind !== "instruction") return null;
  // A truth value that was widened to an int and is tested again.
  if (a.op === "zext" && a.operands[0].type.kind === "int" && a.operands[0].type.bits === 1) {
    const ifFalse = foldCompare(predicate, bits, 0n, y);
    const ifTrue = foldCompare(predicate, bits, 1n, y);
    if (ifFalse === ifTrue) return ifTrue ? TRUE : FALSE;
    return ifTrue ? a.operands[0] : not(a.operands[0], i);
  }
  if (bits === 1 && (predicate === "eq" || predicate === "ne")) {
    const wantsSame = (predicate === "eq") === (y === 1n);
    return wantsSame ? a : not(a, i);
  }
  return null;
}
function not(value: Value, i: Instruction): Value {
  return instruction("xor", I1, [value, TRUE], null, undefined, i.loc);
}

function resize(i: Instruction, op: "trunc" | "zext" | "sext", type: IntType): Value | null {
  const [a] = i.operands;
  if (a.type.kind !== "int") return null;
  const from = a.type.bits;
  const value = intValue(a);
  if (value !== null) return constInt(type.bits, op === "sext" ? BigInt.asIntN(from, value) : value);
  if (a.kind !== "instruction" || (a.op !== "trunc" && a.op !== "zext" && a.op !== "sext")) return null;
  const [inner] = a.operands;
  if (inner.type.kind !== "int") return null;
  const width = inner.type.bits;
  const recast = (made: "trunc" | "zext" | "sext"): Value =>
    width === type.bits ? inner : instruction(made, type, [inner], null, undefined, i.loc);
  if (op === "trunc") {
    if (a.op === "trunc") return recast("trunc");
    return recast(type.bits < width ? "trunc" : a.op);
  }
  if (a.op === "trunc") {
    if (op !== "zext" || width !== type.bits) return null;
    const mask = constInt(width, (1n << BigInt(from)) - 1n);
    return instruction("and", type, [inner, mask], null, undefined, i.loc);
  }
  // Widening what was widened: the sign bit of a zero-extended value is clear.
  if (a.op === "zext") return recast("zext");
  return op === "sext" ? recast("sext") : null;
}

function pointerCast(i: Instruction): Value | null {
  const [a] = i.operands;
  if (a.kind === "zero" && a.type.kind === "ptr" && i.op === "ptrtoint") return constZero(i.type);
  if (i.op === "inttoptr" && intValue(a) === 0n) return { kind: "zero", type: i.type };
  if (a.kind !== "instruction") return null;
  const inverse = i.op === "ptrtoint" ? "inttoptr" : "ptrtoint";
  if (a.op !== inverse) return null;
  const integer = i.op === "ptrtoint" ? a.operands[0].type : a.type;
  // Through fewer than 64 bits the upper half is lost.
  if (integer.kind !== "int" || integer.bits !== 64) return null;
  const [inner] = a.operands;
  return inner.type.kind === i.type.kind && (i.type.kind !== "int" || i.type.bits === 64) ? inner : null;
}

function bitcast(i: Instruction): Value | null {
  const [a] = i.operands;
  const same = (x: Value): boolean => {
    const from = x.type;
    const to = i.type;
    if (from === to || (from.kind === "ptr" && to.kind === "ptr")) return true;
    if (from.kind === "int" && to.kind === "int") return from.bits === to.bits;
    return from.kind === "float" && to.kind === "float" && from.name === to.name;
  };
  if (same(a)) return a;
  if (a.kind === "int" && i.type.kind === "float") return { kind: "float", type: i.type, bits: a.value };
  if (a.kind === "float" && i.type.kind === "int") return constInt(i.type.bits, a.bits);
  if (a.kind === "undef") return { ...a, type: i.type };
  if (a.kind === "instruction" && a.op === "bitcast" && i.op === "bitcast") {
    const [inner] = a.operands;
    if (same(inner)) return inner;
  }
  return null;
}

function select(i: Instruction): Value | null {
  const [condition, a, b] = i.operands;
  const known = condition.type.kind === "int" ? intValue(condition) : null;
  if (known !== null) return known === 1n ? a : b;
  if (sameValue(a, b)) return a;
  if (i.type.kind === "int" && i.type.bits === 1 && condition.type.kind === "int") {
    const x = intValue(a);
    const y = intValue(b);
    if (x === 1n && y === 0n) return condition;
    if (x === 0n && y === 1n) return not(condition, i);
  }
  return null;
}

/** Constant steps become `getelementptr i8, base, offset`, and steps upon steps one step. */
function address(i: InstructionOf<"getelementptr">, layout: DataLayout): Value | null {
  if (i.type.kind !== "ptr") return null;
  const offset = constantOffset(layout, i.extra.sourceType, i.operands, 1);
  if (offset === null) return null;
  const [base] = i.operands;
  if (offset === 0) return base;
  if (base.kind === "instruction" && base.op === "getelementptr" && base.type.kind === "ptr") {
    const inner = constantOffset(layout, base.extra.sourceType, base.operands, 1);
    if (inner !== null && Number.isSafeInteger(inner + offset)) {
      if (inner + offset === 0) return base.operands[0];
      return byteStep(base.operands[0], inner + offset, i, [...fieldsOf(base, inner), ...fieldsOf(i, offset)]);
    }
  }
  const isByteStep = i.extra.sourceType === I8 && i.operands[1].type.kind === "int" && i.operands[1].type.bits === 64;
  return isByteStep ? null : byteStep(base, offset, i, fieldsOf(i, offset));
}
function fieldsOf(i: InstructionOf<"getelementptr">, offset: number): readonly FieldStep[] {
  return i.extra.fields ?? [{ type: i.extra.sourceType, offset }];
}
function byteStep(base: Value, offset: number, i: InstructionOf<"getelementptr">, fields: readonly FieldStep[]): Value {
  const extra = { sourceType: I8, inbounds: i.extra.inbounds, fields };
  return instruction("getelementptr", PTR, [base, constInt(64, offset)], extra, undefined, i.loc);
}

/** Looks through the fields inserted since, for the one that is wanted. */
function extract(i: InstructionOf<"extractvalue">): Value | null {
  const path = i.extra.indices;
  let [from] = i.operands;
  while (from.kind === "instruction" && from.op === "insertvalue") {
    const { indices } = from.extra;
    const shared = Math.min(path.length, indices.length);
    let same = 0;
    while (same < shared && path[same] === indices[same]) same++;
    if (same === shared) return path.length === indices.length ? from.operands[1] : null;
    from = from.operands[0];
  }
  if (from.kind === "aggregate" && path.length === 1) return from.elements[path[0]];
  return from === i.operands[0] ? null : instruction("extractvalue", i.type, [from], i.extra, undefined, i.loc);
}

function extractElement(i: InstructionOf<"extractelement">): Value | null {
  const wanted = intValue(i.operands[1]);
  if (wanted === null) return null;
  let [from] = i.operands;
  while (from.kind === "instruction" && from.op === "insertelement") {
    const index = intValue(from.operands[2]);
    if (index === null) return null;
    if (index === wanted) return from.operands[1];
    from = from.operands[0];
  }
  if (from.kind === "aggregate") return from.elements[Number(wanted)] ?? null;
  return null;
}
