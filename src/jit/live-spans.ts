// How long values live, for functions so large that their values must share locals (placement.ts). A span is one
// stretch of the numbered instructions, without holes: from the definition to the last place where the value may still
// be wanted. Blocks are in reverse postorder, so a definition comes before everything it dominates, and only an edge
// that leads back can carry a value past its last use: whoever is alive at the head of a loop is alive to the loop's
// end.
// A phi's span begins with its block. It is written on the edges that lead there, where only what its block knows is
// still wanted.

import { rootOf } from "../ir/analysis/root.js";
import type { Block, Instruction } from "../ir/values.js";

/** By instruction id: the last id at which it is wanted. `emitAt` says where an instruction's code stands. */
export function liveSpans(
  blocks: readonly Block[],
  count: number,
  emitAt: Int32Array,
  mayBeAccess: (i: Instruction) => boolean,
): Int32Array {
  const ends = new Int32Array(count);
  const want = (id: number, at: number): void => {
    if (at > ends[id]) ends[id] = at;
  };
  for (const block of blocks) {
    for (const i of block.instructions) {
      want(i.id, i.id);
      const isAccess = mayBeAccess(i);
      i.operands.forEach((operand, n) => {
        if (operand.kind === "instruction") want(operand.id, i.op === "phi" ? lastId(i.blocks[n]) : emitAt[i.id]);
        // A check that fails tells what the address was computed from (access-base.ts).
        const root = isAccess && operand.type.kind === "ptr" ? rootOf(operand) : null;
        if (root?.kind === "instruction") want(root.id, i.id);
      });
    }
  }
  const { heads, loopEnds } = backEdges(blocks);
  for (const block of blocks) {
    for (const i of block.instructions) {
      const start = i.op === "phi" ? block.instructions[0].id : i.id;
      // The heads are in order, so one pass also follows what a longer span runs into.
      for (let n = firstAbove(heads, start); n < heads.length && heads[n] <= ends[i.id]; n++) want(i.id, loopEnds[n]);
    }
  }
  return ends;
}

function lastId(block: Block): number {
  return block.instructions[0].id + block.instructions.length - 1;
}

/** For each block that an edge leads back to, in order: its first id, and the last id that such an edge leaves. */
function backEdges(blocks: readonly Block[]): {
  readonly heads: readonly number[];
  readonly loopEnds: readonly number[];
} {
  const endOf = new Map<Block, number>();
  for (const block of blocks) {
    for (const to of block.terminator.blocks) if (to.index <= block.index) endOf.set(to, lastId(block));
  }
  const sorted = [...endOf].sort(([a], [b]) => a.index - b.index);
  return { heads: sorted.map(([head]) => head.instructions[0].id), loopEnds: sorted.map(([, end]) => end) };
}

/** Where the first one above the limit is in the ascending numbers. */
function firstAbove(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
