// Memory to registers: given which loads and stores belong to which register, builds SSA form. Phis are placed on the
// iterated dominance frontier of the stores, but only where the register is live (pruned SSA): without the pruning, every
// loop would carry phis for variables of its body. Renaming walks the dominator tree with an undo log.
// Invariant: a load of a register that was never stored gives undef; no load or store of a register is left.

import type { Access } from "../analysis/alloca-uses.js";
import type { DominatorTree } from "../analysis/dominators.js";
import type { LocalVariable } from "../debug-info.js";
import { I64, type IntType, intType, PTR, type Type } from "../types.js";
import { type Block, type Body, constInt, constZero, type Instruction, instruction, type Value } from "../values.js";
import { Emitter } from "./emitter.js";
import { Forwarding } from "./forwarding.js";

/** A value to be: its type, and the loads and stores of it in the order of their ids. */
export interface Register {
  readonly type: Type;
  readonly accesses: readonly Access[];
  /** The source variable that all of it is, or null. */
  readonly variable: LocalVariable | null;
  /** The source variable that it is a part of, or null. */
  readonly partOf: LocalVariable | null;
}
/** That a load or store is of this register, `shift` bits above its lowest one. */
export interface RegisterAccess {
  readonly register: number;
  readonly shift: number;
}

/**
 * `accessOf`: by instruction id, for loads and stores to replace. `dropped`: other instructions
 * to remove. `count`: of instructions; their ids must be current. `keepsUnset`: what was never set must not become a constant.
 */
export function buildSsa(
  body: Body,
  tree: DominatorTree,
  registers: readonly Register[],
  accessOf: readonly (RegisterAccess | undefined)[],
  dropped: readonly Instruction[],
  count: number,
  keepsUnset: boolean,
): void {
  const builder = new SsaBuilder(body, tree, registers, accessOf, count, keepsUnset);
  for (const i of dropped) builder.drop(i);
  builder.placePhis();
  builder.rename();
}

class SsaBuilder {
  private readonly forwarding: Forwarding;
  private readonly dropped: Uint8Array;
  private readonly emitter = new Emitter();
  /** By block: the phis placed there, and their registers. */
  private readonly phis: (Instruction[] | undefined)[];
  private readonly phiRegisters: (number[] | undefined)[];
  private readonly current: (Value | undefined)[];
  /** Pairs of register and earlier value. */
  private readonly logRegisters: number[] = [];
  private readonly logValues: (Value | undefined)[] = [];

  constructor(
    readonly body: Body,
    readonly tree: DominatorTree,
    readonly registers: readonly Register[],
    readonly accessOf: readonly (RegisterAccess | undefined)[],
    count: number,
    readonly keepsUnset: boolean,
  ) {
    this.forwarding = new Forwarding(count);
    this.dropped = new Uint8Array(count);
    this.phis = new Array(body.blocks.length);
    this.phiRegisters = new Array(body.blocks.length);
    this.current = new Array(registers.length);
  }

  drop(i: Instruction): void {
    this.dropped[i.id] = 1;
  }

  // ------------------------------------------------------------ phis

  placePhis(): void {
    const registerCount = this.registers.length;
    let frontiers: number[][] | null = null;
    const blockCount = this.body.blocks.length;
    const liveIn = new Int32Array(blockCount).fill(-1);
    const defines = new Int32Array(blockCount).fill(-1);
    const hasPhi = new Int32Array(blockCount).fill(-1);
    const work: number[] = [];
    const exposed: number[] = [];
    for (let r = 0; r < registerCount; r++) {
      // Blocks that store, and blocks that need the value they are entered with.
      for (const { instruction: i, block } of this.registers[r].accesses) {
        const stored = defines[block] === r;
        const needsOld = !stored && !this.isWhole(i, r);
        if (needsOld && exposed[exposed.length - 1] !== block) exposed.push(block);
        if (i.op !== "store" || stored) continue;
        defines[block] = r;
        work.push(block);
      }
      if (exposed.length > 0 && work.length > 0) {
        this.markLive(r, exposed, liveIn, defines);
        frontiers ??= this.tree.frontiers();
        for (let b = work.pop(); b !== undefined; b = work.pop()) {
          for (const f of frontiers[b]) {
            if (hasPhi[f] === r || liveIn[f] !== r) continue;
            hasPhi[f] = r;
            this.addPhi(f, r);
            work.push(f);
          }
        }
      }
      work.length = 0;
      exposed.length = 0;
    }
  }

  private isWhole(i: Instruction, register: number): boolean {
    if (i.op !== "store") return false;
    const stored = i.extra.accessType;
    const { type } = this.registers[register];
    return stored === type || widthOf(stored) === widthOf(type);
  }

  private markLive(r: number, exposed: readonly number[], liveIn: Int32Array, defines: Int32Array): void {
    const work = exposed.slice();
    for (const b of exposed) liveIn[b] = r;
    for (let b = work.pop(); b !== undefined; b = work.pop()) {
      for (const p of this.tree.preds[b]) {
        if (liveIn[p] === r || defines[p] === r) continue;
        liveIn[p] = r;
        work.push(p);
      }
    }
  }

  private addPhi(block: number, register: number): void {
    const { type, variable } = this.registers[register];
    const phi = instruction("phi", type, [], variable === null ? null : { variable }, []);
    const phis = this.phis[block];
    if (phis === undefined) {
      this.phis[block] = [phi];
      this.phiRegisters[block] = [register];
    } else {
      phis.push(phi);
      this.phiRegisters[block]?.push(register);
    }
  }

  // ------------------------------------------------------------ renaming

