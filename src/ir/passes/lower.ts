// Rewrites what the code generator should not have to know: 80-bit floats, constant expressions as operands, libm
// intrinsics, the va_arg instruction, switches wider than 64 bits. It runs first, so that the other passes see few kinds
// of things too.
// Invariant afterwards: no value in the body has a type with x86_fp80 in it (layouts may: see lower-type.ts), and no
// operand is a constant expression or contains one.

import { numberInstructions } from "../analysis/cfg.js";
import { isPure } from "../analysis/purity.js";
import type { DataLayout } from "../data-layout.js";
import { type FunctionType, I1, I8, I64, PTR, type Type, VOID } from "../types.js";
import {
  type AccessExtra,
  Block,
  type Body,
  type ConstAggregate,
  type Constant,
  constInt,
  type Instruction,
  type InstructionOf,
  instruction,
  isConstant,
  type Value,
} from "../values.js";
import { Emitter } from "./emitter.js";
import { Forwarding } from "./forwarding.js";
import { lowerAsm } from "./lower-asm.js";
import { Float80Lowering, lowerConstant, type RuntimeLookup } from "./lower-float80.js";
import { IntrinsicLowering, type Meaning } from "./lower-intrinsics.js";
import { lowerType } from "./lower-type.js";
import { lowerX86 } from "./lower-x86.js";

export { lowerType } from "./lower-type.js";

export interface LowerContext {
  readonly layout: DataLayout;
  readonly runtime: RuntimeLookup;
  /** What intrinsics mean, by name, as far as it was asked; shared between functions. */
  readonly meanings: Map<string, Meaning>;
}

/** The blocks must be in order (`orderBlocks`); they are no longer if this returns true. */
export function lower(body: Body, context: LowerContext): boolean {
  return new Lowering(body, context).run();
}

class Lowering {
  private readonly emitter = new Emitter();
  private readonly float80: Float80Lowering;
  private readonly intrinsics: IntrinsicLowering;
  private readonly forwarding: Forwarding;
  /** What phis need computed at the end of a block. */
  private readonly tails = new Map<Block, Instruction[]>();
  /** Arguments of __builtin_constant_p. */
  private readonly unevaluated: Value[] = [];
  private sawFloat80 = false;

  constructor(
    readonly body: Body,
    readonly context: LowerContext,
  ) {
    this.float80 = new Float80Lowering(this.emitter, context.runtime);
    this.intrinsics = new IntrinsicLowering(this.emitter, this.float80, context.runtime, context.meanings);
    this.forwarding = new Forwarding(numberInstructions(body));
  }

  run(): boolean {
    // First everything that needs other instructions, while all types are as written ...
    for (const block of this.body.blocks) {
      const old = block.instructions;
      let fresh: Instruction[] | null = null;
      for (let k = 0; k < old.length; k++) {
        const i = old[k];
        if (this.emitter.list.length > 0) this.emitter.list = [];
        this.emitter.loc = i.loc;
        const stays = i.op === "phi" ? this.phi(i) : this.instruction(i);
        if (stays && this.emitter.list.length === 0) {
          fresh?.push(i);
          continue;
        }
        fresh ??= old.slice(0, k);
        for (const made of this.emitter.list) fresh.push(made);
        if (stays) fresh.push(i);
      }
      if (fresh !== null) block.instructions = fresh;
    }
    for (const [block, tail] of this.tails) block.instructions.splice(block.instructions.length - 1, 0, ...tail);
    this.forwarding.apply(this.body);
    if (this.unevaluated.length > 0) this.removeUnevaluated();
    // ... then the types of what is left.
    if (this.sawFloat80) this.retype();
    return this.wideSwitches();
  }

  /** A phi's constant expressions are computed where control comes from. */
  private phi(phi: Instruction): boolean {
    this.note(phi.type);
    for (let k = 0; k < phi.operands.length; k++) {
      const operand = phi.operands[k];
      if (!isConstant(operand) || !needsExpansion(operand)) continue;
      const from = phi.blocks[k];
      this.emitter.list = this.tails.get(from) ?? [];
      this.tails.set(from, this.emitter.list);
      phi.operands[k] = this.expand(operand);
    }
    this.emitter.list = [];
    return true;
  }

