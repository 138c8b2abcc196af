// Headers of global variables, aliases and functions. Their words come in a fixed order in LLVM's grammar, but nothing
// is ambiguous if they come in any, so they are read as sets; words of later versions are skipped.

import {
  functionAttributes,
  parseFunctionAttribute,
  parseParamAttributes,
  skipAttribute,
  skipToType,
} from "../analysis/function-attributes.js";
import type { GlobalValue, Linkage } from "../module.js";
import { functionType, type Type } from "../types.js";
import type { ParamAttributes } from "../values.js";
import {
  CLOSE_PAREN,
  COMMA,
  ELLIPSIS,
  END,
  EQUALS,
  GLOBAL,
  GREATER,
  HASH,
  LESS,
  type Lexer,
  LOCAL,
  METADATA_ID,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  STRING,
  WORD,
} from "./lexer.js";
import type { ModuleScope } from "./module-scope.js";
import { globalName } from "./parse-constant.js";
import { parseType, parseValueType, startsType } from "./parse-type.js";
import { type Extent, TextAlias, TextFunction, TextVariable } from "./text-globals.js";

const LINKAGES: ReadonlyMap<string, Linkage> = new Map<string, Linkage>([
  ["private", "internal"],
  ["internal", "internal"],
  ["weak", "weak"],
  ["weak_odr", "weak"],
  ["linkonce", "linkonce"],
  ["linkonce_odr", "linkonce"],
  ["common", "common"],
  ["appending", "appending"],
  ["extern_weak", "extern_weak"],
  ["available_externally", "available_externally"],
  ["external", "external"],
]);

export interface ScannedGlobal {
  readonly value: GlobalValue;
  /** The offset after it. */
  readonly end: number;
}
export interface ScannedFunction {
  readonly made: TextFunction;
  /** Attributes written out, and the groups that hold the others. */
  readonly bits: number;
  readonly groups: readonly number[];
  readonly end: number;
}

// ---------------------------------------------------------------- variables and aliases

/** `@name = [words] global|constant T [initialiser] [, ...]` or `@name = [words] alias|ifunc T, ptr @x`. */
export function parseGlobalHeader(lexer: Lexer, scope: ModuleScope): ScannedGlobal {
  const name = globalName(lexer);
  lexer.next();
  lexer.expect(EQUALS);
  let linkage: Linkage | null = null;
  let hidden = false;
  let threadLocal = false;
  while (lexer.token === WORD) {
    const word = lexer.raw();
    if (word === "global" || word === "constant") {
      const header = { name, linkage: linkage ?? "external", hidden };
      const declared = linkage === "external" || linkage === "extern_weak";
      lexer.next();
      return variable(lexer, scope, header, declared, word === "constant", threadLocal);
    }
    if (word === "alias" || word === "ifunc") {
      lexer.next();
      return alias(lexer, scope, { name, linkage: linkage ?? "external", hidden }, word === "ifunc");
    }
    linkage = LINKAGES.get(word) ?? linkage;
    hidden ||= word === "hidden";
    threadLocal ||= word === "thread_local";
    skipAttribute(lexer);
  }
  return lexer.unexpected("'global', 'constant', 'alias' or 'ifunc'");
}

