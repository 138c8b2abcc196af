// Natural loops. An edge to a dominator of its source is a back edge, its target a loop's header; the loop is what
// reaches the back edge without passing the header. A backward edge (in reverse postorder) to a block that does not
// dominate its source makes the function irreducible: `goto` into a loop, or a state machine written with labels.
// Invariant: loops are sorted with outer ones first, and `parent` is the index of the innermost enclosing loop.

import type { DominatorTree } from "./dominators.js";

export interface Loop {
  readonly header: number;
  /** Index of the enclosing loop, -1 if none. */
  readonly parent: number;
  /** 1 for an outermost loop. */
  readonly depth: number;
  /** Ascending; includes the header and the blocks of inner loops. */
  readonly blocks: readonly number[];
}
export interface LoopForest {
  readonly loops: readonly Loop[];
  /** By block: index of the innermost loop, -1 if none. */
  readonly innermost: Int32Array;
  readonly reducible: boolean;
}

export function findLoops(tree: DominatorTree): LoopForest {
  const { preds } = tree;
  const count = preds.length;
  const latches = new Map<number, number[]>();
  let reducible = true;
  for (let b = 0; b < count; b++) {
    for (const p of preds[b]) {
      if (tree.dominates(b, p)) {
        const list = latches.get(b);
        if (list === undefined) latches.set(b, [p]);
        else list.push(p);
      } else if (p >= b) reducible = false;
    }
  }
  const innermost = new Int32Array(count).fill(-1);
  const loops: Loop[] = [];
  const member = new Int32Array(count).fill(-1);
  // A header's reverse postorder number is above those of the headers of all enclosing loops.
  for (const header of [...latches.keys()].sort((a, b) => a - b)) {
    const index = loops.length;
    const blocks = [header];
    member[header] = index;
    const work: number[] = [];
    for (const latch of latches.get(header) ?? []) {
      if (member[latch] === index) continue;
      member[latch] = index;
      work.push(latch);
    }
    while (work.length > 0) {
      const b = work.pop() as number;
      blocks.push(b);
      for (const p of preds[b]) {
        // In an irreducible part a path may come from outside of the header's dominance: not of this loop.
        if (member[p] === index || !tree.dominates(header, p)) continue;
        member[p] = index;
        work.push(p);
      }
    }
    const parent = innermost[header];
    loops.push({
      header,
      parent,
      depth: parent < 0 ? 1 : loops[parent].depth + 1,
      blocks: blocks.sort((a, b) => a - b),
    });
    for (const b of blocks) innermost[b] = index;
  }
  return { loops, innermost, reducible };
}
