// Structures are copied whole: by llvm.memcpy, by loads and stores of an aggregate type. For a local variable whose address
// goes nowhere else, such a copy is rewritten as loads and stores of its parts, after which the parts can become
// registers (sroa.ts). What is the right cut into parts? Two bytes belong together if one access touches both, or if they
// are copied to or from two bytes that belong together; bytes that nobody looks at are moved in words.
// The detectors see the same: a check of the whole range stands before the parts, which are then not checked again.

import { type AllocaUses, type Copy, type LocalVariable, memoryCopy } from "../analysis/alloca-uses.js";
import type { DataLayout } from "../data-layout.js";
import { I8, intType, PTR, type Type, VOID } from "../types.js";
import { type Body, constInt, type Instruction, type InstructionOf, intValue, type Value } from "../values.js";
import { aggregateParts } from "./aggregate-parts.js";
import { Emitter } from "./emitter.js";
import { Forwarding } from "./forwarding.js";

/** Larger variables stay in memory: a copy in parts would be longer than the call. */
export const MAX_SPLIT_BYTES = 128;
const MAX_PARTS = 16;

/** `checks`: whether memory the function copies from or to is checked. Returns true if anything was rewritten. */
export function splitCopies(uses: AllocaUses, checks: boolean): boolean {
  if (!uses.variables.some((variable) => !variable.escapes && isCopied(variable))) return false;
  return new Splitter(uses, new Cells(uses, uses.layout), checks).run();
}

function isCopied(variable: LocalVariable): boolean {
  if (variable.copies.length > 0) return true;
  return variable.accesses.some(({ instruction }) => isComposite(instruction.extra.accessType));
}
function isComposite(type: Type): boolean {
  return type.kind === "struct" || type.kind === "array" || type.kind === "vector";
}

/** Into which parts each variable is cut. */
class Cells {
  /** By variable: null if it is not cut; else for each byte whether it belongs together with the next one. */
  private readonly joined: (Uint8Array | null)[];
  private readonly touched: Uint8Array[];
  /** The type of the accesses that touch exactly the part that begins here. */
  private readonly types: (Type | undefined)[][];

  constructor(
    readonly uses: AllocaUses,
    readonly layout: DataLayout,
  ) {
    const { variables } = uses;
    this.joined = variables.map((variable) => {
      const fits = !variable.escapes && variable.size <= MAX_SPLIT_BYTES && variable.size > 0;
      return fits ? new Uint8Array(variable.size) : null;
    });
    this.touched = variables.map((variable, v) => new Uint8Array(this.joined[v] === null ? 0 : variable.size));
    this.types = variables.map(() => []);
    variables.forEach((_, v) => {
      this.addAccesses(v);
    });
    const settled = this.spread();
    variables.forEach((_, v) => {
      if (!settled) this.joined[v] = null;
      this.joinUntouched(v);
    });
    if (!this.spread()) this.joined.fill(null);
    // Giving one up never changes another: its memory is then like any other memory.
    variables.forEach((_, v) => {
      if (!this.isUsable(v)) this.joined[v] = null;
    });
  }

  isCut(variable: number): boolean {
    return variable >= 0 && this.joined[variable] !== null;
  }

  /** The parts in [offset, offset + size) of a cut variable: offset relative to the range, type. */
  parts(variable: number, offset: number, size: number): { readonly at: number; readonly type: Type }[] {
    const joined = this.joined[variable] as Uint8Array;
    const parts: { at: number; type: Type }[] = [];
    for (let start = offset; start < offset + size; ) {
      const end = partEnd(joined, start);
      const accessed = this.types[variable][start];
      const exact = accessed !== undefined && this.layout.bitsOf(accessed) === (end - start) * 8;
      parts.push({ at: start - offset, type: exact ? accessed : intType((end - start) * 8) });
      start = end;
    }
    return parts;
  }

  private addAccesses(v: number): void {
    const joined = this.joined[v];
    if (joined === null) return;
    for (const { instruction, offset } of this.uses.variables[v].accesses) {
      for (const part of aggregateParts(instruction.extra.accessType, this.layout) ?? []) {
        this.touch(v, joined, offset + part.offset, part.type);
      }
    }
  }
  private touch(v: number, joined: Uint8Array, offset: number, type: Type): void {
    const size = this.layout.storeSize(type);
    for (let k = 0; k < size; k++) {
      this.touched[v][offset + k] = 1;
      if (k < size - 1) joined[offset + k] = 1;
    }
    this.types[v][offset] ??= type;
  }

