// Gives every side of a branch a block of its own, by putting an empty block on each edge that leads from a choice to a
// place several ways lead to. Block coverage is then branch coverage: without it, an `if` without `else` is covered as soon
// as its condition has been true once. Done for exploration only; a plain run does not care.

import { orderBlocks, predecessors } from "../analysis/cfg.js";
import { VOID } from "../types.js";
import { Block, type Body, instruction } from "../values.js";

/** The body must be in order; it is again afterwards. Returns the number of blocks added. */
export function splitEdges(body: Body): number {
  const before = predecessors(body);
  const added: Block[] = [];
  for (const block of body.blocks) {
    const { terminator } = block;
    if (terminator.op !== "condbr" && terminator.op !== "switch") continue;
    const targets = new Set(terminator.blocks);
    if (targets.size < 2) continue;
    for (const target of targets) {
      if (before[target.index].length < 2) continue;
      const edge = new Block(`${block.name}.to.${target.name}`);
      edge.instructions.push(instruction("br", VOID, [], null, [target]));
      terminator.blocks = terminator.blocks.map((to) => (to === target ? edge : to));
      for (const phi of target.instructions) {
        if (phi.op !== "phi") break;
        phi.blocks = phi.blocks.map((from) => (from === block ? edge : from));
      }
      added.push(edge);
    }
  }
  if (added.length === 0) return 0;
  body.blocks.push(...added);
  orderBlocks(body);
  return added.length;
}
