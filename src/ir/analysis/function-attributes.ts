// Attributes of functions, calls and parameters. LLVM has well over a hundred; those that change what we do are kept as
// bits or fields, every other word is skipped together with what it has in brackets, so that attributes of later
// versions need no change here.

import type { FunctionAttributes } from "../module.js";
import { CLOSE_PAREN, EQUALS, HASH, INTEGER, type Lexer, OPEN_PAREN, STRING, WORD } from "../text/lexer.js";
import type { ModuleScope } from "../text/module-scope.js";
import { parseType, startsType } from "../text/parse-type.js";
import type { Type } from "../types.js";
import { NO_ATTRIBUTES, type ParamAttributes } from "../values.js";

export const NORETURN = 1;
export const RETURNS_TWICE = 2;
const ALWAYS_INLINE = 4;
export const NO_INLINE = 8;
const NAKED = 16;
/** `const` or `pure` in C: a call whose value nobody needs may be left out. */
const VALUE_ONLY = 32;
export const NO_BUILTIN = 64;

const FUNCTION_WORDS: ReadonlyMap<string, number> = new Map([
  ["noreturn", NORETURN],
  ["returns_twice", RETURNS_TWICE],
  ["alwaysinline", ALWAYS_INLINE],
  ["noinline", NO_INLINE],
  ["naked", NAKED],
  ["willreturn", VALUE_ONLY],
  ["nobuiltin", NO_BUILTIN],
]);

const SHARED_ATTRIBUTES: readonly FunctionAttributes[] = Array.from({ length: 64 }, (_, bits) => ({
  noreturn: (bits & NORETURN) !== 0,
  returnsTwice: (bits & RETURNS_TWICE) !== 0,
  alwaysInline: (bits & ALWAYS_INLINE) !== 0,
  noInline: (bits & NO_INLINE) !== 0,
  naked: (bits & NAKED) !== 0,
  valueOnly: (bits & VALUE_ONLY) !== 0,
}));
export function functionAttributes(bits: number): FunctionAttributes {
  return SHARED_ATTRIBUTES[bits & 63];
}

/** The bits of one function attribute word, 0 for those without meaning to us. The word's arguments are skipped. */
export function parseFunctionAttribute(lexer: Lexer): number {
  const bits = FUNCTION_WORDS.get(lexer.raw()) ?? 0;
  skipAttribute(lexer);
  return bits;
}

/**
 * The attributes between the braces of a group. Most of their text is strings about the target, so they are searched
 * for the few words of interest instead of being read one by one.
 */
export function parseAttributeGroup(text: string): number {
  let bits = 0;
  for (const match of text.replace(/"[^"]*"/g, "").matchAll(/[a-z_]+/g)) bits |= FUNCTION_WORDS.get(match[0]) ?? 0;
  return bits;
}

/** A word or string, with its `(...)`, `N`, `=N` or `="..."`. */
export function skipAttribute(lexer: Lexer): void {
  lexer.next();
  if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
  else if (lexer.token === INTEGER) lexer.next();
  else if (lexer.token === EQUALS) {
    lexer.next();
    lexer.next();
  }
}

/** Words before a result type (calling convention, attributes of the result, flags); stops at the type. */
export function skipToType(lexer: Lexer): void {
  while ((lexer.token === WORD && !startsType(lexer)) || lexer.token === STRING) skipAttribute(lexer);
}

/**
 * Attributes after a call's arguments that are words, strings or groups. They end with the line: the next word may as
 * well be the opcode of the next instruction.
 */
export function parseCallAttributes(lexer: Lexer, scope: ModuleScope): number {
  let bits = 0;
  while (!lexer.firstOnLine) {
    if (lexer.token === WORD) bits |= parseFunctionAttribute(lexer);
    else if (lexer.token === STRING) skipAttribute(lexer);
    else if (lexer.token === HASH && lexer.number >= 0) {
      bits |= scope.attributeGroup(lexer.number);
      lexer.next();
    } else break;
  }
  return bits;
}

const SIGN_EXTENDED: ParamAttributes = { ...NO_ATTRIBUTES, signext: true };
const ZERO_EXTENDED: ParamAttributes = { ...NO_ATTRIBUTES, zeroext: true };

/** Words that begin a constant, and so end the attributes of an argument. */
const VALUE_WORDS: ReadonlySet<string> = new Set([
  "null", "undef", "poison", "true", "false", "zeroinitializer", "none", "splat", "blockaddress", "asm",
  "dso_local_equivalent", "no_cfi", "ptrauth", "getelementptr", "trunc", "zext", "sext", "fptrunc", "fpext",
  "fptoui", "fptosi", "uitofp", "sitofp", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast", "icmp",
  "fcmp", "select", "extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue", "add", "sub",
  "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "fneg", "fadd", "fsub", "fmul",
  "fdiv", "frem",
]); // biome-ignore format: a table

/** The attributes between a parameter's type and its name, or an argument's type and its value. */
export function parseParamAttributes(lexer: Lexer, scope: Pick<ModuleScope, "types">): ParamAttributes {
  if (lexer.token !== WORD && lexer.token !== STRING) return NO_ATTRIBUTES;
  let byval: Type | null = null;
  let sret = false;
  let signext = false;
  let zeroext = false;
  let align = 0;
  for (;;) {
    if (lexer.token === STRING) {
      skipAttribute(lexer);
      continue;
    }
    if (lexer.token !== WORD) break;
    const word = lexer.raw();
    if (word === "noundef") lexer.next();
    else if (VALUE_WORDS.has(word)) break;
    else if (word === "signext" || word === "zeroext") {
      signext ||= word === "signext";
      zeroext ||= word === "zeroext";
      lexer.next();
    } else if (word === "align") {
      lexer.next();
      const bracketed = lexer.accept(OPEN_PAREN);
      align = lexer.expectCount("an alignment");
      if (bracketed) lexer.expect(CLOSE_PAREN);
    } else if (word === "byval" || word === "sret") {
      lexer.next();
      lexer.expect(OPEN_PAREN);
      const type = parseType(lexer, scope.types);
      lexer.expect(CLOSE_PAREN);
      if (word === "byval") byval = type;
      else sret = true;
    } else {
      // Not skipAttribute: an integer after `inreg` is the argument.
      lexer.next();
      if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
    }
  }
  if (byval === null && !sret && align === 0) {
    if (!signext && !zeroext) return NO_ATTRIBUTES;
    if (signext !== zeroext) return signext ? SIGN_EXTENDED : ZERO_EXTENDED;
  }
  return { byval, sret, signext, zeroext, align };
}