  /** False if what was emitted stands for the instruction. */
  private instruction(i: Instruction): boolean {
    const { operands } = i;
    let float80 = this.note(i.type);
    for (let k = 0; k < operands.length; k++) {
      const operand = operands[k];
      if (this.note(operand.type)) float80 = true;
      if (isConstant(operand) && needsExpansion(operand)) operands[k] = this.expand(operand);
    }
    if (i.op === "call") {
      const name = intrinsicName(operands[0]);
      if (name !== null) {
        if (name.startsWith("llvm.is.constant.")) this.unevaluated.push(operands[1]);
        const value = lowerX86(this.emitter, i, name) ?? this.intrinsics.lower(i, name);
        if (value === "drop") return false;
        if (value !== null) return this.replace(i, value);
      }
      if (operands[0].kind === "asm") {
        const value = lowerAsm(this.emitter, i, operands[0], this.context.runtime);
        if (value === "drop") return false;
        if (value !== null) return this.replace(i, value);
      }
      if (this.note(i.extra.fnType)) float80 = true;
    } else if (i.op === "va_arg") return this.replace(i, this.vaArg(i));
    if (!float80) return true;
    const value = this.float80.lower(i);
    if (value !== null) return this.replace(i, value);
    switch (i.op) {
      case "load":
      case "store":
        return this.replace(
          i,
          this.emitter.emit(i.op, i.type, operands, { ...i.extra, accessType: lowerType(i.extra.accessType) }),
        );
      case "call": {
        const fnType = lowerType(i.extra.fnType) as FunctionType;
        return this.replace(i, this.emitter.emit("call", i.type, operands, { ...i.extra, fnType }));
      }
      default:
        return true;
    }
  }

  private note(type: Type): boolean {
    if (type.kind === "int" || type.kind === "ptr" || type.kind === "void") return false;
    if (lowerType(type) === type) return false;
    this.sawFloat80 = true;
    return true;
  }
  private replace(i: Instruction, value: Value): boolean {
    this.forwarding.set(i, value);
    return false;
  }

  /**
   * The argument of __builtin_constant_p is not evaluated, but clang computes it for an optimiser to look at. Loads of
   * what only served that are no accesses of the program.
   */
  private removeUnevaluated(): void {
    const uses = new Map<Value, number>();
    for (const block of this.body.blocks) {
      for (const i of block.instructions) for (const o of i.operands) uses.set(o, (uses.get(o) ?? 0) + 1);
    }
    const dead = new Set<Value>();
    const work = this.unevaluated;
    for (let value = work.pop(); value !== undefined; value = work.pop()) {
      if (value.kind !== "instruction" || (uses.get(value) ?? 0) > 0 || dead.has(value)) continue;
      if (!isPure(value) && (value.op !== "load" || value.extra.volatile)) continue;
      dead.add(value);
      for (const operand of value.operands) {
        uses.set(operand, (uses.get(operand) ?? 0) - 1);
        work.push(operand);
      }
    }
    for (const block of this.body.blocks) block.instructions = block.instructions.filter((i) => !dead.has(i));
  }

  private retype(): void {
    for (const arg of this.body.args) arg.type = lowerType(arg.type);
    for (const block of this.body.blocks) {
      for (const i of block.instructions) {
        i.type = lowerType(i.type);
        for (let k = 0; k < i.operands.length; k++) {
          const operand = i.operands[k];
          if (isConstant(operand)) i.operands[k] = lowerConstant(operand);
        }
      }
    }
  }

  /** Operands first, so that a nested expression becomes instructions in the order of evaluation. */
  private expand(root: Constant): Value {
    // Depth is bounded: clang nests casts and address computations a few levels, and the parser limits nesting.
    if (!needsExpansion(root)) return root;
    if (root.kind === "aggregate") return this.expandAggregate(root);
    if (root.kind !== "constexpr") return root;
    const operands = root.operands.map((operand) => this.expand(operand));
    const e = this.emitter;
    switch (root.op) {
      case "getelementptr":
        return e.emit("getelementptr", root.type, operands, { sourceType: root.sourceType ?? I8, inbounds: false });
      case "icmp":
        return e.emit("icmp", root.type, operands, { predicate: root.predicate ?? "eq" });
      default:
        return e.emit(root.op, root.type, operands, null);
    }
  }
  private expandAggregate(root: ConstAggregate): Value {
    let value: Value = { kind: "undef", type: root.type };
    root.elements.forEach((element, index) => {
      const part = this.expand(element);
      value =
        root.type.kind === "vector"
          ? this.emitter.emit("insertelement", root.type, [value, part, constInt(32, index)], null)
          : this.emitter.emit("insertvalue", root.type, [value, part], { indices: [index] });
    });
    return value;
  }

