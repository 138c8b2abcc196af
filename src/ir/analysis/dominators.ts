// The dominator tree, by the iterative algorithm of Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm"):
// on reverse postorder it needs two sweeps for reducible code, and no other data than one Int32Array. Lengauer-Tarjan is
// better only on graphs far larger than functions are.
// Invariant: idom[0] is 0, idom[i] < i otherwise; a dominates b iff enter[a] <= enter[b] and leave[b] <= leave[a].

import type { Predecessors } from "./cfg.js";

export class DominatorTree {
  readonly idom: Int32Array;
  /** Blocks in a preorder walk of the tree; children in ascending order. */
  readonly preorder: Int32Array;
  /** Position in the preorder; the subtree of b is preorder[enter[b]] up to, not including, preorder[leave[b]]. */
  readonly enter: Int32Array;
  readonly leave: Int32Array;

  /** The blocks must be in reverse postorder (`orderBlocks`). */
  constructor(readonly preds: Predecessors) {
    const count = preds.length;
    const idom = new Int32Array(count).fill(-1);
    idom[0] = 0;
    for (let changed = true; changed; ) {
      changed = false;
      for (let b = 1; b < count; b++) {
        let common = -1;
        for (const p of preds[b]) {
          if (idom[p] < 0) continue;
          if (common < 0) {
            common = p;
            continue;
          }
          let other = p;
          while (common !== other) {
            while (other > common) other = idom[other];
            while (common > other) common = idom[common];
          }
        }
        if (idom[b] !== common) {
          idom[b] = common;
          changed = true;
        }
      }
    }
    this.idom = idom;
    // Since idom[b] < b, sizes of subtrees come from one backward sweep and positions from one forward sweep.
    const size = new Int32Array(count).fill(1);
    for (let b = count - 1; b > 0; b--) size[idom[b]] += size[b];
    const enter = new Int32Array(count);
    const free = new Int32Array(count);
    free[0] = 1;
    for (let b = 1; b < count; b++) {
      const parent = idom[b];
      enter[b] = free[parent];
      free[parent] += size[b];
      free[b] = enter[b] + 1;
    }
    this.enter = enter;
    this.leave = size;
    for (let b = 0; b < count; b++) size[b] += enter[b];
    this.preorder = new Int32Array(count);
    for (let b = 0; b < count; b++) this.preorder[enter[b]] = b;
  }

  /** Every block dominates itself. */
  dominates(a: number, b: number): boolean {
    return this.enter[a] <= this.enter[b] && this.leave[b] <= this.leave[a];
  }

  /** The dominance frontier of each block. The entry block has no predecessors (LLVM demands it). */
  frontiers(): number[][] {
    const result: number[][] = Array.from(this.idom, () => []);
    for (let b = 0; b < this.idom.length; b++) {
      if (this.preds[b].length < 2) continue;
      for (const p of this.preds[b]) {
        for (let runner = p; runner !== this.idom[b]; runner = this.idom[runner]) {
          const frontier = result[runner];
          if (frontier.length === 0 || frontier[frontier.length - 1] !== b) frontier.push(b);
        }
      }
    }
    return result;
  }
}
