// Calls: of functions, of addresses, and of inline assembly.

import {
  NO_BUILTIN,
  NO_INLINE,
  NORETURN,
  parseCallAttributes,
  parseParamAttributes,
  RETURNS_TWICE,
  skipToType,
} from "../analysis/function-attributes.js";
import { type FunctionType, functionType, METADATA, PTR, type Type, typeToString } from "../types.js";
import {
  type InlineAsm,
  type Instruction,
  instruction,
  type MetadataOperand,
  NO_ATTRIBUTES,
  type ParamAttributes,
  type Value,
} from "../values.js";
import type { FunctionScope, InstructionParser } from "./function-scope.js";
import {
  CLOSE_PAREN,
  COMMA,
  ELLIPSIS,
  END,
  GLOBAL,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  STRING,
  WORD,
} from "./lexer.js";
import { globalName } from "./parse-constant.js";
import { isConstrained, plainMeaning } from "./parse-constrained.js";
import { parseType, sameTypeHere } from "./parse-type.js";

const METADATA_OPERAND: MetadataOperand = { kind: "metadata", type: METADATA };
const NO_PARAM_ATTRIBUTES: readonly ParamAttributes[] = [];
const ASM_WORDS: ReadonlySet<string> = new Set(["sideeffect", "alignstack", "inteldialect", "unwind"]);

/** `[tail|musttail|notail] call [flags] [convention] [attributes] T callee(arguments) [attributes] [bundles]`. */
const call: InstructionParser = (scope, opcode) => {
  const { lexer } = scope;
  if (opcode !== "call") lexer.expectWord("call");
  skipToType(lexer);
  const { start } = lexer;
  const type = parseType(lexer, scope.module.types);
  let result = type.kind === "function" ? type.result : type;
  if (result.kind === "label" || result.kind === "function") lexer.failAt(start, "no call results in this type");
  // The callee's own type is only known after the arguments.
  const calleeName = lexer.token === GLOBAL ? globalName(lexer) : null;
  let callee: Value | null = null;
  if (calleeName !== null) lexer.next();
  else callee = lexer.is("asm") ? inlineAsm(scope) : scope.value(PTR);

  const operands: Value[] = [];
  const argumentsAt = lexer.start;
  const paramAttributes = callArguments(scope, operands);
  if (isConstrained(calleeName)) {
    const text = lexer.text.slice(argumentsAt, lexer.start);
    const strings = Array.from(text.matchAll(/metadata !"([^"]*)"/g), (match) => match[1]);
    const args = operands.slice(1).filter((operand) => operand.kind !== "metadata");
    const meaning = plainMeaning(calleeName, result, args, strings);
    parseCallAttributes(lexer, scope.module);
    if ("op" in meaning) return meaning;
    return plainCall(scope, meaning.intrinsic, result, args);
  }
  const fnType = type.kind === "function" ? type : typeOfCall(scope, calleeName, result, operands);
  checkArguments(scope, fnType, operands, start);
  result = fnType.result;
  const target = calleeName !== null ? scope.module.calleeRef(calleeName, fnType) : callee;
  if (target === null) return lexer.fail("the call has no callee");
  operands[0] = target;

  let bits = parseCallAttributes(lexer, scope.module);
  if (lexer.token === OPEN_BRACKET) lexer.skipBrackets();
  const mayInline = (bits & (NO_INLINE | NO_BUILTIN)) === 0;
  if (target.kind === "global" && target.target.kind === "function") {
    const { attributes } = target.target;
    if (attributes.noreturn) bits |= NORETURN;
    if (attributes.returnsTwice) bits |= RETURNS_TWICE;
  }
  return instruction("call", result, operands, {
    fnType,
    paramAttributes,
    noreturn: (bits & NORETURN) !== 0,
    returnsTwice: (bits & RETURNS_TWICE) !== 0,
    mustTail: opcode === "musttail",
    mayInline,
  });
};