function variable(
  lexer: Lexer,
  scope: ModuleScope,
  header: { name: string; linkage: Linkage; hidden: boolean },
  declared: boolean,
  constant: boolean,
  threadLocal: boolean,
): ScannedGlobal {
  const valueType = parseValueType(lexer, scope.types);
  let extent: Extent | null = null;
  if (!declared) {
    if (lexer.token === COMMA || lexer.token === END) lexer.unexpected("an initialiser");
    extent = { start: lexer.start, end: endOfConstant(lexer) };
    lexer.seek(extent.end);
  }
  let align = 0;
  let section: string | null = null;
  let debugId = -1;
  let { end } = lexer;
  while (lexer.token === COMMA) {
    lexer.next();
    ({ end } = lexer);
    if (lexer.token === METADATA_ID) {
      const isDebug = lexer.decodedName() === "dbg";
      lexer.next();
      if (isDebug && lexer.token === METADATA_ID) debugId = lexer.number;
      ({ end } = lexer);
      lexer.next();
    } else if (lexer.acceptWord("align")) {
      ({ end } = lexer);
      align = lexer.expectCount("an alignment");
    } else if (lexer.acceptWord("section")) {
      if (lexer.token !== STRING) lexer.unexpected("a name of a section");
      section = lexer.decodedString();
      ({ end } = lexer);
      lexer.next();
    } else if (lexer.token === WORD) skipProperty(lexer);
    else lexer.unexpected("a property of the variable");
  }
  // Whatever is left of the line are attributes without meaning here.
  end = lexer.token === END || lexer.firstOnLine ? lexer.start : lexer.endOfLine(lexer.start);
  const value = new TextVariable(scope, header, valueType, constant, threadLocal, align, section, debugId, extent);
  return { value, end };
}

/** `comdat`, `comdat($c)`, `partition "p"`, `code_model "m"`, `sanitize_memtag`, ... */
function skipProperty(lexer: Lexer): void {
  lexer.next();
  if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
  else if (lexer.token === STRING) lexer.next();
}

function alias(
  lexer: Lexer,
  scope: ModuleScope,
  header: { name: string; linkage: Linkage; hidden: boolean },
  ifunc: boolean,
): ScannedGlobal {
  const valueType = parseType(lexer, scope.types);
  lexer.expect(COMMA);
  // The type is left out before a constant expression.
  if (startsType(lexer)) parseType(lexer, scope.types);
  const extent = { start: lexer.start, end: endOfConstant(lexer) };
  return { value: new TextAlias(scope, header, valueType, ifunc, extent), end: lexer.endOfLine(extent.end) };
}

/**
 * The offset after the constant at the current token: the first comma or line break outside of brackets and quotes.
 * Works on characters, as tables make up most of some modules.
 */
function endOfConstant(lexer: Lexer): number {
  const { text, limit } = lexer;
  let depth = 0;
  for (let at = lexer.start; at < limit; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const close = text.indexOf('"', at + 1);
        if (close === -1) lexer.fail("a quotation mark is never closed");
        at = close;
        break;
      }
      case 0x28:
      case 0x5b:
      case 0x7b:
      case 0x3c:
        depth++;
        break;
      case 0x29:
      case 0x5d:
      case 0x7d:
      case 0x3e:
        depth--;
        break;
      case 0x2c:
        if (depth <= 0) return at;
        break;
      case 0x3b:
        if (depth <= 0) return at;
        at = lexer.endOfLine(at);
        break;
      case 0x0a:
        if (depth <= 0) return at;
        break;
    }
  }
  return limit;
}

// ---------------------------------------------------------------- functions

/** `define|declare [words] T @name(parameters) [words] [{ body }]`; the current token is the first word. */
export function parseFunctionHeader(lexer: Lexer, scope: ModuleScope, defined: boolean): ScannedFunction {
  let linkage: Linkage = "external";
  let hidden = false;
  let debugId = -1;
  lexer.next();
  for (;;) {
    if (lexer.token === METADATA_ID) debugId = debugAttachment(lexer, debugId);
    else if (lexer.token === WORD && !startsType(lexer)) {
      const word = lexer.raw();
      linkage = LINKAGES.get(word) ?? linkage;
      hidden ||= word === "hidden";
      skipAttribute(lexer);
    } else if (lexer.token === STRING) skipAttribute(lexer);
    else break;
  }
  skipToType(lexer);
  const { start } = lexer;
  const result = parseType(lexer, scope.types);
  if (result.kind === "function" || result.kind === "label" || result.kind === "metadata") {
    lexer.failAt(start, "no function results in this type");
  }
  if (lexer.token !== GLOBAL) lexer.unexpected("a function's name");
  const name = globalName(lexer);
  lexer.next();
  const { params, attributes, names, variadic } = parameters(lexer, scope);

  let bits = 0;
  const groups: number[] = [];
  while (!(lexer.firstOnLine && !defined) && lexer.token !== OPEN_BRACE) {
    if (lexer.token === HASH && lexer.number >= 0) {
      groups.push(lexer.number);
      lexer.next();
    } else if (lexer.token === METADATA_ID) debugId = debugAttachment(lexer, debugId);
    else if (lexer.token === STRING) skipAttribute(lexer);
    else if (lexer.is("prefix") || lexer.is("prologue") || lexer.is("personality")) skipTypedConstant(lexer, scope);
    else if (lexer.is("section") || lexer.is("partition") || lexer.is("gc")) skipProperty(lexer);
    else if (lexer.token === WORD) bits |= parseFunctionAttribute(lexer);
    else lexer.unexpected(defined ? "'{'" : "an attribute");
  }
  let extent: Extent | null = null;
  let end = lexer.start;
  if (defined) {
    extent = bodyExtent(lexer);
    end = extent.end + 1;
    if (lexer.text.charCodeAt(extent.end) === 0x0a) end++;
  }
  const type = functionType(result, params, variadic);
  const header = { name, linkage, hidden };
  const made = new TextFunction(scope, header, type, attributes, functionAttributes(0), debugId, names, extent);
  return { made, bits, groups, end };
}

