// Instructions that end blocks or join them.

import { I1, typeToString, VOID } from "../types.js";
import { type Block, instruction, type Value } from "../values.js";
import type { FunctionScope, InstructionParser } from "./function-scope.js";
import { CLOSE_BRACKET, COMMA, END, INTEGER, OPEN_BRACKET } from "./lexer.js";
import { FLAGS } from "./parse-arithmetic.js";
import { longInteger } from "./parse-constant.js";
import { parseType, sameTypeHere } from "./parse-type.js";

/** `ret void`, `ret T v`. */
const returns: InstructionParser = (scope) => {
  const { lexer } = scope;
  const { start } = lexer;
  const type = parseType(lexer, scope.module.types);
  if (!sameTypeHere(type, scope.resultType)) {
    lexer.failAt(start, `a function of result '${typeToString(scope.resultType)}' returns '${typeToString(type)}'`);
  }
  const operands = type === VOID ? [] : [scope.value(type)];
  return instruction("ret", VOID, operands, null);
};

/** `br label %a`, `br i1 c, label %a, label %b`. */
const branch: InstructionParser = (scope) => {
  const { lexer } = scope;
  if (lexer.is("label")) return instruction("br", VOID, [], null, [scope.labelOperand()]);
  const condition = scope.typedValue();
  if (condition.type !== I1) lexer.fail("the condition of a 'br' must be an i1");
  lexer.expect(COMMA);
  const yes = scope.labelOperand();
  lexer.expect(COMMA);
  return instruction("condbr", VOID, [condition], null, [yes, scope.labelOperand()]);
};

/** `switch T v, label %default [ T case, label %a ... ]`. */
const switches: InstructionParser = (scope) => {
  const { lexer } = scope;
  const value = scope.typedValue();
  const { type } = value;
  if (type.kind !== "int") return lexer.fail(`'switch' cannot choose by '${typeToString(type)}'`);
  lexer.expect(COMMA);
  const blocks: Block[] = [scope.labelOperand()];
  const cases: bigint[] = [];
  lexer.expect(OPEN_BRACKET);
  while (lexer.token !== CLOSE_BRACKET) {
    if (lexer.token === END) lexer.unexpected("']'");
    if (scope.type() !== type) lexer.fail(`a case must have type '${typeToString(type)}'`);
    cases.push(caseValue(scope, type.bits));
    lexer.expect(COMMA);
    blocks.push(scope.labelOperand());
  }
  lexer.next();
  return instruction("switch", VOID, [value], { cases }, blocks);
};
function caseValue(scope: FunctionScope, bits: number): bigint {
  const { lexer } = scope;
  if (lexer.token === INTEGER) {
    const value = Number.isNaN(lexer.number) ? longInteger(lexer) : BigInt(lexer.number);
    lexer.next();
    return BigInt.asUintN(bits, value);
  }
  const truth = lexer.is("true") ? 1n : lexer.is("false") ? 0n : lexer.unexpected("the value of a case");
  lexer.next();
  return truth;
}

/** `indirectbr ptr p, [ label %a, label %b ]`. */
const indirect: InstructionParser = (scope) => {
  const { lexer } = scope;
  const address = scope.typedValue();
  if (address.type.kind !== "ptr") lexer.fail("the target of an 'indirectbr' must be a pointer");
  lexer.expect(COMMA);
  lexer.expect(OPEN_BRACKET);
  const blocks: Block[] = [];
  if (lexer.token !== CLOSE_BRACKET) {
    do blocks.push(scope.labelOperand());
    while (lexer.accept(COMMA));
  }
  lexer.expect(CLOSE_BRACKET);
  return instruction("indirectbr", VOID, [address], null, blocks);
};

const unreachable: InstructionParser = () => instruction("unreachable", VOID, [], null);

/** `phi [flags] T [ v, %a ], [ w, %b ]`. */
const phi: InstructionParser = (scope) => {
  const { lexer } = scope;
  scope.skipWords(FLAGS);
  const type = scope.type();
  const operands: Value[] = [];
  const blocks: Block[] = [];
  do {
    lexer.expect(OPEN_BRACKET);
    operands.push(scope.value(type));
    lexer.expect(COMMA);
    blocks.push(scope.block());
    lexer.expect(CLOSE_BRACKET);
  } while (scope.acceptListComma());
  return instruction("phi", type, operands, null, blocks);
};

export const CONTROL: readonly (readonly [string, InstructionParser])[] = [
  ["ret", returns],
  ["br", branch],
  ["switch", switches],
  ["indirectbr", indirect],
  ["unreachable", unreachable],
  ["phi", phi],
];