  /** Carries what belongs together over copies between two cut variables. False if that does not come to an end. */
  private spread(): boolean {
    const { variables } = this.uses;
    for (let round = 0; round < 8; round++) {
      let changed = false;
      variables.forEach((variable, v) => {
        for (const copy of variable.copies) if (this.spreadCopy(v, copy)) changed = true;
      });
      if (!changed) return true;
    }
    return false;
  }
  private spreadCopy(v: number, copy: Copy): boolean {
    const mine = this.joined[v];
    if (!copy.writes || mine === null || memoryCopy(copy.instruction) === "memset") return false;
    const source = copy.instruction.operands[2];
    const w = this.uses.variableOf(source);
    const theirs = w < 0 ? null : this.joined[w];
    if (theirs === null || source.kind !== "instruction") return false;
    const from = this.uses.offsetOf(source);
    let changed = false;
    for (let k = 0; k < copy.size; k++) {
      const a = copy.offset + k;
      const b = from + k;
      if (k < copy.size - 1 && mine[a] !== theirs[b]) {
        mine[a] = theirs[b] = 1;
        changed = true;
      }
      if (this.touched[v][a] !== this.touched[w][b]) {
        this.touched[v][a] = this.touched[w][b] = 1;
        changed = true;
      }
      this.types[v][a] ??= this.types[w][b];
      this.types[w][b] ??= this.types[v][a];
    }
    return changed;
  }

  /** Bytes that no access looks at are moved in aligned words. */
  private joinUntouched(v: number): void {
    const joined = this.joined[v];
    if (joined === null) return;
    const touched = this.touched[v];
    for (let at = 0; at < joined.length; ) {
      if (touched[at] === 1) {
        at++;
        continue;
      }
      let size = 8;
      while (at % size !== 0 || at + size > joined.length || touched.subarray(at, at + size).includes(1)) size /= 2;
      for (let k = at; k < at + size - 1; k++) joined[k] = 1;
      at += size;
    }
  }

  private isUsable(v: number): boolean {
    const joined = this.joined[v];
    if (joined === null) return false;
    const { copies, accesses } = this.uses.variables[v];
    let parts = 0;
    for (let start = 0; start < joined.length; parts++) {
      const end = partEnd(joined, start);
      const size = end - start;
      if (size !== 1 && size !== 2 && size !== 4 && size !== 8) return false;
      start = end;
    }
    if (parts > MAX_PARTS) return false;
    for (const { instruction } of accesses) {
      if (aggregateParts(instruction.extra.accessType, this.layout) === null) return false;
    }
    return copies.every((copy) => {
      if (copy.size === 0) return false;
      if (memoryCopy(copy.instruction) === "memset" && intValue(copy.instruction.operands[2]) === null) return false;
      if (memoryCopy(copy.instruction) !== "memset") {
        const [, to, from] = copy.instruction.operands;
        if (this.uses.variableOf(to) === this.uses.variableOf(from)) return false;
      }
      const end = copy.offset + copy.size;
      return (copy.offset === 0 || joined[copy.offset - 1] === 0) && joined[end - 1] === 0;
    });
  }
}

function partEnd(joined: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < joined.length && joined[end - 1] === 1) end++;
  return end;
}

class Splitter {
  private readonly emitter = new Emitter();
  private readonly forwarding: Forwarding;
  private any = false;

  readonly body: Body;
  readonly layout: DataLayout;

  constructor(
    readonly uses: AllocaUses,
    readonly cells: Cells,
    readonly checks: boolean,
  ) {
    this.body = uses.body;
    this.layout = uses.layout;
    this.forwarding = new Forwarding(uses.count);
  }

  run(): boolean {
    for (const block of this.body.blocks) {
      const old = block.instructions;
      let fresh: Instruction[] | null = null;
      for (let k = 0; k < old.length; k++) {
        const i = old[k];
        this.emitter.list = [];
        this.emitter.loc = i.loc;
        if (!this.rewrite(i)) {
          fresh?.push(i);
          continue;
        }
        this.any = true;
        fresh ??= old.slice(0, k);
        for (const made of this.emitter.list) fresh.push(made);
      }
      if (fresh !== null) block.instructions = fresh;
    }
    this.forwarding.apply(this.body);
    return this.any;
  }

