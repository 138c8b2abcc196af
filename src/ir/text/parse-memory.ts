// Instructions that make, compute or use addresses. Atomic accesses are kept with their operands only: a run has one
// thread, so that ordering and scope mean nothing.
// Invariant: accesses have a known alignment, and their types have a size.

import { I1, PTR, structType, type Type, typeToString, VOID, vectorType } from "../types.js";
import { type AccessExtra, type AtomicOp, constInt, instruction, type Value } from "../values.js";
import type { FunctionScope, InstructionParser } from "./function-scope.js";
import { CLOSE_PAREN, COMMA, OPEN_PAREN, STRING, WORD } from "./lexer.js";
import { scalar } from "./parse-arithmetic.js";
import { parseAddressSpace, sameTypeHere } from "./parse-type.js";

const ATOMIC_OPS: ReadonlySet<string> = new Set<AtomicOp>([
  "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin",
]); // biome-ignore format: a table
const ORDERINGS: ReadonlySet<string> = new Set([
  "unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst",
]); // biome-ignore format: a table
const POINTER_FLAGS: ReadonlySet<string> = new Set(["inbounds", "nusw", "nuw"]);

function pointer(scope: FunctionScope): Value {
  const { lexer } = scope;
  const type = scope.type();
  if (type.kind !== "ptr" && lexer.unsupported === null) lexer.fail(`'${typeToString(type)}' is not a pointer`);
  return scope.value(type);
}

/** `[, align N]`: the alignment, or the type's own. */
function alignment(scope: FunctionScope, type: Type): number {
  const { lexer } = scope;
  if (!scope.acceptListComma()) return scope.module.layout.abiAlign(type);
  lexer.expectWord("align");
  return alignValue(scope);
}
function alignValue(scope: FunctionScope): number {
  const { lexer } = scope;
  const { start } = lexer;
  const align = lexer.expectCount("an alignment");
  if (align < 1 || Math.log2(align) % 1 !== 0) lexer.failAt(start, `${align} is no alignment`);
  return align;
}

function requireSize(scope: FunctionScope, type: Type): void {
  if (scope.module.layout.isSized(type)) return;
  scope.unsupported(scope.lexer.unsupported ?? `use of '${typeToString(type)}', which has no size`);
}

/** `[syncscope("...")] ordering`. */
function ordering(scope: FunctionScope): void {
  const { lexer } = scope;
  if (lexer.acceptWord("syncscope")) {
    lexer.expect(OPEN_PAREN);
    if (lexer.token !== STRING) lexer.unexpected("a name of a scope");
    lexer.next();
    lexer.expect(CLOSE_PAREN);
  }
  if (lexer.token !== WORD || !ORDERINGS.has(lexer.raw())) lexer.unexpected("an atomic ordering");
  lexer.next();
}

function access(scope: FunctionScope, accessType: Type, volatile: boolean): AccessExtra {
  requireSize(scope, accessType);
  return { accessType, align: alignment(scope, accessType), volatile, unchecked: scope.module.trusted };
}

/** `alloca [inalloca] [swifterror] T [, iN count] [, align N] [, addrspace(N)]`. */
const alloca: InstructionParser = (scope) => {
  const { lexer } = scope;
  if (lexer.is("inalloca") || lexer.is("swifterror")) scope.unsupported(`alloca ${lexer.raw()}`);
  const allocated = scope.type();
  requireSize(scope, allocated);
  let count: Value = constInt(32, 1);
  let align = 0;
  while (scope.acceptListComma()) {
    if (lexer.acceptWord("align")) align = alignValue(scope);
    else if (lexer.is("addrspace")) {
      if (parseAddressSpace(lexer) !== "0") scope.unsupported("alloca in another address space");
    } else {
      count = scope.typedValue();
      if (count.type.kind !== "int") lexer.fail("the count of an 'alloca' must be an integer");
    }
  }
  if (align === 0) align = scope.module.layout.abiAlign(allocated);
  return instruction("alloca", PTR, [count], { allocated, align, variable: null });
};

/** `load [atomic] [volatile] T, ptr p [ordering] [, align N]`. */
const load: InstructionParser = (scope) => {
  const { lexer } = scope;
  const atomic = lexer.acceptWord("atomic");
  const volatile = lexer.acceptWord("volatile");
  const type = scope.type();
  lexer.expect(COMMA);
  const address = pointer(scope);
  if (atomic) ordering(scope);
  return instruction("load", type, [address], access(scope, type, volatile));
};

/** `store [atomic] [volatile] T v, ptr p [ordering] [, align N]`. */
const store: InstructionParser = (scope) => {
  const { lexer } = scope;
  const atomic = lexer.acceptWord("atomic");
  const volatile = lexer.acceptWord("volatile");
  const value = scope.typedValue();
  lexer.expect(COMMA);
  const address = pointer(scope);
  if (atomic) ordering(scope);
  return instruction("store", VOID, [value, address], access(scope, value.type, volatile));
};

