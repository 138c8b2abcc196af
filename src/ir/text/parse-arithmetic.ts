// Instructions that compute on values alone: arithmetic, comparisons, conversions, selection. Flags (nsw, exact, nneg,
// fast-math) only make more programs undefined; they are skipped, and undefined behaviour is checked elsewhere.

import { I1, type Type, typeToString, vectorType } from "../types.js";
import {
  type BinaryOp,
  type CastOp,
  type FloatBinaryOp,
  type FloatPredicate,
  type Instruction,
  type IntPredicate,
  instruction,
} from "../values.js";
import type { FunctionScope, InstructionParser } from "./function-scope.js";
import { COMMA, WORD } from "./lexer.js";
import { INT_PREDICATES } from "./parse-constant.js";
import { sameTypeHere } from "./parse-type.js";

export const FLAGS: ReadonlySet<string> = new Set([
  "nsw", "nuw", "exact", "disjoint", "nneg", "samesign", "fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn",
  "reassoc",
]); // biome-ignore format: a table

const FLOAT_PREDICATES: ReadonlySet<string> = new Set<FloatPredicate>([
  "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true",
]); // biome-ignore format: a table

/** The type itself, or that of a vector's elements. */
export function scalar(type: Type): Type {
  return type.kind === "vector" ? type.element : type;
}

function requireKind(scope: FunctionScope, type: Type, kind: "int" | "float", opcode: string): void {
  if (scalar(type).kind !== kind) scope.lexer.fail(`'${opcode}' cannot compute on '${typeToString(type)}'`);
}

/** `op [flags] T a, b`. */
function binary(scope: FunctionScope, opcode: string, kind: "int" | "float"): Instruction {
  const { lexer } = scope;
  scope.skipWords(FLAGS);
  const type = scope.type();
  requireKind(scope, type, kind, opcode);
  const left = scope.value(type);
  lexer.expect(COMMA);
  const right = scope.value(type);
  return instruction(opcode as BinaryOp | FloatBinaryOp, type, [left, right], null);
}
const integerBinary: InstructionParser = (scope, opcode) => binary(scope, opcode, "int");
const floatBinary: InstructionParser = (scope, opcode) => binary(scope, opcode, "float");

const negate: InstructionParser = (scope, opcode) => {
  scope.skipWords(FLAGS);
  const type = scope.type();
  requireKind(scope, type, "float", opcode);
  return instruction("fneg", type, [scope.value(type)], null);
};

const freeze: InstructionParser = (scope) => {
  const type = scope.type();
  return instruction("freeze", type, [scope.value(type)], null);
};

/** `icmp [samesign] predicate T a, b`, `fcmp [flags] predicate T a, b`. */
const compare: InstructionParser = (scope, opcode) => {
  const { lexer } = scope;
  scope.skipWords(FLAGS);
  const predicate = lexer.token === WORD ? lexer.raw() : "";
  const predicates = opcode === "icmp" ? INT_PREDICATES : FLOAT_PREDICATES;
  if (!predicates.has(predicate)) lexer.unexpected("a predicate");
  lexer.next();
  const type = scope.type();
  if (opcode === "fcmp" || scalar(type).kind !== "ptr") {
    requireKind(scope, type, opcode === "icmp" ? "int" : "float", opcode);
  }
  const left = scope.value(type);
  lexer.expect(COMMA);
  const right = scope.value(type);
  const result = type.kind === "vector" ? vectorType(type.count, I1) : I1;
  return opcode === "icmp"
    ? instruction("icmp", result, [left, right], { predicate: predicate as IntPredicate })
    : instruction("fcmp", result, [left, right], { predicate: predicate as FloatPredicate });
};

/** `select [flags] i1 c, T a, T b`. */
const select: InstructionParser = (scope) => {
  const { lexer } = scope;
  scope.skipWords(FLAGS);
  const condition = scope.typedValue();
  if (scalar(condition.type) !== I1) lexer.fail("the condition of a 'select' must be an i1");
  lexer.expect(COMMA);
  const first = scope.typedValue();
  lexer.expect(COMMA);
  const second = scope.typedValue();
  if (!sameTypeHere(first.type, second.type)) lexer.fail("the choices of a 'select' differ in type");
  return instruction("select", first.type, [condition, first, second], null);
};

/** From and to which kinds of scalar each conversion goes. */
const CONVERSIONS: Readonly<Record<CastOp, readonly [from: string, to: string]>> = {
  trunc: ["int", "int"],
  zext: ["int", "int"],
  sext: ["int", "int"],
  fptrunc: ["float", "float"],
  fpext: ["float", "float"],
  fptoui: ["float", "int"],
  fptosi: ["float", "int"],
  uitofp: ["int", "float"],
  sitofp: ["int", "float"],
  ptrtoint: ["ptr", "int"],
  inttoptr: ["int", "ptr"],
  bitcast: ["", ""],
  addrspacecast: ["ptr", "ptr"],
};

/** `op [flags] T a to U`. */
const convert: InstructionParser = (scope, opcode) => {
  const { lexer } = scope;
  const op = opcode as CastOp;
  scope.skipWords(FLAGS);
  const operand = scope.typedValue();
  lexer.expectWord("to");
  const type = scope.type();
  checkConversion(scope, op, operand.type, type);
  return instruction(op, type, [operand], null);
};

function checkConversion(scope: FunctionScope, op: CastOp, from: Type, to: Type): void {
  const { layout } = scope.module;
  const [fromKind, toKind] = CONVERSIONS[op];
  const fromBits = layout.bitsOf(scalar(from));
  const toBits = layout.bitsOf(scalar(to));
  let fits = from.kind === "vector" ? to.kind === "vector" && to.count === from.count : to.kind !== "vector";
  if (op === "bitcast") fits = layout.bitsOf(from) === layout.bitsOf(to);
  else if (op === "trunc" || op === "fptrunc") fits &&= fromBits > toBits;
  else if (op === "zext" || op === "sext" || op === "fpext") fits &&= fromBits < toBits;
  if (fromKind !== "") fits &&= scalar(from).kind === fromKind && scalar(to).kind === toKind;
  if (!fits && scope.lexer.unsupported === null) {
    scope.lexer.fail(`'${op}' cannot go from '${typeToString(from)}' to '${typeToString(to)}'`);
  }
}

export const ARITHMETIC: readonly (readonly [string, InstructionParser])[] = [
  ...["add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor"].map(
    (op) => [op, integerBinary] as const,
  ),
  ...["fadd", "fsub", "fmul", "fdiv", "frem"].map((op) => [op, floatBinary] as const),
  ["fneg", negate],
  ["freeze", freeze],
  ["icmp", compare],
  ["fcmp", compare],
  ["select", select],
  ...Object.keys(CONVERSIONS).map((op) => [op, convert] as const),
];
