// One walk over the dominator tree that folds constants, applies identities, forwards trivial phis and shares equal
// expressions, then one removal of dead code and one clean-up of control flow; again only if control flow changed.
// It never touches memory operations and never removes a branch the source wrote unless its condition is constant.
// Invariant: the blocks are in order before and after; verify() finds nothing.

import { numberInstructions, predecessors } from "../analysis/cfg.js";
import { DominatorTree } from "../analysis/dominators.js";
import { isPure } from "../analysis/purity.js";
import type { DataLayout } from "../data-layout.js";
import type { Block, Body, Instruction, Value } from "../values.js";
import { cleanControlFlow } from "./clean-cfg.js";
import { removeDeadCode } from "./dead-code.js";
import { simplifyInstruction } from "./identities.js";
import { sameValue, ValueTable } from "./value-table.js";

/** Each round costs a walk; the third finds next to nothing in real programs. */
const MAX_ROUNDS = 3;

/** `tree`: the dominator tree, if it is known already. */
export function simplify(body: Body, layout: DataLayout, tree: DominatorTree | null = null): void {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const known = round === 0 ? tree : null;
    new Simplifier(body, layout).run(known ?? new DominatorTree(predecessors(body)));
    removeDeadCode(body);
    if (!cleanControlFlow(body)) return;
  }
}

class Simplifier {
  /** By id: what an instruction was replaced with. */
  private readonly to: (Value | undefined)[];
  private readonly table: ValueTable;
  private nextId: number;
  private list: Instruction[] = [];

  constructor(
    readonly body: Body,
    readonly layout: DataLayout,
  ) {
    this.nextId = numberInstructions(body);
    this.table = new ValueTable(this.nextId);
    this.to = new Array<Value | undefined>(this.nextId).fill(undefined);
  }

  run({ preorder, leave }: DominatorTree): void {
    const { blocks } = this.body;
    const leaves: number[] = [];
    const sizes: number[] = [];
    for (let position = 0; position < preorder.length; position++) {
      while (leaves.length > 0 && leaves[leaves.length - 1] <= position) {
        leaves.pop();
        this.table.shrink(sizes.pop() as number);
      }
      const b = preorder[position];
      leaves.push(leave[b]);
      sizes.push(this.table.size);
      this.block(blocks[b]);
    }
    // A phi may use what was replaced after it was visited.
    for (const block of blocks) {
      for (const i of block.instructions) {
        if (i.op !== "phi") break;
        this.resolveOperands(i);
      }
    }
  }

  private resolve(value: Value): Value {
    if (value.kind !== "instruction") return value;
    const first = this.to[value.id];
    if (first === undefined) return value;
    let end: Value = first;
    while (end.kind === "instruction") {
      const next: Value | undefined = this.to[end.id];
      if (next === undefined) break;
      end = next;
    }
    this.to[value.id] = end;
    return end;
  }
  private resolveOperands(i: Instruction): void {
    const { operands } = i;
    for (let k = 0; k < operands.length; k++) {
      const operand = operands[k];
      if (operand.kind !== "instruction" || this.to[operand.id] === undefined) continue;
      operands[k] = this.resolve(operand);
    }
  }

  private block(block: Block): void {
    const old = block.instructions;
    const list: Instruction[] = [];
    this.list = list;
    for (let k = 0; k < old.length; k++) {
      const i = old[k];
      this.resolveOperands(i);
      if (i.op === "phi") {
        const value = trivialPhi(i);
        if (value === null) list.push(i);
        else this.to[i.id] = value;
      } else this.visit(i);
    }
    block.instructions = list;
  }

  /** A rewrite may enable another one; each makes the expression smaller, the limit is for our own mistakes. */
  private visit(original: Instruction): void {
    let i = original;
    for (let steps = 0; steps < 8; steps++) {
      const better = simplifyInstruction(i, this.layout);
      if (better === null) break;
      if (better.kind !== "instruction" || better.id >= 0) {
        this.to[original.id] = this.resolve(better);
        return;
      }
      i = better;
    }
    if (isPure(i)) {
      const earlier = this.table.find(i);
      if (earlier !== null) {
        this.to[original.id] = earlier;
        return;
      }
    }
    if (i !== original) {
      i.id = this.nextId++;
      this.to.push(undefined);
      this.to[original.id] = i;
    }
    this.list.push(i);
  }
}

/** The one value that all edges but the phi's own bring, if there is one. An undefined edge is a value like another. */
function trivialPhi(phi: Instruction): Value | null {
  let only: Value | null = null;
  for (const operand of phi.operands) {
    if (operand === phi) continue;
    if (only === null) only = operand;
    else if (!sameValue(only, operand)) return null;
  }
  return only;
}
