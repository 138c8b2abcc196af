// What a function does with the addresses of its local variables: for each alloca of the entry block, whether its
// address goes anywhere but into loads and stores at constant offsets inside it. The passes that take variables out of
// memory start from this.
// Invariant: instruction ids and block order are current for as long as the result is used.

import type { DataLayout } from "../data-layout.js";
import { type Body, type Instruction, type InstructionOf, intValue, type Value } from "../values.js";
import { constantOffset } from "./gep.js";
import { lifetimeMarker } from "./lifetimes.js";

export interface LocalVariable {
  readonly alloca: InstructionOf<"alloca">;
  readonly size: number;
  /** The address is used for something else than what is listed here. */
  escapes: boolean;
  readonly accesses: Access[];
  readonly copies: Copy[];
  readonly lifetimes: LifetimeMark[];
  /** Is one of `lifetimes` an end? */
  scopeEnds: boolean;
}
/** A load or store of [offset, offset + size) of the variable. */
export interface Access {
  readonly instruction: InstructionOf<"load"> | InstructionOf<"store">;
  readonly offset: number;
  readonly size: number;
  /** Index of its block. */
  readonly block: number;
}
/** A call of llvm.lifetime.start or .end. */
export interface LifetimeMark {
  readonly instruction: Instruction;
  readonly ends: boolean;
  readonly block: number;
}
/** llvm.memcpy, .memmove or .memset of a constant size with the variable as destination, source or both. */
export interface Copy {
  readonly instruction: InstructionOf<"call">;
  readonly offset: number;
  readonly size: number;
  readonly writes: boolean;
}

export class AllocaUses {
  readonly variables: LocalVariable[] = [];
  /** The function calls setjmp or its like: what is in memory now must be in memory then. */
  mayReturnTwice = false;
  private block = 0;
  /** By instruction id: the variable an address points into, or -1, and the offset. */
  private readonly variable: Int32Array;
  private readonly offset: Float64Array;

  constructor(
    readonly body: Body,
    readonly layout: DataLayout,
    /** Of instructions. */
    readonly count: number,
  ) {
    this.variable = new Int32Array(count).fill(-1);
    this.offset = new Float64Array(count);
    for (const i of body.blocks[0].instructions) if (i.op === "alloca") this.addVariable(i);
    if (this.variables.length === 0) return;
    for (const block of body.blocks) {
      this.block = block.index;
      for (const i of block.instructions) {
        if (i.op === "call" && returnsTwice(i)) this.mayReturnTwice = true;
        if (i.op !== "phi") this.use(i);
      }
    }
    // A phi may use an address that is computed after it, so that phis come when all addresses are known.
    for (const block of body.blocks) {
      for (const i of block.instructions) {
        if (i.op !== "phi") break;
        this.use(i);
      }
    }
  }

  /** The variable that `pointer` points into, -1 if none or unknown. */
  variableOf(pointer: Value): number {
    return pointer.kind === "instruction" && pointer.id >= 0 ? this.variable[pointer.id] : -1;
  }
  offsetOf(pointer: Instruction): number {
    return this.offset[pointer.id];
  }

  private addVariable(alloca: InstructionOf<"alloca">): void {
    const count = intValue(alloca.operands[0]);
    if (count === null) return;
    const size = Number(count) * this.layout.sizeOf(alloca.extra.allocated);
    this.variable[alloca.id] = this.variables.length;
    this.variables.push({ alloca, size, escapes: false, accesses: [], copies: [], lifetimes: [], scopeEnds: false });
  }

  private use(i: Instruction): void {
    const { operands } = i;
    for (let k = 0; k < operands.length; k++) {
      const operand = operands[k];
      if (operand.kind !== "instruction") continue;
      const index = this.variable[operand.id];
      if (index < 0) continue;
      if (!this.understood(i, k, index, this.offset[operand.id])) this.variables[index].escapes = true;
    }
  }

  /** Is this a use we can follow: operand `k` of `i` points to `offset` in variable `index`? */
  private understood(i: Instruction, k: number, index: number, offset: number): boolean {
    const variable = this.variables[index];
    switch (i.op) {
      case "getelementptr": {
        const step = i.type.kind === "ptr" ? constantOffset(this.layout, i.extra.sourceType, i.operands, 1) : null;
        if (step === null || k !== 0) return false;
        this.variable[i.id] = index;
        this.offset[i.id] = offset + step;
        return true;
      }
      case "bitcast":
      case "addrspacecast":
        if (i.type.kind !== "ptr") return false;
        this.variable[i.id] = index;
        this.offset[i.id] = offset;
        return true;
      case "load":
      case "store": {
        if (k !== (i.op === "load" ? 0 : 1) || i.extra.volatile) return false;
        const size = this.layout.storeSize(i.extra.accessType);
        if (offset < 0 || offset + size > variable.size) return false;
        variable.accesses.push({ instruction: i, offset, size, block: this.block });
        return true;
      }
      case "call": {
        const marker = lifetimeMarker(i);
        if (marker !== null) {
          const ends = marker === "end";
          variable.lifetimes.push({ instruction: i, ends, block: this.block });
          if (ends) variable.scopeEnds = true;
          return true;
        }
        return this.copy(i, k, variable, offset);
      }
      default:
        return false;
    }
  }

  private copy(i: InstructionOf<"call">, k: number, variable: LocalVariable, offset: number): boolean {
    const kind = memoryCopy(i);
    if (kind === null || k === 0 || k > (kind === "memset" ? 1 : 2)) return false;
    const size = intValue(i.operands[3]);
    const isVolatile = intValue(i.operands[4]) !== 0n;
    if (size === null || isVolatile || offset < 0 || offset + Number(size) > variable.size) return false;
    variable.copies.push({ instruction: i, offset, size: Number(size), writes: k === 1 });
    return true;
  }
}

export function returnsTwice(call: InstructionOf<"call">): boolean {
  if (call.extra.returnsTwice) return true;
  const [callee] = call.operands;
  if (callee.kind !== "global" || callee.target.kind !== "function") return false;
  // The builtin's declaration does not say it.
  return callee.target.attributes.returnsTwice || callee.target.name === "llvm.eh.sjlj.setjmp";
}

export type MemoryCopy = "memcpy" | "memmove" | "memset";
/** Is this a call of llvm.memcpy (destination, source, size, volatile), llvm.memmove or llvm.memset? */
export function memoryCopy(i: InstructionOf<"call">): MemoryCopy | null {
  const [callee] = i.operands;
  if (callee.kind !== "global") return null;
  const { name } = callee.target;
  if (!name.startsWith("llvm.mem")) return null;
  if (name.startsWith("llvm.memcpy.")) return "memcpy";
  if (name.startsWith("llvm.memmove.")) return "memmove";
  return name.startsWith("llvm.memset.") ? "memset" : null;
}
