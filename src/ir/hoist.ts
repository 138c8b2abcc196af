// Takes computations that do not change out of loops. Only pure arithmetic moves: accesses and checks stay where they
// are, because a failing one must be reported where and when it happens. V8 does not do this for WebAssembly.
// Limits keep register pressure down: what a loop's rare paths compute stays there.

import { orderBlocks, predecessors } from "./cfg.js";
import { DominatorTree } from "./dominators.js";
import { findLoops, type Loop } from "./loops.js";
import { VOID } from "./types.js";
import { Block, type Body, type Instruction, instruction, isConstant, type Op } from "./values.js";

/** Loops of more blocks than this are left alone (interpreters' main loops): their values would not fit registers. */
const MAX_LOOP_BLOCKS = 64;

const MOVABLE: ReadonlySet<Op> = new Set<Op>([
  ...(["add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"] as const),
  ...(["getelementptr", "sext", "zext", "trunc", "ptrtoint", "inttoptr", "sitofp", "uitofp", "fpext"] as const),
  ...(["fadd", "fsub", "fmul", "fdiv"] as const),
]);

/** The body must be in order; it is again afterwards. */
export function hoistInvariants(body: Body): void {
  const tree = new DominatorTree(predecessors(body));
  const { loops, reducible } = findLoops(tree);
  if (loops.length === 0 || !reducible) return;
  const home = new Map<Instruction, number>();
  for (const block of body.blocks) for (const i of block.instructions) home.set(i, block.index);
  const blocks = body.blocks;
  const added: Block[] = [];
  // Inner loops first: what leaves an inner loop may leave the outer one next.
  for (let n = loops.length - 1; n >= 0; n--) {
    const loop = loops[n];
    if (loop.blocks.length > MAX_LOOP_BLOCKS) continue;
    const moved = invariants(loop, blocks, tree, home);
    if (moved.length === 0) continue;
    const { target, fresh } = preheader(loop, blocks, tree);
    if (target === null) continue;
    if (fresh) added.push(target);
    const set = new Set(moved);
    for (const b of loop.blocks) {
      const block = blocks[b];
      if (block.instructions.some((i) => set.has(i)))
        block.instructions = block.instructions.filter((i) => !set.has(i));
    }
    const terminator = target.instructions.pop() as Instruction;
    target.instructions.push(...moved, terminator);
    // A new preheader lies in the enclosing loop, but has no number yet; such values stay put from here on.
    for (const i of moved) home.set(i, fresh ? -1 : target.index);
  }
  if (added.length > 0) {
    body.blocks.push(...added);
    orderBlocks(body);
  }
}

/** In an order in which they can be computed. */
function invariants(
  loop: Loop,
  blocks: readonly Block[],
  tree: DominatorTree,
  home: ReadonlyMap<Instruction, number>,
): Instruction[] {
  const inside = new Set(loop.blocks);
  const moved = new Set<Instruction>();
  const latches = loop.blocks.filter((b) => blocks[b].terminator.blocks.some((to) => to.index === loop.header));
  for (const b of loop.blocks) {
    if (!latches.every((latch) => tree.dominates(b, latch))) continue;
    for (const i of blocks[b].instructions) {
      if (!MOVABLE.has(i.op) || i.operands.every((operand) => isConstant(operand))) continue;
      if (i.operands.every((operand) => operand.kind !== "instruction" || isOutside(operand))) moved.add(i);
    }
  }
  return [...moved];

  function isOutside(i: Instruction): boolean {
    if (moved.has(i)) return true;
    const at = home.get(i);
    return at !== undefined && at >= 0 && !inside.has(at);
  }
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
