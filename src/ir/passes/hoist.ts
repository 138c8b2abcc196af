// Takes computations that do not change out of loops. Only pure arithmetic moves: accesses and checks stay where they
// are, because a failing one must be reported where and when it happens. V8 does not do this for WebAssembly.
// Limits keep register pressure down: what a loop's rare paths compute stays there.

import { numberInstructions, orderBlocks, predecessors } from "../analysis/cfg.js";
import { DominatorTree } from "../analysis/dominators.js";
import { findLoops, type Loop } from "../analysis/loops.js";
import { VOID } from "../types.js";
import { Block, type Body, type Instruction, instruction, type Op } from "../values.js";

/** Loops of more blocks than this are left alone (interpreters' main loops): their values would not fit registers. */
const MAX_LOOP_BLOCKS = 64;

const MOVABLE: ReadonlySet<Op> = new Set<Op>([
  ...(["add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"] as const),
  ...(["getelementptr", "sext", "zext", "trunc", "ptrtoint", "inttoptr", "sitofp", "uitofp", "fpext"] as const),
  ...(["fadd", "fsub", "fmul", "fdiv"] as const),
]);

/** In `home`: moved to a new preheader, which has no number yet; such values stay put from then on. */
const NEW_PREHEADER = -1;

/** The body must be in order; it is again afterwards. */
export function hoistInvariants(body: Body): void {
  if (!hasBackEdge(body)) return;
  const tree = new DominatorTree(predecessors(body));
  const { loops, reducible } = findLoops(tree);
  if (loops.length === 0 || !reducible) return;
  const blocks = body.blocks;
  const home = new Int32Array(numberInstructions(body));
  for (const block of blocks) for (const i of block.instructions) home[i.id] = block.index;
  const added: Block[] = [];
  const inside = new Uint8Array(blocks.length);
  // Inner loops first: what leaves an inner loop may leave the outer one next.
  for (let n = loops.length - 1; n >= 0; n--) {
    const loop = loops[n];
    if (loop.blocks.length > MAX_LOOP_BLOCKS) continue;
    for (const b of loop.blocks) inside[b] = 1;
    const moved = invariants(loop, blocks, tree, home, inside);
    for (const b of loop.blocks) inside[b] = 0;
    if (moved.length === 0) continue;
    const { target, fresh } = preheader(loop, blocks, tree);
    if (target === null) continue;
    if (fresh) added.push(target);
    for (const i of moved) {
      const block = blocks[home[i.id]];
      block.instructions = block.instructions.filter((other) => other !== i);
      home[i.id] = fresh ? NEW_PREHEADER : target.index;
    }
    const terminator = target.instructions.pop() as Instruction;
    target.instructions.push(...moved, terminator);
  }
  if (added.length > 0) {
    body.blocks.push(...added);
    orderBlocks(body);
  }
}

function hasBackEdge(body: Body): boolean {
  for (const block of body.blocks) for (const to of block.terminator.blocks) if (to.index <= block.index) return true;
  return false;
}

/** In an order in which they can be computed. */
function invariants(
  loop: Loop,
  blocks: readonly Block[],
  tree: DominatorTree,
  home: Int32Array,
  inside: Uint8Array,
): Instruction[] {
  const moved: Instruction[] = [];
  const latches = loop.blocks.filter((b) => blocks[b].terminator.blocks.some((to) => to.index === loop.header));
  for (const b of loop.blocks) {
    if (!latches.every((latch) => tree.dominates(b, latch))) continue;
    for (const i of blocks[b].instructions) {
      if (!MOVABLE.has(i.op)) continue;
      let constant = true;
      let invariant = true;
      for (const operand of i.operands) {
        if (operand.kind === "instruction") {
          constant = false;
          const at = home[operand.id];
          // Moved ones count as outside; there are few, and most loops move none.
          if ((at === NEW_PREHEADER || inside[at] === 1) && !moved.includes(operand)) invariant = false;
        } else if (operand.kind === "argument") constant = false;
      }
      if (invariant && !constant) moved.push(i);
    }
  }
  return moved;
}

/** The block that is always passed right before the loop is entered; made if there is none. */
function preheader(
  loop: Loop,
  blocks: readonly Block[],
  tree: DominatorTree,
): { readonly target: Block | null; readonly fresh: boolean } {
  const header = blocks[loop.header];
  const inside = new Set(loop.blocks);
  const outside = tree.preds[loop.header].filter((p) => !inside.has(p)).map((p) => blocks[p]);
  if (outside.length !== 1 || loop.header === 0) return { target: null, fresh: false };
  const before = outside[0];
  // The edge may have got a preheader for this header already, made for this very loop only: headers are unique.
  if (before.terminator.op === "br" && before.terminator.blocks[0] === header) return { target: before, fresh: false };
  if (before.terminator.op !== "condbr" && before.terminator.op !== "switch") return { target: null, fresh: false };
  const made = new Block(`${header.name}.preheader`);
  made.instructions = [instruction("br", VOID, [], null, [header])];
  before.terminator.blocks = before.terminator.blocks.map((to) => (to === header ? made : to));
  for (const phi of header.instructions) {
    if (phi.op !== "phi") break;
    phi.blocks = phi.blocks.map((from) => (from === before ? made : from));
  }
  return { target: made, fresh: true };
}