  rename(): void {
    const { preorder, leave } = this.tree;
    const leaves: number[] = [];
    const marks: number[] = [];
    for (let position = 0; position < preorder.length; position++) {
      while (leaves.length > 0 && leaves[leaves.length - 1] <= position) {
        leaves.pop();
        this.undo(marks.pop() as number);
      }
      const b = preorder[position];
      leaves.push(leave[b]);
      marks.push(this.logRegisters.length);
      this.renameBlock(this.body.blocks[b]);
    }
    for (const block of this.body.blocks) {
      const phis = this.phis[block.index];
      if (phis !== undefined) block.instructions = phis.concat(block.instructions);
      for (const i of block.instructions) {
        if (i.op !== "phi") break;
        this.forwarding.resolveOperands(i);
      }
    }
  }

  private undo(to: number): void {
    while (this.logRegisters.length > to) {
      this.current[this.logRegisters.pop() as number] = this.logValues.pop();
    }
  }

  private set(register: number, value: Value): void {
    this.logRegisters.push(register);
    this.logValues.push(this.current[register]);
    this.current[register] = value;
  }

  private get(register: number): Value {
    const { type, partOf } = this.registers[register];
    return this.current[register] ?? { kind: "undef", type, variable: partOf };
  }

  private renameBlock(block: Block): void {
    const phis = this.phis[block.index];
    const phiRegisters = this.phiRegisters[block.index];
    if (phis !== undefined && phiRegisters !== undefined) {
      for (let k = 0; k < phis.length; k++) this.set(phiRegisters[k], phis[k]);
    }
    const old = block.instructions;
    let fresh: Instruction[] | null = null;
    for (let k = 0; k < old.length; k++) {
      const i = old[k];
      const access = this.accessOf[i.id];
      // Definitions are visited before their uses, so that only phis are left to be resolved in the end.
      if (this.forwarding.any && i.op !== "phi") this.forwarding.resolveOperands(i);
      if (access === undefined && this.dropped[i.id] === 0) {
        fresh?.push(i);
        continue;
      }
      fresh ??= old.slice(0, k);
      if (access === undefined) continue;
      this.emitter.list = fresh;
      this.emitter.loc = i.loc;
      if (i.op === "load") this.forwarding.set(i, this.read(access, i.type));
      else {
        this.set(access.register, this.written(access, i.operands[0]));
        if (i.loc !== null) block.addVanished([i.loc]);
      }
    }
    if (fresh !== null) block.instructions = fresh;
    for (const successor of block.terminator.blocks) this.fillPhis(block, successor);
  }

  private fillPhis(from: Block, to: Block): void {
    const phis = this.phis[to.index];
    const phiRegisters = this.phiRegisters[to.index];
    if (phis === undefined || phiRegisters === undefined) return;
    for (let k = 0; k < phis.length; k++) {
      const phi = phis[k];
      // Two edges from one block (a switch) count once.
      if (phi.blocks.length > 0 && phi.blocks[phi.blocks.length - 1] === from) continue;
      phi.blocks.push(from);
      phi.operands.push(this.get(phiRegisters[k]));
    }
  }

  // ------------------------------------------------------------ values of other types than the register's

  private read(access: RegisterAccess, type: Type): Value {
    const value = this.get(access.register);
    const registerType = this.registers[access.register].type;
    if (registerType === type || (access.shift === 0 && widthOf(registerType) === widthOf(type))) {
      return this.convert(value, type);
    }
    const shifted =
      access.shift === 0 ? value : this.emitter.binary("lshr", value, constInt(widthOf(registerType), access.shift));
    return this.convert(this.emitter.cast("trunc", shifted, intType(widthOf(type))), type);
  }

  private written(access: RegisterAccess, value: Value): Value {
    const registerType = this.registers[access.register].type;
    const width = widthOf(registerType);
    const part = widthOf(value.type);
    if (registerType === value.type || part === width) return this.convert(value, registerType);
    const e = this.emitter;
    const wide = e.cast("zext", this.convert(value, intType(part)), registerType);
    const shifted = access.shift === 0 ? wide : e.binary("shl", wide, constInt(width, access.shift));
    // The other bytes are undefined still: zero is as good a value as any, and needs no masking.
    if (this.current[access.register] === undefined && !this.keepsUnset) return shifted;
    const before = this.get(access.register);
    const mask = ((1n << BigInt(part)) - 1n) << BigInt(access.shift);
    const rest = e.binary("and", before, constInt(width, ~mask));
    return e.binary("or", rest, shifted);
  }

  /** The same bits as another type of the same width. */
  private convert(value: Value, type: Type): Value {
    const from = value.type;
    if (from === type || (from.kind === type.kind && from.kind !== "float")) return value;
    if (from.kind === "float" && type.kind === "float" && from.name === type.name) return value;
    const e = this.emitter;
    if (value.kind === "undef") return { ...value, type };
    if (value.kind === "zero" && (from.kind === "ptr" || type.kind === "ptr")) return constZero(type);
    if (from.kind === "ptr") {
      const integer = e.cast("ptrtoint", value, I64);
      return type.kind === "int" ? integer : e.cast("bitcast", integer, type);
    }
    if (type.kind === "ptr") {
      return e.cast("inttoptr", from.kind === "int" ? value : e.cast("bitcast", value, I64), PTR);
    }
    return e.cast("bitcast", value, type);
  }
}

/** Bits of a scalar; 0 for what is never converted. */
function widthOf(type: Type): number {
  switch (type.kind) {
    case "int":
      return (type as IntType).bits;
    case "ptr":
      return 64;
    case "float":
      return FLOAT_WIDTHS[type.name];
    default:
      return 0;
  }
}
const FLOAT_WIDTHS = { half: 16, bfloat: 16, float: 32, double: 64, x86_fp80: 80, fp128: 128 } as const;