/** `!dbg !5` or another attachment. */
function debugAttachment(lexer: Lexer, before: number): number {
  const isDebug = lexer.decodedName() === "dbg";
  lexer.next();
  if (lexer.token !== METADATA_ID) lexer.unexpected("metadata");
  const { number } = lexer;
  lexer.next();
  return isDebug ? number : before;
}

/** `personality ptr @f`: a type and a constant nobody needs. Not parsed, as it may name what is declared later. */
function skipTypedConstant(lexer: Lexer, scope: ModuleScope): void {
  lexer.next();
  parseType(lexer, scope.types);
  const packed = lexer.accept(LESS);
  if (lexer.token === OPEN_BRACE || lexer.token === OPEN_BRACKET) lexer.skipBrackets();
  else {
    const { token } = lexer;
    lexer.next();
    if (token === WORD) {
      while (lexer.token === WORD) lexer.next();
      if (lexer.token === OPEN_PAREN) lexer.skipBrackets();
    }
  }
  if (packed) lexer.expect(GREATER);
}

interface Parameters {
  readonly params: Type[];
  readonly attributes: ParamAttributes[];
  readonly names: (string | number | null)[];
  variadic: boolean;
}

function parameters(lexer: Lexer, scope: ModuleScope): Parameters {
  const result: Parameters = { params: [], attributes: [], names: [], variadic: false };
  lexer.expect(OPEN_PAREN);
  while (lexer.token !== CLOSE_PAREN) {
    if (lexer.accept(ELLIPSIS)) {
      result.variadic = true;
      break;
    }
    result.params.push(parseValueType(lexer, scope.types));
    result.attributes.push(parseParamAttributes(lexer, scope));
    let name: string | number | null = null;
    if (lexer.token === LOCAL) {
      name = lexer.number < 0 ? lexer.decodedName() : lexer.number;
      lexer.next();
    }
    result.names.push(name);
    if (!lexer.accept(COMMA)) break;
  }
  lexer.expect(CLOSE_PAREN);
  return result;
}

/** The text between the braces. LLVM closes a body with a brace at the start of a line; text by hand may not. */
function bodyExtent(lexer: Lexer): Extent {
  const { text, limit } = lexer;
  const start = lexer.end;
  const lineEnd = lexer.endOfLine(start);
  const restOfLine = text.slice(start, Math.min(lineEnd, start + 200)).trim();
  if (restOfLine === "" || restOfLine.startsWith(";")) {
    const close = text.indexOf("\n}", start);
    if (close === -1) lexer.fail("the function's body is never closed");
    return { start, end: close };
  }
  let depth = 1;
  lexer.next();
  while (lexer.position <= limit) {
    if (lexer.token === END) lexer.fail("the function's body is never closed");
    if (lexer.raw() === "{") depth++;
    else if (lexer.raw() === "}" && --depth === 0) break;
    lexer.next();
  }
  return { start, end: lexer.start };
}
