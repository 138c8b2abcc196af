// Constants: literals, aggregates, addresses and constant expressions. The type is always known before the constant
// is read, as LLVM writes it first, so one function from type and tokens to constant is enough. Constants that have no
// meaning here (ptrauth, expressions on vectors) throw `Unsupported`: in a body they make one instruction
// unsupported, in an initialiser they are an error.
// Invariant: a returned constant's type is the one asked for.

import { I1, PTR, type Type, typeToString, vectorType } from "../types.js";
import {
  type BinaryOp,
  type CastOp,
  type Constant,
  type ConstExpr,
  type ConstExprOp,
  constInt,
  constZero,
  FALSE,
  type IntPredicate,
  NULL,
  TRUE,
} from "../values.js";
import {
  BYTES,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  FLOAT_LITERAL,
  GLOBAL,
  GREATER,
  INTEGER,
  LESS,
  type Lexer,
  LOCAL,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  Unsupported,
  WORD,
} from "./lexer.js";
import type { ModuleScope } from "./module-scope.js";
import { parseFloatLiteral } from "./parse-float.js";
import { parseType, parseValueType, sameTypeHere } from "./parse-type.js";

type Scope = Pick<ModuleScope, "types" | "globalRef" | "layout">;

export function parseConstant(lexer: Lexer, scope: Scope, type: Type): Constant {
  switch (lexer.token) {
    case INTEGER:
      return integer(lexer, type);
    case FLOAT_LITERAL:
      return floatLiteral(lexer, type);
    case GLOBAL: {
      requirePointer(lexer, type);
      const ref = scope.globalRef(globalName(lexer));
      lexer.next();
      return ref;
    }
    case BYTES:
      return byteString(lexer, type);
    case WORD:
      return wordConstant(lexer, scope, type);
    case OPEN_BRACKET:
    case OPEN_BRACE:
    case LESS: {
      lexer.enter();
      const constant = aggregate(lexer, scope, type);
      lexer.leave();
      return constant;
    }
    default:
      return lexer.unexpected(`a constant of type '${typeToString(type)}'`);
  }
}

/** A type and a constant of that type. */
function parseTypedConstant(lexer: Lexer, scope: Scope): Constant {
  return parseConstant(lexer, scope, parseValueType(lexer, scope.types));
}

/** The name in a GLOBAL token. A leading \01 only tells LLVM not to mangle the name. */
export function globalName(lexer: Lexer): string {
  const name = lexer.decodedName();
  return name.charCodeAt(0) === 1 ? name.slice(1) : name;
}

function mismatch(lexer: Lexer, what: string, type: Type): never {
  return lexer.fail(`${what} is no constant of type '${typeToString(type)}'`);
}
function requirePointer(lexer: Lexer, type: Type): void {
  if (type.kind !== "ptr") mismatch(lexer, lexer.describe(), type);
}

// ---------------------------------------------------------------- literals

function integer(lexer: Lexer, type: Type): Constant {
  if (type.kind !== "int") mismatch(lexer, lexer.describe(), type);
  const value = Number.isNaN(lexer.number) ? longInteger(lexer) : lexer.number;
  const result = constInt(type.bits, value);
  lexer.next();
  return result;
}

/** An integer of many digits, or a hexadecimal one: u0x..., s0x... (two's complement of as many bits as written). */
export function longInteger(lexer: Lexer): bigint {
  const text = lexer.raw();
  if (text[0] !== "u" && text[0] !== "s") return BigInt(text);
  const digits = text.slice(3);
  if (!/^[0-9A-Fa-f]+$/.test(digits)) lexer.fail(`malformed number ${lexer.describe()}`);
  const value = BigInt(`0x${digits}`);
  return text[0] === "u" ? value : BigInt.asIntN(digits.length * 4, value);
}

function floatLiteral(lexer: Lexer, type: Type): Constant {
  if (type.kind !== "float") mismatch(lexer, lexer.describe(), type);
  const bits = parseFloatLiteral(lexer.raw(), type.name);
  if (bits === null) return mismatch(lexer, lexer.describe(), type);
  lexer.next();
  return { kind: "float", type, bits };
}

function byteString(lexer: Lexer, type: Type): Constant {
  const bytes = lexer.decodedBytes();
  if (type.kind !== "array" || type.element.kind !== "int" || type.element.bits !== 8) {
    return mismatch(lexer, "a string", type);
  }
  if (type.count !== bytes.length) mismatch(lexer, `a string of ${bytes.length} bytes`, type);
  lexer.next();
  return { kind: "bytes", type, bytes };
}

