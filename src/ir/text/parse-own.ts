// Instructions that only our own passes make, in the notation of print.ts, so that tests of passes can be written and
// compared as text.

import { VOID } from "../types.js";
import { type Block, instruction } from "../values.js";
import type { InstructionParser } from "./function-scope.js";
import { CLOSE_BRACKET, COMMA, OPEN_BRACKET, STRING } from "./lexer.js";
import { parseType } from "./parse-type.js";

/** `check read|write ptr p, size, align N[, alive]`. */
const check: InstructionParser = (scope) => {
  const { lexer } = scope;
  const write = lexer.acceptWord("write");
  if (!write) lexer.expectWord("read");
  const address = scope.typedValue();
  lexer.expect(COMMA);
  const size = lexer.expectCount("a size");
  lexer.expect(COMMA);
  lexer.expectWord("align");
  const align = lexer.expectCount("an alignment");
  if (!lexer.accept(COMMA)) return instruction("check", VOID, [address], { size, write, align });
  lexer.expectWord("alive");
  return instruction("check", VOID, [address], { size, write, align, alive: true });
};

/** `unsupported [terminator] T "what" [label %a, ...]`. */
const unsupported: InstructionParser = (scope) => {
  const { lexer } = scope;
  const terminator = lexer.acceptWord("terminator");
  const type = parseType(lexer, scope.module.types);
  if (lexer.token !== STRING) lexer.unexpected("a description");
  const what = lexer.decodedString();
  lexer.next();
  lexer.expect(OPEN_BRACKET);
  const blocks: Block[] = [];
  if (lexer.token !== CLOSE_BRACKET) {
    do blocks.push(scope.labelOperand());
    while (lexer.accept(COMMA));
  }
  lexer.expect(CLOSE_BRACKET);
  return instruction("unsupported", type, [], { what, terminator }, blocks);
};

export const OWN: readonly (readonly [string, InstructionParser])[] = [
  ["check", check],
  ["unsupported", unsupported],
];