/** `atomicrmw [volatile] op ptr p, T v ordering [, align N]`. */
const modify: InstructionParser = (scope) => {
  const { lexer } = scope;
  const volatile = lexer.acceptWord("volatile");
  if (lexer.token !== WORD) lexer.unexpected("an atomic operation");
  const operation = lexer.raw();
  if (!ATOMIC_OPS.has(operation)) scope.unsupported(`atomicrmw ${operation}`);
  lexer.next();
  const address = pointer(scope);
  lexer.expect(COMMA);
  const value = scope.typedValue();
  const { kind } = scalar(value.type);
  if (operation !== "xchg" && lexer.unsupported === null && kind !== (operation[0] === "f" ? "float" : "int")) {
    lexer.fail(`'atomicrmw ${operation}' cannot compute on '${typeToString(value.type)}'`);
  }
  ordering(scope);
  const extra = { ...access(scope, value.type, volatile), operation: operation as AtomicOp };
  return instruction("atomicrmw", value.type, [address, value], extra);
};

/** `cmpxchg [weak] [volatile] ptr p, T expected, T new ordering ordering [, align N]`. */
const compareExchange: InstructionParser = (scope) => {
  const { lexer } = scope;
  lexer.acceptWord("weak");
  const volatile = lexer.acceptWord("volatile");
  const address = pointer(scope);
  lexer.expect(COMMA);
  const expected = scope.typedValue();
  lexer.expect(COMMA);
  const replacement = scope.typedValue();
  const { type } = expected;
  if (!sameTypeHere(type, replacement.type)) lexer.fail("the values of a 'cmpxchg' differ in type");
  ordering(scope);
  ordering(scope);
  const result = structType([type, I1]);
  return instruction("cmpxchg", result, [address, expected, replacement], access(scope, type, volatile));
};

const fence: InstructionParser = (scope) => {
  ordering(scope);
  return instruction("fence", VOID, [], null);
};

/** `getelementptr [flags] T, ptr p {, iN index}`. */
const elementPointer: InstructionParser = (scope) => {
  const { lexer } = scope;
  let inbounds = false;
  while (lexer.token === WORD) {
    const word = lexer.raw();
    if (POINTER_FLAGS.has(word)) inbounds ||= word === "inbounds";
    else if (word === "inrange") {
      lexer.next();
      if (lexer.token !== OPEN_PAREN) lexer.unexpected("a range");
      lexer.skipBrackets();
      continue;
    } else break;
    lexer.next();
  }
  const sourceType = scope.type();
  requireSize(scope, sourceType);
  lexer.expect(COMMA);
  const operands: Value[] = [];
  let lanes = 0;
  let reached: Type = sourceType;
  do {
    const operand = scope.typedValue();
    const wanted = operands.length === 0 ? "ptr" : "int";
    if (scalar(operand.type).kind !== wanted && lexer.unsupported === null) {
      lexer.fail(`operand ${operands.length} of a 'getelementptr' has type '${typeToString(operand.type)}'`);
    }
    if (operand.type.kind === "vector") lanes = operand.type.count;
    if (operands.length >= 2) reached = member(scope, reached, operand);
    operands.push(operand);
  } while (scope.acceptListComma());
  const type = lanes === 0 ? PTR : vectorType(lanes, PTR);
  return instruction("getelementptr", type, operands, { sourceType, inbounds });
};

/** The type an index leads to. */
function member(scope: FunctionScope, type: Type, index: Value): Type {
  switch (type.kind) {
    case "array":
    case "vector":
      return type.element;
    case "struct": {
      const constant = index.kind === "aggregate" ? index.elements[0] : index;
      const field = constant.kind === "int" ? Number(constant.value) : constant.kind === "zero" ? 0 : -1;
      if (field in type.fields) return type.fields[field];
    }
  }
  return scope.lexer.fail(`'${typeToString(type)}' has no such element`);
}

/** `va_arg ptr list, T`. */
const nextArgument: InstructionParser = (scope) => {
  const list = pointer(scope);
  scope.lexer.expect(COMMA);
  const type = scope.type();
  requireSize(scope, type);
  return instruction("va_arg", type, [list], null);
};

export const MEMORY: readonly (readonly [string, InstructionParser])[] = [
  ["alloca", alloca],
  ["load", load],
  ["store", store],
  ["atomicrmw", modify],
  ["cmpxchg", compareExchange],
  ["fence", fence],
  ["getelementptr", elementPointer],
  ["va_arg", nextArgument],
];