// ---------------------------------------------------------------- aggregates

function aggregate(lexer: Lexer, scope: Scope, type: Type): Constant {
  const packed = lexer.token === LESS && lexer.peek() === OPEN_BRACE;
  const expected = lexer.token === OPEN_BRACKET ? "array" : lexer.token === OPEN_BRACE || packed ? "struct" : "vector";
  if (type.kind !== expected || (type.kind === "struct" && type.packed !== packed)) {
    mismatch(lexer, `what starts with ${lexer.describe()}`, type);
  }
  lexer.next();
  if (packed) lexer.next();
  const close = expected === "array" ? CLOSE_BRACKET : expected === "struct" ? CLOSE_BRACE : GREATER;
  const elements: Constant[] = [];
  if (lexer.token !== close) {
    do {
      const wanted = elementType(type, elements.length);
      const { start } = lexer;
      const found = parseType(lexer, scope.types);
      if (wanted === null || (found !== wanted && !sameTypeHere(found, wanted))) {
        lexer.failAt(
          start,
          `element ${elements.length} of '${typeToString(type)}' has no type '${typeToString(found)}'`,
        );
      }
      elements.push(parseConstant(lexer, scope, wanted));
    } while (lexer.accept(COMMA));
  }
  const count =
    type.kind === "struct" ? type.fields.length : type.kind === "array" || type.kind === "vector" ? type.count : 0;
  if (elements.length !== count) lexer.fail(`'${typeToString(type)}' cannot have ${elements.length} elements`);
  lexer.expect(close);
  if (packed) lexer.expect(GREATER);
  return { kind: "aggregate", type, elements };
}

function elementType(type: Type, index: number): Type | null {
  switch (type.kind) {
    case "array":
    case "vector":
      return type.element;
    case "struct":
      return type.fields[index] ?? null;
    default:
      return null;
  }
}

// ---------------------------------------------------------------- words

const CASTS: ReadonlySet<string> = new Set<CastOp>([
  "trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
  "ptrtoint", "inttoptr", "bitcast", "addrspacecast",
]); // biome-ignore format: a table
const BINARIES: ReadonlySet<string> = new Set<BinaryOp>([
  "add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor",
]); // biome-ignore format: a table
export const INT_PREDICATES: ReadonlySet<string> = new Set<IntPredicate>([
  "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle",
]); // biome-ignore format: a table

function wordConstant(lexer: Lexer, scope: Scope, type: Type): Constant {
  const word = lexer.raw();
  switch (word) {
    case "null":
      requirePointer(lexer, type);
      lexer.next();
      return NULL;
    case "true":
    case "false":
      if (type !== I1) mismatch(lexer, word, type);
      lexer.next();
      return word === "true" ? TRUE : FALSE;
    case "undef":
    case "poison":
      lexer.next();
      return { kind: "undef", type };
    case "zeroinitializer":
    case "none":
      lexer.next();
      return type.kind === "ptr" ? NULL : constZero(type);
    case "splat":
      return splat(lexer, scope, type);
    case "dso_local_equivalent":
    case "no_cfi":
      lexer.next();
      if (lexer.token !== GLOBAL) lexer.unexpected("a function's name");
      return parseConstant(lexer, scope, type);
    case "blockaddress":
      requirePointer(lexer, type);
      return blockAddress(lexer, scope);
    default: {
      lexer.enter();
      const expression = constantExpression(lexer, scope, word);
      lexer.leave();
      if (!sameTypeHere(expression.type, type)) mismatch(lexer, `a '${typeToString(expression.type)}'`, type);
      return expression;
    }
  }
}

function splat(lexer: Lexer, scope: Scope, type: Type): Constant {
  if (type.kind !== "vector") return mismatch(lexer, "splat", type);
  lexer.next();
  lexer.expect(OPEN_PAREN);
  const element = parseTypedConstant(lexer, scope);
  if (!sameTypeHere(element.type, type.element)) mismatch(lexer, "splat", type);
  lexer.expect(CLOSE_PAREN);
  return { kind: "aggregate", type, elements: new Array<Constant>(type.count).fill(element) };
}

