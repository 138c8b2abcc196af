// Control flow after simplification: branches on constants become jumps, what they no longer reach goes, and a block with
// one way in from a block with one way out is joined to it. Blocks that only jump on stay: they cost nothing in
// WebAssembly, and a `break` has its own block and its own line, which coverage and traces need.

import { orderBlocks, predecessors } from "../analysis/cfg.js";
import { VOID } from "../types.js";
import { type Block, type Body, instruction, intValue, type Value } from "../values.js";

/** Returns true if something changed that may let instructions become simpler. */
export function cleanControlFlow(body: Body): boolean {
  let folded = false;
  for (const block of body.blocks) if (foldTerminator(block)) folded = true;
  if (folded) orderBlocks(body);
  if (joinBlocks(body)) orderBlocks(body);
  return folded;
}

function foldTerminator(block: Block): boolean {
  const last = block.terminator;
  let target: Block | null = null;
  if (last.op === "condbr") {
    const condition = intValue(last.operands[0]);
    if (condition !== null) target = last.blocks[condition === 1n ? 0 : 1];
    else if (last.blocks[0] === last.blocks[1]) target = last.blocks[0];
    else {
      const [test] = last.operands;
      if (test.kind === "instruction" && test.op === "xor" && intValue(test.operands[1]) === 1n) {
        last.operands = [test.operands[0]];
        last.blocks = [last.blocks[1], last.blocks[0]];
      }
    }
  } else if (last.op === "switch") {
    const value = intValue(last.operands[0]);
    if (value !== null) target = last.blocks[last.extra.cases.indexOf(value) + 1];
    else if (last.blocks.length === 1) target = last.blocks[0];
  }
  if (target === null) return false;
  block.instructions[block.instructions.length - 1] = instruction("br", VOID, [], null, [target], last.loc);
  return true;
}

/** Joins chains of blocks. Phis of a block with one predecessor stand for their only value. */
function joinBlocks(body: Body): boolean {
  const preds = predecessors(body);
  const gone = new Uint8Array(body.blocks.length);
  const copies = new Map<Value, Value>();
  for (const block of body.blocks) {
    if (gone[block.index] === 1) continue;
    for (let last = block.terminator; last.op === "br"; last = block.terminator) {
      const [next] = last.blocks;
      if (next === block || next.index === 0 || preds[next.index].length !== 1) break;
      block.instructions.pop();
      block.addVanished(next.vanished);
      for (const i of next.instructions) {
        if (i.op === "phi") copies.set(i, i.operands[0]);
        else block.instructions.push(i);
      }
      for (const to of next.terminator.blocks) replaceSource(to, next, block);
      gone[next.index] = 1;
    }
  }
  if (!gone.includes(1)) return false;
  body.blocks = body.blocks.filter((block) => gone[block.index] === 0);
  if (copies.size > 0) forwardCopies(body, copies);
  return true;
}
function forwardCopies(body: Body, copies: ReadonlyMap<Value, Value>): void {
  for (const block of body.blocks) {
    for (const i of block.instructions) {
      for (let k = 0; k < i.operands.length; k++) {
        for (let to = copies.get(i.operands[k]); to !== undefined; to = copies.get(to)) i.operands[k] = to;
      }
    }
  }
}

function replaceSource(block: Block, old: Block, fresh: Block): void {
  for (const phi of block.instructions) {
    if (phi.op !== "phi") return;
    const position = phi.blocks.indexOf(old);
    if (position >= 0) phi.blocks[position] = fresh;
  }
}
