// The runtime asks whether the translation follows which bits have been set (`__tangent_definedness`). The answer is a
// constant and is put in before anything is optimised, so that of what only one kind of translation needs the other keeps
// nothing.

import { numberInstructions } from "../analysis/cfg.js";
import { I32 } from "../types.js";
import { type Body, constInt, type Instruction } from "../values.js";
import { Forwarding } from "./forwarding.js";

const QUESTION = "__tangent_definedness";

export function settleDefinedness(body: Body, follows: boolean): void {
  if (!body.blocks.some(({ instructions }) => instructions.some(isQuestion))) return;
  const forwarding = new Forwarding(numberInstructions(body));
  const answer = constInt(I32.bits, follows ? 1 : 0);
  for (const block of body.blocks) {
    for (const i of block.instructions) if (isQuestion(i)) forwarding.set(i, answer);
    block.instructions = block.instructions.filter((i) => !isQuestion(i));
  }
  forwarding.apply(body);
}

function isQuestion(i: Instruction): boolean {
  const callee = i.op === "call" ? i.operands[0] : null;
  return callee?.kind === "global" && callee.target.name === QUESTION;
}