  /** Callers pass all variadic arguments in the overflow area, in slots of 8 bytes aligned as their type demands. */
  private vaArg(i: Instruction): Value {
    const e = this.emitter;
    const { layout } = this.context;
    const type = lowerType(i.type);
    const access = (accessType: Type): AccessExtra => ({
      accessType,
      align: Math.min(layout.abiAlign(accessType), 8),
      volatile: false,
      unchecked: false,
    });
    const area = this.offset(i.operands[0], 8);
    let at: Value = e.emit("load", PTR, [area], access(PTR));
    if (layout.abiAlign(i.type) > 8) {
      const up = e.binary("add", e.cast("ptrtoint", at, I64), constInt(64, 15));
      at = e.cast("inttoptr", e.binary("and", up, constInt(64, -16)), PTR);
    }
    const next = this.offset(at, Math.ceil(layout.sizeOf(i.type) / 8) * 8);
    e.emit("store", VOID, [next, area], access(PTR));
    return e.emit("load", type, [at], access(type));
  }
  private offset(pointer: Value, bytes: number): Value {
    const extra = { sourceType: I8, inbounds: false };
    return this.emitter.emit("getelementptr", PTR, [pointer, constInt(64, bytes)], extra);
  }

  /** A switch on more than 64 bits becomes a chain of comparisons, one new block for each case but the first. */
  private wideSwitches(): boolean {
    let any = false;
    for (const block of this.body.blocks.slice()) {
      const last = block.terminator;
      if (last.op !== "switch") continue;
      const [value] = last.operands;
      if (value.type.kind !== "int" || value.type.bits <= 64) continue;
      any = true;
      this.chain(block, last, value, value.type.bits);
    }
    return any;
  }
  private chain(block: Block, last: InstructionOf<"switch">, value: Value, bits: number): void {
    const [otherwise, ...targets] = last.blocks;
    block.instructions.pop();
    const sources = new Map<Block, Block[]>();
    const goesTo = (from: Block, to: Block): void => {
      sources.set(to, [...(sources.get(to) ?? []), from]);
    };
    let at = block;
    targets.forEach((target, k) => {
      const test = instruction("icmp", I1, [value, constInt(bits, last.extra.cases[k])], { predicate: "eq" });
      const isLast = k === targets.length - 1;
      const next = isLast ? otherwise : new Block(`${block.name}.case${k}`);
      at.instructions.push(test, instruction("condbr", VOID, [test], null, [target, next], last.loc));
      goesTo(at, target);
      if (isLast) goesTo(at, otherwise);
      else this.body.blocks.push(next);
      at = next;
    });
    if (targets.length === 0) {
      block.instructions.push(instruction("br", VOID, [], null, [otherwise], last.loc));
      goesTo(block, otherwise);
    }
    for (const [to, from] of sources) redirectPhis(to, block, from);
  }
}

/** In `block`'s phis, what came from `old` now comes from each of `fresh`. */
function redirectPhis(block: Block, old: Block, fresh: readonly Block[]): void {
  for (const phi of block.instructions) {
    if (phi.op !== "phi") break;
    const position = phi.blocks.indexOf(old);
    if (position < 0) continue;
    const value = phi.operands[position];
    phi.blocks = phi.blocks.filter((_, k) => k !== position);
    phi.operands = phi.operands.filter((_, k) => k !== position);
    for (const from of new Set(fresh)) {
      phi.blocks.push(from);
      phi.operands.push(value);
    }
  }
}

function needsExpansion(constant: Constant): boolean {
  if (constant.kind === "constexpr") return true;
  return constant.kind === "aggregate" && constant.elements.some(needsExpansion);
}

/** The name of the intrinsic a callee operand denotes, null for other callees. */
function intrinsicName(callee: Value): string | null {
  return callee.kind === "global" && callee.target.name.startsWith("llvm.") ? callee.target.name : null;
}
