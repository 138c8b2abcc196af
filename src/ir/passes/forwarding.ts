// Replacing a value everywhere without use lists: a pass notes "i is now v" in an array indexed by `id` and applies all
// notes in one walk over the operands. Use lists would cost memory on every value for the benefit of few passes.
// Invariant: ids are those of the last `numberInstructions`; instructions made since then have id -1 and stand for
// themselves. Chains are allowed, cycles are not.

import type { Body, Instruction, Value } from "../values.js";

export class Forwarding {
  private readonly to: (Value | undefined)[];
  private hasAny = false;

  constructor(count: number) {
    this.to = new Array<Value | undefined>(count).fill(undefined);
  }

  get any(): boolean {
    return this.hasAny;
  }

  set(from: Instruction, to: Value): void {
    this.to[from.id] = to;
    this.hasAny = true;
  }

  /** What a value stands for now. */
  resolve(value: Value): Value {
    if (value.kind !== "instruction" || value.id < 0) return value;
    const first = this.to[value.id];
    if (first === undefined) return value;
    let end: Value = first;
    while (end.kind === "instruction" && end.id >= 0) {
      const next: Value | undefined = this.to[end.id];
      if (next === undefined) break;
      end = next;
    }
    // Long chains (a replacement was replaced ...) are walked once.
    this.to[value.id] = end;
    return end;
  }

  resolveOperands(i: Instruction): void {
    const { operands } = i;
    for (let k = 0; k < operands.length; k++) {
      const operand = operands[k];
      if (operand.kind === "instruction") operands[k] = this.resolve(operand);
    }
  }

  apply(body: Body): void {
    if (!this.hasAny) return;
    for (const block of body.blocks) for (const i of block.instructions) this.resolveOperands(i);
  }
}
