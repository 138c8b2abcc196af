// The rules every body obeys between passes, checked after each pass in tests and when hunting a bug: a pass that breaks
// one is found where it does so, not three passes later in wrong machine code. Not run in normal use: it costs as much
// as a pass.

import { sameType, type Type, typeToString } from "../types.js";
import { type Block, type Body, type Instruction, isTerminator, type Value } from "../values.js";
import { numberInstructions, predecessors } from "./cfg.js";
import { DominatorTree } from "./dominators.js";

/** Problems as sentences; none if the body is well formed. The blocks must be in order (`orderBlocks`). */
export function verify(body: Body): string[] {
  const verifier = new Verifier(body);
  verifier.shape();
  // Dominance means nothing if the blocks themselves are wrong.
  if (verifier.problems.length === 0) verifier.uses();
  return verifier.problems;
}

class Verifier {
  readonly problems: string[] = [];
  constructor(readonly body: Body) {}

  private say(block: Block, i: Instruction | null, problem: string): void {
    const where = i === null ? "" : ` ${i.op} at ${block.instructions.indexOf(i)}`;
    this.problems.push(`block ${block.index} (${block.name})${where}: ${problem}`);
  }

  shape(): void {
    const { blocks } = this.body;
    blocks.forEach((block, index) => {
      if (block.index !== index) this.say(block, null, `index is not its position ${index}`);
      if (block.instructions.length === 0) this.say(block, null, "is empty");
      let afterPhis = false;
      block.instructions.forEach((i, k) => {
        if (isTerminator(i) !== (k === block.instructions.length - 1)) {
          this.say(block, i, "a terminator stands in the middle, or none at the end");
        }
        if (i.op === "phi" && afterPhis) this.say(block, i, "phi after another instruction");
        if (i.op !== "phi") afterPhis = true;
        if (isTerminator(i)) {
          for (const to of i.blocks)
            if (blocks[to.index] !== to) this.say(block, i, `goes to removed block ${to.name}`);
        }
      });
    });
    const reached = new Set<Block>([blocks[0]]);
    for (const block of reached) for (const to of block.terminator?.blocks ?? []) reached.add(to);
    if (reached.size !== blocks.length) this.problems.push("some blocks are unreachable");
  }

  uses(): void {
    const { blocks } = this.body;
    const count = numberInstructions(this.body);
    const owner = new Array<Block>(count);
    const all = new Array<Instruction>(count);
    for (const block of blocks) {
      for (const i of block.instructions) {
        owner[i.id] = block;
        all[i.id] = i;
      }
    }
    const preds = predecessors(this.body);
    if (preds[0].length > 0) this.problems.push("the entry block has predecessors");
    const tree = new DominatorTree(preds);
    for (const block of blocks) {
      for (const i of block.instructions) {
        if (i.op === "phi") this.phi(block, i, preds[block.index]);
        else this.types(block, i);
        i.operands.forEach((operand, k) => {
          if (operand.kind === "argument") {
            if (this.body.args[operand.index] !== operand) this.say(block, i, `operand ${k} is a foreign argument`);
            return;
          }
          if (operand.kind !== "instruction") return;
          if (all[operand.id] !== operand) {
            this.say(block, i, `operand ${k} (${operand.op}) is not in the body`);
            return;
          }
          const at = i.op === "phi" ? i.blocks[k] : block;
          const from = owner[operand.id];
          const before = from === at ? i.op === "phi" || operand.id < i.id : tree.dominates(from.index, at.index);
          if (!before) this.say(block, i, `operand ${k} (${operand.op}) does not dominate its use`);
        });
      }
    }
  }

  private phi(block: Block, phi: Instruction, preds: readonly number[]): void {
    if (phi.operands.length !== phi.blocks.length) this.say(block, phi, "as many values as blocks are needed");
    const from = phi.blocks.map((b) => b.index).sort((a, b) => a - b);
    if (from.length !== preds.length || from.some((b, k) => b !== preds[k])) {
      this.say(block, phi, `comes from [${from}], predecessors are [${preds}]`);
    }
    for (const operand of phi.operands) this.same(block, phi, operand.type, phi.type);
  }

  private same(block: Block, i: Instruction, a: Type, b: Type): void {
    if (!sameType(a, b)) this.say(block, i, `${typeToString(a)} where ${typeToString(b)} is needed`);
  }
  private kind(block: Block, i: Instruction, value: Value, kind: Type["kind"]): void {
    if (value.type.kind !== kind) this.say(block, i, `${typeToString(value.type)} where ${kind} is needed`);
  }

  private types(block: Block, i: Instruction): void {
    const [a, b] = i.operands;
    switch (i.op) {
      case "add":
      case "sub":
      case "mul":
      case "udiv":
      case "sdiv":
      case "urem":
      case "srem":
      case "shl":
      case "lshr":
      case "ashr":
      case "and":
      case "or":
      case "xor":
      case "fadd":
      case "fsub":
      case "fmul":
      case "fdiv":
      case "frem":
        this.same(block, i, a.type, i.type);
        this.same(block, i, b.type, i.type);
        return;
      case "icmp":
      case "fcmp":
        this.same(block, i, a.type, b.type);
        return;
      case "fneg":
      case "freeze":
        this.same(block, i, a.type, i.type);
        return;
      case "select":
        this.same(block, i, b.type, i.type);
        this.same(block, i, i.operands[2].type, i.type);
        return;
      case "trunc":
      case "zext":
      case "sext":
        if (a.type.kind === "int" && i.type.kind === "int") {
          const narrower = i.op === "trunc" ? i.type.bits < a.type.bits : a.type.bits < i.type.bits;
          if (!narrower) this.say(block, i, `from ${typeToString(a.type)} to ${typeToString(i.type)}`);
        } else if (a.type.kind !== "vector") this.say(block, i, "integers are needed");
        return;
      case "load":
        this.kind(block, i, a, "ptr");
        this.same(block, i, i.type, i.extra.accessType);
        return;
      case "store":
        this.kind(block, i, b, "ptr");
        this.same(block, i, a.type, i.extra.accessType);
        return;
      case "check":
      case "cmpxchg":
      case "atomicrmw":
        this.kind(block, i, a, "ptr");
        return;
      case "condbr":
        this.same(block, i, a.type, { kind: "int", bits: 1 });
        if (i.blocks.length !== 2) this.say(block, i, "two targets are needed");
        return;
      case "switch":
        if (i.extra.cases.length !== i.blocks.length - 1) this.say(block, i, "a target for each case is needed");
        return;
      case "call": {
        const { fnType } = i.extra;
        const given = i.operands.length - 1;
        if (given < fnType.params.length || (given > fnType.params.length && !fnType.variadic)) {
          this.say(block, i, `${given} arguments for ${typeToString(fnType)}`);
          return;
        }
        fnType.params.forEach((param, k) => {
          this.same(block, i, i.operands[k + 1].type, param);
        });
        this.same(block, i, i.type, fnType.result);
        return;
      }
      default:
        return;
    }
  }
}
