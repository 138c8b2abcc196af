// `a && b` as a condition: clang computes it as a phi of `false` and b in a block of its own and branches on the phi. An
// edge that brings a constant can jump to the target at once. No branch of the source is lost, each path only takes
// one test less; in loops such as `while (p && p->key != k)` that is a third of the work.
// Invariant: only blocks that hold nothing but phis and their branch are passed by, and only when their phis are used
// nowhere else, so that no definition is skipped.

import type { Block, Body, Instruction, Value } from "../values.js";

/** Returns how many edges were redirected. Block order and phis must be renewed (`orderBlocks`) if there were any. */
export function threadJumps(body: Body): number {
  const candidates = body.blocks.filter((block) => branchesOnOwnPhi(block));
  if (candidates.length === 0) return 0;
  const usedElsewhere = phisUsedElsewhere(body, new Set(candidates));
  let threaded = 0;
  for (const block of candidates) {
    if (block === body.blocks[0]) continue;
    const phis = block.instructions.slice(0, -1);
    if (phis.some((phi) => usedElsewhere.has(phi))) continue;
    threaded += threadBlock(block, phis);
  }
  return threaded;
}

function branchesOnOwnPhi(block: Block): boolean {
  const terminator = block.terminator;
  if (terminator.op !== "condbr") return false;
  const condition = terminator.operands[0];
  if (condition.kind !== "instruction" || condition.op !== "phi") return false;
  const last = block.instructions.length - 1;
  for (let n = 0; n < last; n++) if (block.instructions[n].op !== "phi") return false;
  return block.instructions.includes(condition) && terminator.blocks[0] !== terminator.blocks[1];
}

/** Uses allowed are the block's own branch, and phis of its successors on the edge from it. */
function phisUsedElsewhere(body: Body, candidates: ReadonlySet<Block>): ReadonlySet<Instruction> {
  const home = new Map<Instruction, Block>();
  for (const block of candidates) {
    for (const phi of block.instructions) if (phi.op === "phi") home.set(phi, block);
  }
  const result = new Set<Instruction>();
  for (const block of body.blocks) {
    for (const user of block.instructions) {
      for (let n = 0; n < user.operands.length; n++) {
        const operand = user.operands[n];
        if (operand.kind !== "instruction" || operand.op !== "phi") continue;
        const at = home.get(operand);
        if (at === undefined) continue;
        const allowed = user.op === "phi" ? user.blocks[n] === at && block !== at : user === at.terminator;
        if (!allowed) result.add(operand);
      }
    }
  }
  return result;
}

function threadBlock(block: Block, phis: readonly Instruction[]): number {
  const terminator = block.terminator;
  const condition = terminator.operands[0] as Instruction;
  let threaded = 0;
  for (let n = condition.operands.length - 1; n >= 0; n--) {
    const value = condition.operands[n];
    if (value.kind !== "int") continue;
    const from = condition.blocks[n];
    const to = terminator.blocks[value.value !== 0n ? 0 : 1];
    if (to === block || from === block || !canRedirect(from, block, to, phis)) continue;
    for (const phi of to.instructions) {
      if (phi.op !== "phi") break;
      if (phi.blocks.includes(from)) continue;
      phi.operands.push(valueFrom(phi, block, from, phis));
      phi.blocks = [...phi.blocks, from];
    }
    const exit = from.terminator;
    exit.blocks = exit.blocks.map((target) => (target === block ? to : target));
    for (const phi of phis) {
      const at = phi.blocks.indexOf(from);
      phi.operands.splice(at, 1);
      phi.blocks = phi.blocks.filter((_, k) => k !== at);
    }
    threaded++;
  }
  return threaded;
}

/** An indirect branch names its targets by address; a second edge to the target must bring the same values. */
function canRedirect(from: Block, block: Block, to: Block, phis: readonly Instruction[]): boolean {
  const exit = from.terminator.op;
  if (exit !== "br" && exit !== "condbr" && exit !== "switch") return false;
  for (const phi of to.instructions) {
    if (phi.op !== "phi") break;
    const at = phi.blocks.indexOf(from);
    if (at >= 0 && phi.operands[at] !== valueFrom(phi, block, from, phis)) return false;
  }
  return true;
}

/** What a phi of the target gets when the edge from `from` no longer passes through `block`. */
function valueFrom(phi: Instruction, block: Block, from: Block, phis: readonly Instruction[]): Value {
  const value = phi.operands[phi.blocks.indexOf(block)];
  if (value.kind !== "instruction" || !phis.includes(value)) return value;
  return value.operands[value.blocks.indexOf(from)];
}
