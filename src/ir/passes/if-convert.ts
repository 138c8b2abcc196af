// Small choices without jumps: `a < b ? a : b` becomes a select, as clang's -O1 does and V8 does not. A branch on data is
// mispredicted half of the time, which costs more than the whole choice.
// The branch disappears, so this is only for runs that look at no branch: plain execution without coverage. Coverage
// translates without it (option `selects`); symbolic exploration joins by a rule of its own (jit/join-branches.ts).
// Invariant: what moves is pure and cheap; checks, accesses and calls stay behind their branch.

import { numberInstructions, orderBlocks, predecessors } from "../analysis/cfg.js";
import { isPure } from "../analysis/purity.js";
import { VOID } from "../types.js";
import { type Block, type Body, type Instruction, instruction, type Op, type Value } from "../values.js";

/** Instructions that may be computed for nothing, per arm, and values chosen at once. */
const MAX_ARM = 2;
const MAX_CHOICES = 2;

const CHEAP: ReadonlySet<Op> = new Set<Op>([
  ...(["add", "sub", "shl", "lshr", "ashr", "and", "or", "xor", "icmp"] as const),
  ...(["trunc", "zext", "sext", "getelementptr"] as const),
]);

/** The body must be in order; it is again afterwards. */
export function convertChoices(body: Body): void {
  const preds = predecessors(body);
  const inDegree = preds.map((list) => list.length);
  let changed = false;
  for (const block of body.blocks) {
    // A converted block may end in another choice's test: go on until it does not.
    while (convert(block, inDegree)) changed = true;
  }
  if (!changed) return;
  orderBlocks(body);
  numberInstructions(body);
}

function convert(block: Block, inDegree: number[]): boolean {
  const test = block.terminator;
  if (test.op !== "condbr") return false;
  const [yes, no] = test.blocks;
  if (yes === no) return false;
  const yesArm = isArm(yes, inDegree);
  const noArm = isArm(no, inDegree);
  const join =
    yesArm && (noArm ? yes.terminator.blocks[0] === no.terminator.blocks[0] : yes.terminator.blocks[0] === no)
      ? yes.terminator.blocks[0]
      : noArm && no.terminator.blocks[0] === yes
        ? yes
        : null;
  if (join === null || join === block) return false;
  const fromYes = join === yes ? block : yes;
  const fromNo = join === no ? block : no;
  const phis: Instruction[] = [];
  for (const i of join.instructions) {
    if (i.op !== "phi") break;
    phis.push(i);
  }
  if (phis.length === 0 || phis.length > MAX_CHOICES || !phis.every(isScalar)) return false;
  // Move the arms' instructions up, then choose.
  block.instructions.pop();
  for (const arm of [fromYes, fromNo]) {
    if (arm !== block) block.instructions.push(...arm.instructions.slice(0, -1));
  }
  for (const phi of phis) {
    const first = phi.operands[phi.blocks.indexOf(fromYes)];
    const second = phi.operands[phi.blocks.indexOf(fromNo)];
    const chosen: Value =
      first === second
        ? first
        : instruction("select", phi.type, [test.operands[0], first, second], null, undefined, test.loc);
    if (chosen.kind === "instruction" && first !== second) block.instructions.push(chosen);
    const kept = phi.blocks
      .map((from, k) => ({ from, value: phi.operands[k] }))
      .filter(({ from }) => from !== fromYes && from !== fromNo && from !== block);
    phi.operands = [...kept.map(({ value }) => value), chosen];
    phi.blocks = [...kept.map(({ from }) => from), block];
  }
  block.instructions.push(instruction("br", VOID, [], null, [join], test.loc));
  // Two edges into the join became one.
  inDegree[join.index]--;
  return true;
}

/** Only reached from the test, does a little pure work, and goes on. */
function isArm(block: Block, inDegree: readonly number[]): boolean {
  if (inDegree[block.index] !== 1 || block.terminator.op !== "br" || block.instructions.length > MAX_ARM + 1)
    return false;
  for (let n = 0; n < block.instructions.length - 1; n++) {
    const i = block.instructions[n];
    if (!isCheap(i)) return false;
  }
  return true;
}

/** Pure, and a processor's single step. */
export function isCheap(i: Instruction): boolean {
  return CHEAP.has(i.op) && isPure(i);
}

export function isScalar(phi: Instruction): boolean {
  const { type } = phi;
  return (
    type.kind === "ptr" ||
    (type.kind === "int" && type.bits <= 64) ||
    (type.kind === "float" && type.name !== "x86_fp80")
  );
}