/** A call of an intrinsic that the module need not declare. */
function plainCall(scope: FunctionScope, name: string, result: Type, args: readonly Value[]): Instruction {
  const fnType = functionType(
    result,
    args.map((arg) => arg.type),
  );
  return instruction("call", result, [scope.module.calleeRef(name, fnType), ...args], {
    fnType,
    paramAttributes: NO_PARAM_ATTRIBUTES,
    noreturn: false,
    returnsTwice: false,
    mustTail: false,
    mayInline: true,
  });
}

/** Reads `(arguments)` into `operands`, leaving place for the callee in front. */
function callArguments(scope: FunctionScope, operands: Value[]): readonly ParamAttributes[] {
  const { lexer } = scope;
  const attributes: ParamAttributes[] = [];
  let plain = true;
  operands.push(METADATA_OPERAND);
  lexer.expect(OPEN_PAREN);
  while (lexer.token !== CLOSE_PAREN) {
    if (lexer.token === ELLIPSIS) scope.unsupported("forwarding of variadic arguments");
    const type = scope.type();
    if (type.kind === "metadata") {
      skipMetadata(scope);
      operands.push(METADATA_OPERAND);
      attributes.push(NO_ATTRIBUTES);
    } else {
      const attribute = parseParamAttributes(lexer, scope.module);
      if (attribute !== NO_ATTRIBUTES) plain = false;
      attributes.push(attribute);
      operands.push(scope.value(type));
    }
    if (!lexer.accept(COMMA)) break;
  }
  lexer.expect(CLOSE_PAREN);
  return plain ? NO_PARAM_ATTRIBUTES : attributes;
}

/** A metadata operand, whatever it is, up to the `,` or `)` after it. */
function skipMetadata(scope: FunctionScope): void {
  const { lexer } = scope;
  while (lexer.token !== COMMA && lexer.token !== CLOSE_PAREN) {
    if (lexer.token === END) lexer.unexpected("')'");
    if (lexer.token === OPEN_PAREN || lexer.token === OPEN_BRACE) lexer.skipBrackets();
    else lexer.next();
  }
}

/** The type of a callee written without parameters; the declaration's own object where it agrees. */
function typeOfCall(
  scope: FunctionScope,
  calleeName: string | null,
  result: Type,
  operands: readonly Value[],
): FunctionType {
  if (calleeName !== null) {
    const declared = scope.module.module.globals.get(calleeName);
    if (declared?.kind === "function") {
      const { type } = declared;
      let agrees = !type.variadic && type.result === result && type.params.length === operands.length - 1;
      for (let i = 1; agrees && i < operands.length; i++) agrees = operands[i].type === type.params[i - 1];
      if (agrees) return type;
    }
  }
  return functionType(
    result,
    operands.slice(1).map((operand) => operand.type),
  );
}

function checkArguments(scope: FunctionScope, type: FunctionType, operands: readonly Value[], offset: number): void {
  const given = operands.length - 1;
  const { params } = type;
  let fits = type.variadic ? given >= params.length : given === params.length;
  for (let i = 0; fits && i < params.length; i++) {
    fits = operands[i + 1].type === params[i] || sameTypeHere(operands[i + 1].type, params[i]);
  }
  if (!fits) scope.lexer.failAt(offset, `the arguments do not fit the callee's type '${typeToString(type)}'`);
}

/** `asm [sideeffect] [alignstack] [inteldialect] [unwind] "template", "constraints"`. */
function inlineAsm(scope: FunctionScope): InlineAsm {
  const { lexer } = scope;
  lexer.next();
  let sideEffects = false;
  while (lexer.token === WORD && ASM_WORDS.has(lexer.raw())) {
    sideEffects ||= lexer.is("sideeffect");
    lexer.next();
  }
  if (lexer.token !== STRING) lexer.unexpected("a template of inline assembly");
  const template = lexer.decodedString();
  lexer.next();
  lexer.expect(COMMA);
  if (lexer.token !== STRING) lexer.unexpected("the constraints of inline assembly");
  const constraints = lexer.decodedString();
  lexer.next();
  return { kind: "asm", type: PTR, template, constraints, sideEffects };
}

export const CALLS: readonly (readonly [string, InstructionParser])[] = [
  ["call", call],
  ["tail", call],
  ["musttail", call],
  ["notail", call],
];
