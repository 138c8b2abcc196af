// Do the phis of a body agree with its edges? LLVM's own parser leaves this to a verifier; here it is asked at once, as
// every pass relies on it and malformed text must not get so far.

import type { Block } from "../values.js";
import type { Lexer } from "./lexer.js";

/** Errors name the line at `offset`, where the function begins: the edges have no line of their own. */
export function checkJoins(lexer: Lexer, blocks: readonly Block[], offset: number): void {
  const [entry] = blocks;
  let joins = entry.instructions[0].op === "phi";
  for (const block of blocks) {
    joins ||= block.instructions[0].op === "phi";
    if (block.terminator.blocks.includes(entry)) lexer.failAt(offset, "the function's first block has predecessors");
  }
  if (!joins) return;
  /** Per block, how often each predecessor leads to it. */
  const edges: Map<Block, number>[] = blocks.map(() => new Map());
  for (const block of blocks) {
    for (const target of block.terminator.blocks) {
      const counts = edges[target.index];
      counts.set(block, (counts.get(block) ?? 0) + 1);
    }
  }
  for (const block of blocks) {
    for (const phi of block.instructions) {
      if (phi.op !== "phi") break;
      const left = new Map(edges[block.index]);
      for (const from of phi.blocks) {
        const count = left.get(from) ?? 0;
        if (count === 0) lexer.failAt(offset, `a phi in block %${block.name} has a value too many for %${from.name}`);
        if (count === 1) left.delete(from);
        else left.set(from, count - 1);
      }
      for (const from of left.keys()) {
        lexer.failAt(offset, `a phi in block %${block.name} has no value for its predecessor %${from.name}`);
      }
    }
  }
}
