// Control flow as arrays. `orderBlocks` puts a body's blocks into reverse postorder and numbers them, so that
// afterwards "for each block" means "definitions before uses, but for loops", and every analysis is an Int32Array
// indexed by `block.index`. The alternative, a graph of objects and sets, costs an allocation for each edge.
// Invariant after `orderBlocks`: blocks[i].index === i, all blocks are reachable, and a phi has exactly one incoming
// value for each distinct predecessor.

import type { Block, Body, Instruction, Value } from "../values.js";

/** Distinct predecessors of each block, by index, in ascending order. */
export type Predecessors = readonly (readonly number[])[];

/** Reorders the blocks into reverse postorder, drops unreachable ones and their phi operands. */
export function orderBlocks(body: Body): void {
  const all = body.blocks;
  for (let i = 0; i < all.length; i++) all[i].index = i;
  const order = reversePostorder(all);
  if (order.length !== all.length) for (const block of all) block.index = -1;
  for (let i = 0; i < order.length; i++) order[i].index = i;
  body.blocks = order;
  normalizePhis(body);
}

/** Indices must be current. Iterative: a generated function has tens of thousands of blocks in a row. */
function reversePostorder(blocks: readonly Block[]): Block[] {
  const taken = new Int32Array(blocks.length).fill(-1);
  const stack: Block[] = [blocks[0]];
  taken[blocks[0].index] = 0;
  const postorder: Block[] = [];
  while (stack.length > 0) {
    const block = stack[stack.length - 1];
    const successors = block.terminator.blocks;
    // Last successor first: in the reversed order the `then` branch and the loop's body come first, as in the source.
    const position = taken[block.index]++;
    if (position < successors.length) {
      const successor = successors[successors.length - 1 - position];
      if (taken[successor.index] < 0) {
        taken[successor.index] = 0;
        stack.push(successor);
      }
    } else {
      stack.pop();
      postorder.push(block);
    }
  }
  return postorder.reverse();
}

export function predecessors(body: Body): Predecessors {
  const result: number[][] = body.blocks.map(() => []);
  for (const block of body.blocks) {
    const from = block.index;
    for (const successor of block.terminator.blocks) {
      const list = result[successor.index];
      // All edges of one block come together, so a repeated edge (of a switch) repeats the last entry.
      if (list.length === 0 || list[list.length - 1] !== from) list.push(from);
    }
  }
  return result;
}

function normalizePhis(body: Body): void {
  let preds: Predecessors | null = null;
  const expectedBy = new Int32Array(body.blocks.length);
  const seenBy = new Int32Array(body.blocks.length);
  let phiCount = 0;
  for (const block of body.blocks) {
    if (block.instructions[0].op !== "phi") continue;
    preds ??= predecessors(body);
    const expected = preds[block.index];
    for (const from of expected) expectedBy[from] = block.index + 1;
    for (const phi of block.instructions) {
      if (phi.op !== "phi") break;
      phiCount++;
      let right = phi.blocks.length === expected.length;
      for (const from of phi.blocks) {
        if (from.index < 0 || expectedBy[from.index] !== block.index + 1 || seenBy[from.index] === phiCount)
          right = false;
        else seenBy[from.index] = phiCount;
      }
      if (!right) trimPhi(phi, expected);
    }
  }
}
function trimPhi(phi: Instruction, expected: readonly number[]): void {
  const wanted = new Set(expected);
  const operands: Value[] = [];
  const blocks: Block[] = [];
  for (let i = 0; i < phi.blocks.length; i++) {
    const from = phi.blocks[i];
    if (from.index < 0 || !wanted.delete(from.index)) continue;
    operands.push(phi.operands[i]);
    blocks.push(from);
  }
  phi.operands = operands;
  phi.blocks = blocks;
}

/** Gives all instructions of the body their position as `id` and returns how many there are. */
export function numberInstructions(body: Body): number {
  let count = 0;
  for (const block of body.blocks) for (const i of block.instructions) i.id = count++;
  return count;
}