function blockAddress(lexer: Lexer, scope: Scope): Constant {
  lexer.next();
  lexer.expect(OPEN_PAREN);
  // Only @ is looked at: the token is a GLOBAL or the text is malformed.
  const target = lexer.token === GLOBAL ? scope.globalRef(globalName(lexer)).target : lexer.unexpected("a function");
  lexer.next();
  lexer.expect(COMMA);
  if (lexer.token !== LOCAL) lexer.unexpected("a label");
  const label = lexer.decodedName();
  lexer.next();
  lexer.expect(CLOSE_PAREN);
  return { kind: "blockaddress", type: PTR, target, label };
}

// ---------------------------------------------------------------- expressions

const FLAGS: ReadonlySet<string> = new Set(["nsw", "nuw", "exact", "inbounds", "nusw", "disjoint", "nneg", "samesign"]);

function constantExpression(lexer: Lexer, scope: Scope, word: string): ConstExpr {
  if (word === "getelementptr") return elementPointer(lexer, scope);
  const isCast = CASTS.has(word);
  if (!isCast && !BINARIES.has(word) && word !== "icmp" && word !== "select") {
    if (/^(?:fcmp|f(?:neg|add|sub|mul|div|rem)|extract|insert|shufflevector|ptrauth|ptrtoaddr)/.test(word)) {
      throw new Unsupported(`constant expression ${word}`);
    }
    return lexer.unexpected("a constant");
  }
  lexer.next();
  skipFlags(lexer);
  let predicate: IntPredicate | null = null;
  if (word === "icmp") {
    const name = lexer.raw();
    if (!INT_PREDICATES.has(name)) lexer.unexpected("a predicate");
    predicate = name as IntPredicate;
    lexer.next();
  }
  lexer.expect(OPEN_PAREN);
  const operands = [parseTypedConstant(lexer, scope)];
  let type: Type;
  if (isCast) {
    lexer.expectWord("to");
    type = parseValueType(lexer, scope.types);
  } else {
    while (lexer.accept(COMMA)) operands.push(parseTypedConstant(lexer, scope));
    type = checkedOperands(lexer, word, operands);
  }
  lexer.expect(CLOSE_PAREN);
  return { kind: "constexpr", op: word as ConstExprOp, type, operands, sourceType: null, predicate };
}

/** The result type of an expression that is neither a cast nor a getelementptr. */
function checkedOperands(lexer: Lexer, word: string, operands: readonly Constant[]): Type {
  const values = word === "select" ? operands.slice(1) : operands;
  if (values.length !== 2) lexer.fail(`'${word}' cannot have ${operands.length} operands`);
  const [first, second] = values;
  if (!sameTypeHere(first.type, second.type)) lexer.fail(`the operands of '${word}' differ in type`);
  if (word !== "icmp") return first.type;
  return first.type.kind === "vector" ? vectorType(first.type.count, I1) : I1;
}

function skipFlags(lexer: Lexer): void {
  while (lexer.token === WORD && (FLAGS.has(lexer.raw()) || lexer.is("inrange"))) {
    lexer.next();
    if (lexer.token === OPEN_PAREN && lexer.peek() !== 0 && isRange(lexer)) lexer.skipBrackets();
  }
}
/** Is the bracket that of `inrange(-16, 8)`, and not that of the operands? */
function isRange(lexer: Lexer): boolean {
  const c = lexer.peek();
  return c === 0x2d || (c >= 0x30 && c <= 0x39);
}

function elementPointer(lexer: Lexer, scope: Scope): ConstExpr {
  lexer.next();
  skipFlags(lexer);
  lexer.expect(OPEN_PAREN);
  const sourceType = parseValueType(lexer, scope.types);
  lexer.expect(COMMA);
  const operands: Constant[] = [];
  let type: Type = PTR;
  do {
    // LLVM up to 18 marks an index.
    lexer.acceptWord("inrange");
    const operand = parseTypedConstant(lexer, scope);
    if (operand.type.kind === "vector") type = vectorType(operand.type.count, PTR);
    operands.push(operand);
  } while (lexer.accept(COMMA));
  if (operands[0].type.kind !== "ptr" && operands[0].type.kind !== "vector") {
    lexer.fail("the base of a getelementptr must be a pointer");
  }
  lexer.expect(CLOSE_PAREN);
  return { kind: "constexpr", op: "getelementptr", type, operands, sourceType, predicate: null };
}
