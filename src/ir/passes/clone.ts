// Copies of bodies: the inliner puts copies of callees into callers, and keeps a copy of a small body before checks are
// inserted into the original.
// Invariant: the source's instruction ids and block indices are current (numbered, in order) and are not changed.

import type { DebugLoc } from "../debug-info.js";
import {
  type AccessExtra,
  Argument,
  Block,
  type Body,
  type Instruction,
  InstructionOf,
  type Op,
  type Value,
} from "../values.js";

export interface ClonedBlocks {
  /** By index of the source's block. */
  readonly blocks: Block[];
  /** By id of the source's instruction. */
  readonly values: Instruction[];
}

/**
 * Copies all blocks. `args` stand for the source's arguments; `locate` gives the copy's location; `suffix` is added to
 * the blocks' names.
 */
export function cloneBlocks(
  source: Body,
  args: readonly Value[],
  locate: (loc: DebugLoc | null) => DebugLoc | null,
  suffix: string,
): ClonedBlocks {
  const blocks: Block[] = [];
  for (const block of source.blocks) blocks.push(new Block(block.name + suffix));
  const values: Instruction[] = [];
  const phis: Instruction[] = [];
  for (const block of source.blocks) {
    const into = blocks[block.index].instructions;
    blocks[block.index].addVanished(block.vanished.flatMap((loc) => locate(loc) ?? []));
    for (const i of block.instructions) {
      // In reverse postorder, only a phi can use what comes later.
      const operands = i.op === "phi" ? i.operands : mapOperands(i.operands, values, args);
      const copy = copyInstruction(i, operands, mapBlocks(i.blocks, blocks), locate(i.loc));
      if (i.op === "phi") phis.push(copy);
      values.push(copy);
      into.push(copy);
    }
  }
  for (const phi of phis) phi.operands = mapOperands(phi.operands, values, args);
  return { blocks, values };
}

function mapOperands(operands: readonly Value[], values: readonly Value[], args: readonly Value[]): Value[] {
  const mapped: Value[] = [];
  for (let k = 0; k < operands.length; k++) {
    const operand = operands[k];
    if (operand.kind === "instruction") mapped.push(values[operand.id]);
    else if (operand.kind === "argument") mapped.push(args[operand.index]);
    else mapped.push(operand);
  }
  return mapped;
}
function mapBlocks(old: Block[], blocks: readonly Block[]): Block[] {
  if (old.length === 0) return old;
  const mapped: Block[] = [];
  for (const block of old) mapped.push(blocks[block.index]);
  return mapped;
}

/** `unchecked` is the one field passes change in place, so that accesses get an `extra` of their own. */
function copyInstruction(i: Instruction, operands: Value[], blocks: Block[], loc: DebugLoc | null): Instruction {
  const isAccess = i.op === "load" || i.op === "store" || i.op === "atomicrmw" || i.op === "cmpxchg";
  const extra = isAccess ? { ...(i.extra as AccessExtra) } : i.extra;
  return new InstructionOf(i.op as Op, i.type, operands, extra as null, blocks, loc) as unknown as Instruction;
}

/** A body of its own, numbered and in order, that shares no instruction with the source. */
export function cloneBody(source: Body): Body {
  const args = source.args.map((arg) => new Argument(arg.type, arg.index, arg.name));
  const { blocks, values } = cloneBlocks(source, args, (loc) => loc, "");
  blocks.forEach((block, index) => {
    block.index = index;
  });
  values.forEach((value, id) => {
    value.id = id;
  });
  return { args, blocks };
}
