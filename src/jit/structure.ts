// From a control-flow graph to WebAssembly's nested blocks and loops, by the dominator tree (N. Ramsey, "Beyond
// Relooper", ICFP 2022): a node's code is followed, inside out, by the code of those children it dominates that are
// reached from several places; loop headers open a `loop`; every branch is then a jump outwards. The alternative, a
// dispatch loop over a state variable, costs V8 most of its optimisations, so it is left for irreducible graphs, computed
// goto and setjmp.
// Departure: instead of building a tree by recursion we write a flat plan with an explicit stack, because dominator
// trees of real programs are thousands of nodes deep.
// Invariant: the blocks are in reverse postorder, blocks[i].index === i.

import type { Block } from "../ir/values.js";

export const PLAN = {
  /** Open a block that ends right before `target`'s code. */
  block: 0,
  /** Open the loop headed by `target`. */
  loop: 1,
  end: 2,
  /** The block's instructions without its terminator. */
  body: 3,
  /** Test the condition of the block's condbr; the then part follows. */
  if: 4,
  else: 5,
  /** Copies for the phis of `target` on the edge from `block`. */
  edge: 6,
  /** Jump from `block` to `target`. */
  jump: 7,
  /** The terminator itself, for one that is neither br nor condbr. */
  terminator: 8,
} as const;

/** Triples (PLAN code, block index, target index). */
export type Plan = number[];

/** Null if the graph is irreducible. */
export function planStructure(blocks: readonly Block[], idom: Int32Array): Plan | null {
  const count = blocks.length;
  const isLoopHeader = new Uint8Array(count);
  const forwardEdges = new Int32Array(count);
  for (const block of blocks) {
    const terminator = block.terminator;
    for (const target of terminator.blocks) {
      if (target.index <= block.index) {
        if (!dominates(idom, target.index, block.index)) return null;
        isLoopHeader[target.index] = 1;
      } else {
        // A switch jumps to all its targets through br_table, so each needs a label.
        forwardEdges[target.index] += terminator.op === "switch" ? 2 : 1;
      }
    }
  }
  const mergeChildren: number[][] = blocks.map(() => []);
  // Descending, so that the child that comes last in the order gets the outermost block.
  for (let i = count - 1; i > 0; i--) if (forwardEdges[i] >= 2) mergeChildren[idom[i]].push(i);

  const plan: Plan = [];
  // The stack holds plan items to copy, or TREE and WITHIN to expand, as triples pushed in reverse order.
  const TREE = -1;
  const WITHIN = -2;
  const stack: number[] = [TREE, 0, 0];
  const push = (code: number, a: number, b: number): void => {
    stack.push(code, a, b);
  };
  const follow = (from: number, to: number): void => {
    if (to <= from || forwardEdges[to] >= 2) push(PLAN.jump, from, to);
    else push(TREE, to, 0);
    push(PLAN.edge, from, to);
  };
  while (stack.length > 0) {
    const b = stack.pop() as number;
    const a = stack.pop() as number;
    const code = stack.pop() as number;
    if (code === TREE) {
      if (isLoopHeader[a]) {
        plan.push(PLAN.loop, a, a);
        push(PLAN.end, a, a);
      }
      push(WITHIN, a, 0);
    } else if (code === WITHIN) {
      const children = mergeChildren[a];
      if (b < children.length) {
        const child = children[b];
        plan.push(PLAN.block, a, child);
        push(TREE, child, 0);
        push(PLAN.end, a, child);
        push(WITHIN, a, b + 1);
        continue;
      }
      plan.push(PLAN.body, a, a);
      const terminator = blocks[a].terminator;
      if (terminator.op === "br") {
        follow(a, terminator.blocks[0].index);
      } else if (terminator.op === "condbr") {
        push(PLAN.end, a, a);
        follow(a, terminator.blocks[1].index);
        push(PLAN.else, a, a);
        follow(a, terminator.blocks[0].index);
        push(PLAN.if, a, a);
      } else {
        push(PLAN.terminator, a, a);
      }
    } else {
      plan.push(code, a, b);
    }
  }
  return plan;
}

function dominates(idom: Int32Array, a: number, b: number): boolean {
  let at = b;
  while (at > a) at = idom[at];
  return at === a;
}
