// Instructions on structures, arrays and vectors held in registers.

import { type Type, typeToString, vectorType } from "../types.js";
import { instruction, type Value } from "../values.js";
import type { FunctionScope, InstructionParser } from "./function-scope.js";
import { COMMA, INTEGER } from "./lexer.js";
import { sameTypeHere } from "./parse-type.js";

/** `extractvalue T v, i, j...`, `insertvalue T v, U element, i, j...`. */
const aggregateValue: InstructionParser = (scope, opcode) => {
  const { lexer } = scope;
  const aggregate = scope.typedValue();
  const operands: Value[] = [aggregate];
  lexer.expect(COMMA);
  if (opcode === "insertvalue") {
    operands.push(scope.typedValue());
    lexer.expect(COMMA);
  }
  const indices: number[] = [];
  let type = aggregate.type;
  do {
    const { start } = lexer;
    const index = lexer.token === INTEGER ? lexer.expectCount("an index") : lexer.unexpected("an index");
    const inside = type.kind === "struct" ? type.fields[index] : type.kind === "array" ? type.element : undefined;
    if (inside === undefined || (type.kind === "array" && index >= type.count)) {
      return lexer.failAt(start, `'${typeToString(type)}' has no element ${index}`);
    }
    indices.push(index);
    type = inside;
  } while (scope.acceptListComma());
  if (opcode === "extractvalue") return instruction("extractvalue", type, operands, { indices });
  if (!sameTypeHere(operands[1].type, type)) lexer.fail(`the element inserted must be a '${typeToString(type)}'`);
  return instruction("insertvalue", aggregate.type, operands, { indices });
};

function vectorOperand(scope: FunctionScope): { value: Value; element: Type; count: number } {
  const value = scope.typedValue();
  const { type } = value;
  if (type.kind === "vector") return { value, element: type.element, count: type.count };
  if (scope.lexer.unsupported !== null) return scope.unsupported(scope.lexer.unsupported);
  return scope.lexer.fail(`'${typeToString(type)}' is not a vector`);
}

/** `extractelement <V> v, iN index`, `insertelement <V> v, T element, iN index`. */
const vectorElement: InstructionParser = (scope, opcode) => {
  const { lexer } = scope;
  const { value, element } = vectorOperand(scope);
  const operands: Value[] = [value];
  lexer.expect(COMMA);
  if (opcode === "insertelement") {
    operands.push(scope.value(elementTypeOf(scope, element)));
    lexer.expect(COMMA);
  }
  const index = scope.typedValue();
  if (index.type.kind !== "int") lexer.fail("the index of an element must be an integer");
  operands.push(index);
  return opcode === "extractelement"
    ? instruction("extractelement", element, operands, null)
    : instruction("insertelement", value.type, operands, null);
};
function elementTypeOf(scope: FunctionScope, element: Type): Type {
  const { start } = scope.lexer;
  const type = scope.type();
  if (!sameTypeHere(type, element))
    scope.lexer.failAt(start, `the element inserted must be a '${typeToString(element)}'`);
  return type;
}

/** `shufflevector <V> a, <V> b, <N x i32> mask`. */
const shuffle: InstructionParser = (scope) => {
  const { lexer } = scope;
  const first = vectorOperand(scope);
  lexer.expect(COMMA);
  const second = vectorOperand(scope);
  if (!sameTypeHere(first.value.type, second.value.type))
    lexer.fail("the operands of a 'shufflevector' differ in type");
  lexer.expect(COMMA);
  const { value: mask, count } = vectorOperand(scope);
  let lanes: number[];
  if (mask.kind === "zero") lanes = new Array<number>(count).fill(0);
  else if (mask.kind === "undef") lanes = new Array<number>(count).fill(-1);
  else if (mask.kind === "aggregate") {
    lanes = mask.elements.map((lane) => (lane.kind === "int" ? Number(lane.value) : -1));
    if (lanes.some((lane) => lane >= 2 * first.count)) lexer.fail("a 'shufflevector' mask points beyond its operands");
  } else return lexer.fail("the mask of a 'shufflevector' must be a constant");
  const operands = [first.value, second.value];
  return instruction("shufflevector", vectorType(count, first.element), operands, { mask: lanes });
};

export const AGGREGATES: readonly (readonly [string, InstructionParser])[] = [
  ["extractvalue", aggregateValue],
  ["insertvalue", aggregateValue],
  ["extractelement", vectorElement],
  ["insertelement", vectorElement],
  ["shufflevector", shuffle],
];