  private rewrite(i: Instruction): boolean {
    switch (i.op) {
      case "load":
        return this.composite(i, i.operands[0]) && this.load(i);
      case "store":
        return this.composite(i, i.operands[1]) && this.store(i);
      case "call":
        return this.copy(i);
      default:
        return false;
    }
  }
  private composite(i: InstructionOf<"load"> | InstructionOf<"store">, pointer: Value): boolean {
    const { accessType } = i.extra;
    if (!isComposite(accessType)) return false;
    const v = this.uses.variableOf(pointer);
    if (!this.cells.isCut(v)) return false;
    if (accessType.kind !== "vector") return true;
    // A variable that only ever holds the vector is best left as one.
    return this.uses.variables[v].accesses.some(({ instruction }) => !isComposite(instruction.extra.accessType));
  }

  private load(i: InstructionOf<"load">): boolean {
    const e = this.emitter;
    let whole: Value = { kind: "undef", type: i.type };
    for (const part of aggregateParts(i.extra.accessType, this.layout) ?? []) {
      const value = this.loadPart(i.operands[0], part.offset, part.type, false);
      whole =
        i.type.kind === "vector"
          ? e.emit("insertelement", i.type, [whole, value, constInt(32, part.path[0])], null)
          : e.emit("insertvalue", i.type, [whole, value], { indices: part.path });
    }
    this.forwarding.set(i, whole);
    return true;
  }
  private store(i: InstructionOf<"store">): boolean {
    const e = this.emitter;
    const [whole, pointer] = i.operands;
    for (const part of aggregateParts(i.extra.accessType, this.layout) ?? []) {
      const value =
        whole.type.kind === "vector"
          ? e.emit("extractelement", part.type, [whole, constInt(32, part.path[0])], null)
          : e.emit("extractvalue", part.type, [whole], { indices: part.path });
      this.storePart(pointer, part.offset, value, false);
    }
    return true;
  }

  private copy(i: InstructionOf<"call">): boolean {
    const kind = memoryCopy(i);
    if (kind === null) return false;
    const [, to, from, length] = i.operands;
    const v = this.uses.variableOf(to);
    const w = kind === "memset" ? -1 : this.uses.variableOf(from);
    const size = Number(intValue(length) ?? 0n);
    const cutTo = this.cells.isCut(v);
    const cutFrom = this.cells.isCut(w);
    if (!cutTo && !cutFrom) return false;
    const variable = cutTo ? v : w;
    const pointer = cutTo ? to : from;
    const parts = this.cells.parts(variable, pointer.kind === "instruction" ? this.uses.offsetOf(pointer) : 0, size);
    if (kind === "memset") {
      const byte = (intValue(from) ?? 0n) & 0xffn;
      for (const part of parts) this.storePart(to, part.at, splat(byte, this.layout.storeSize(part.type)), false);
      return true;
    }
    const [alignTo, alignFrom] = [0, 1].map((k) => i.extra.paramAttributes[k]?.align || 1);
    if (!cutFrom) this.check(from, size, false, alignFrom);
    if (!cutTo) this.check(to, size, true, alignTo);
    // All loads before the first store, as llvm.memmove demands.
    const values = parts.map((part) => this.loadPart(from, part.at, part.type, !cutFrom));
    parts.forEach((part, k) => {
      this.storePart(to, part.at, values[k], !cutTo);
    });
    return true;
  }

  private check(pointer: Value, size: number, write: boolean, align: number): void {
    if (this.checks) this.emitter.emit("check", VOID, [pointer], { size, write, align });
  }
  private part(pointer: Value, offset: number): Value {
    if (offset === 0) return pointer;
    const extra = { sourceType: I8, inbounds: true };
    return this.emitter.emit("getelementptr", PTR, [pointer, constInt(64, offset)], extra);
  }
  private loadPart(pointer: Value, offset: number, type: Type, unchecked: boolean): Value {
    const extra = { accessType: type, align: 1, volatile: false, unchecked };
    return this.emitter.emit("load", type, [this.part(pointer, offset)], extra);
  }
  private storePart(pointer: Value, offset: number, value: Value, unchecked: boolean): void {
    const extra = { accessType: value.type, align: 1, volatile: false, unchecked };
    this.emitter.emit("store", VOID, [value, this.part(pointer, offset)], extra);
  }
}

function splat(byte: bigint, size: number): Value {
  let value = 0n;
  for (let k = 0; k < size; k++) value = (value << 8n) | byte;
  return constInt(size * 8, value);
}
