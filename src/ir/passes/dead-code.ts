// Removes instructions whose value nobody needs and that do nothing else. Needed is what has an effect, and what a needed
// instruction uses; counting uses instead would keep phis of a loop that only feed each other.

import { numberInstructions } from "../analysis/cfg.js";
import { isRemovable } from "../analysis/purity.js";
import type { Body, Instruction } from "../values.js";

/** Returns the number of instructions removed. */
export function removeDeadCode(body: Body): number {
  const count = numberInstructions(body);
  const needed = new Uint8Array(count);
  const work: Instruction[] = [];
  let neededCount = 0;
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      if (needed[i.id] === 1 || isRemovable(i)) continue;
      needed[i.id] = 1;
      neededCount++;
      work.push(i);
      for (let at = work.pop(); at !== undefined; at = work.pop()) {
        const { operands } = at;
        for (let k = 0; k < operands.length; k++) {
          const operand = operands[k];
          if (operand.kind !== "instruction" || needed[operand.id] === 1) continue;
          needed[operand.id] = 1;
          neededCount++;
          work.push(operand);
        }
      }
    }
  }
  if (neededCount === count) return 0;
  for (const block of body.blocks) {
    const { instructions } = block;
    let kept = 0;
    for (let k = 0; k < instructions.length; k++) {
      const i = instructions[k];
      if (needed[i.id] === 1) instructions[kept++] = i;
    }
    instructions.length = kept;
  }
  return count - neededCount;
}
