// Asked for by --fields: an address that was made from a field that is an array (`user->name`) stays in the field, though what
// follows is the same object and all checks of memory allow it. Each access and copy that may leave gets a comparison before it, or
// behind a call whose result says how much was written, and a branch to a trap. To the rest of the translator, exploration included,
// it is a branch as any other, so nothing is known of fields anywhere else, and the solver is asked for inputs that leave.
//
// It runs on addresses as they were written, before simplification makes steps of bytes of them; a first field has none then.
//
// Not held, because programs mean it so: fields at the end of their structure, members of unions, addresses that go back to the
// structure (container_of), and fills and copies of anything but chars, or from the first field on, which may mean the whole structure.
// Invariant: a block's last part stands for the block in the phis behind it.

import { calledName } from "../../support/library-names.js";
import { calledFunction } from "../analysis/call-graph.js";
import { type Field, fieldOf } from "../analysis/fields.js";
import { addressOf } from "../analysis/gep.js";
import type { DataLayout } from "../data-layout.js";
import type { IrFunction, Module } from "../module.js";
import { functionType, I32, I64, VOID } from "../types.js";
import {
  Block,
  type Body,
  constInt,
  type Instruction,
  type InstructionOf,
  instruction,
  type Value,
} from "../values.js";
import { Emitter } from "./emitter.js";
import { intrinsic } from "./intrinsic.js";

/** How many bytes a function puts where its pointer points to. */
type Written =
  /** The product of these arguments, counted from 1; for a fill or copy (`isPlain`) of chars only. */
  | { readonly from: "arguments"; readonly factors: readonly number[]; readonly isPlain: boolean }
  /** What it returns, times an argument, and one for the end of the text; no more than the limit, an argument. */
  | { readonly from: "result"; readonly more: number; readonly times?: number; readonly limit?: number }
  /** A text with its end, which is looked for after the call. */
  | { readonly from: "text" };
interface Copy {
  /** Which argument says where, counted from 1. */
  readonly to: number;
  readonly written: Written;
}
const counted = (...factors: number[]): Copy => ({ to: 1, written: { from: "arguments", factors, isPlain: false } });
const PLAIN: Copy = { to: 1, written: { from: "arguments", factors: [3], isPlain: true } };
const TEXT: Copy = { to: 1, written: { from: "text" } };
const FORMATTED: Copy = { to: 1, written: { from: "result", more: 1 } };
const LIMITED: Copy = { to: 1, written: { from: "result", more: 1, limit: 2 } };
const RECEIVED: Copy = { to: 2, written: { from: "result", more: 0 } };
const COPIES: ReadonlyMap<string, Copy> = new Map(
  Object.entries({
    strcpy: TEXT,
    stpcpy: TEXT,
    strcat: TEXT,
    strncat: TEXT,
    strncpy: counted(3),
    stpncpy: counted(3),
    fgets: counted(2),
    sprintf: FORMATTED,
    vsprintf: FORMATTED,
    snprintf: LIMITED,
    vsnprintf: LIMITED,
    read: RECEIVED,
    recv: RECEIVED,
    readlink: RECEIVED,
    fread: { to: 1, written: { from: "result", more: 0, times: 2 } },
    memcpy: PLAIN,
    memmove: PLAIN,
    memset: PLAIN,
  } satisfies Record<string, Copy>),
);
const TRAP = functionType(VOID, [I32, I32]);

/** Returns how many were inserted; if any, the blocks are no longer in order. `strlen`: the library's. */
export function checkFields(body: Body, layout: DataLayout, module: Module, strlen: IrFunction | null): number {
  const pass = new FieldChecks(layout, module, strlen);
  const blocks: Block[] = [];
  for (const block of body.blocks) blocks.push(...pass.partsOf(block));
  body.blocks = blocks;
  return pass.inserted;
}

class FieldChecks {
  inserted = 0;
  private parts: Block[] = [];
  private at: Block = new Block("");

  constructor(
    readonly layout: DataLayout,
    readonly module: Module,
    readonly strlen: IrFunction | null,
  ) {}

  partsOf(block: Block): readonly Block[] {
    this.parts = [block];
    this.at = block;
    const old = block.instructions;
    block.instructions = [];
    for (const i of old) {
      if (i.op === "load") this.access(i.operands[0], this.layout.storeSize(i.extra.accessType), false, i);
      else if (i.op === "store") this.access(i.operands[1], this.layout.storeSize(i.extra.accessType), true, i);
      if (i.op === "call") this.call(i);
      else this.at.instructions.push(i);
    }
    if (this.at !== block) for (const to of this.at.terminator.blocks) replaceSource(to, block, this.at);
    return this.parts;
  }

  private access(pointer: Value, size: number, write: boolean, i: Instruction): void {
    const field = fieldOf(this.layout, pointer);
    if (field === null || size === 0 || size > field.bytes || this.isInside(pointer, field, size)) return;
    const e = emitterAt(i);
    const leaves = e.compare("ugt", distance(e, pointer, field), constInt(64, field.bytes - size));
    this.trapIf(leaves, e, field, write);
  }

  private call(call: InstructionOf<"call"> & Instruction): void {
    const [name, isOurs] = nameOf(call);
    const copy = isOurs ? COPIES.get(name) : undefined;
    const pointer = copy === undefined ? undefined : call.operands[copy.to];
    const field = pointer?.type.kind === "ptr" ? fieldOf(this.layout, pointer) : null;
    if (copy === undefined || pointer === undefined || field === null) {
      this.at.instructions.push(call);
      return;
    }
    const { written } = copy;
    const e = emitterAt(call);
    const word = (value: Value, op: "zext" | "sext"): Value =>
      value.type.kind === "int" && value.type.bits < 64 ? e.cast(op, value, I64) : value;
    const product = (...factors: Value[]): Value => factors.reduce((a, b) => e.binary("mul", a, b));
    if (written.from === "arguments") {
      const factors = written.factors.map((n) => call.operands[n]);
      if (factors.every((factor) => factor?.type.kind === "int") && !(written.isPlain && !mayBeFilled(field))) {
        const count = product(...factors.map((factor) => word(factor, "sext")));
        this.trapIf(this.passes(e, pointer, field, count), e, field, true);
      }
      this.at.instructions.push(call);
      return;
    }
    this.at.instructions.push(call);
    if (written.from === "text") {
      if (this.strlen === null) return;
      const length = e.call(this.strlen, I64, [pointer]);
      this.trapIf(this.passes(e, pointer, field, e.binary("add", length, constInt(64, 1))), e, field, true);
    } else if (call.type.kind === "int") {
      const result = word(call, "sext");
      const times = written.times === undefined ? result : product(result, word(call.operands[written.times], "zext"));
      const all = e.binary("add", times, constInt(64, written.more));
      const limit = written.limit === undefined ? null : word(call.operands[written.limit], "zext");
      const isLess = limit === null ? null : e.compare("ult", all, limit);
      const count = isLess === null || limit === null ? all : e.emit("select", I64, [isLess, all, limit], null);
      // Less than nothing: it has failed.
      const succeeded = e.compare("sge", result, constInt(64, 0));
      this.trapIf(e.binary("and", succeeded, this.passes(e, pointer, field, count)), e, field, true);
    }
  }

  /** Whether so many bytes at the pointer pass the field's end; none never do. */
  private passes(e: Emitter, pointer: Value, field: Field, count: Value): Value {
    const room = e.binary("sub", constInt(64, field.bytes), distance(e, pointer, field));
    const isMore = e.compare("ugt", count, room);
    // A pointer outside of the field has more than all room.
    const isOutside = e.compare("ugt", room, constInt(64, field.bytes));
    const isAny = e.compare("ne", count, constInt(64, 0));
    return e.binary("and", isAny, e.binary("or", isMore, isOutside));
  }

  private isInside(pointer: Value, field: Field, size: number): boolean {
    if (pointer === field.address) return true;
    const { base, offset } = addressOf(this.layout, pointer);
    const start = addressOf(this.layout, field.address);
    return base === start.base && offset >= start.offset && offset + size <= start.offset + field.bytes;
  }

  private trapIf(leaves: Value, e: Emitter, field: Field, write: boolean): void {
    const number = ++this.inserted;
    const [trap, rest] = ["outside", "inside"].map((what) => new Block(`${what}.field${number}`));
    for (const i of e.list) this.at.instructions.push(i);
    this.at.instructions.push(instruction("condbr", VOID, [leaves], null, [trap, rest], e.loc));
    const end = emitterAt({ loc: e.loc });
    end.call(intrinsic(this.module, "llvm.tangent.field", TRAP), VOID, [
      constInt(32, write ? 1 : 0),
      constInt(32, field.bytes),
    ]);
    end.emit("unreachable", VOID, [], null);
    trap.instructions = end.list;
    e.list = [];
    this.parts.push(rest, trap);
    this.at = rest;
  }
}

function emitterAt({ loc }: Pick<Instruction, "loc">): Emitter {
  const e = new Emitter();
  e.loc = loc;
  return e;
}

function distance(e: Emitter, pointer: Value, field: Field): Value {
  if (pointer === field.address) return constInt(64, 0);
  return e.binary("sub", e.cast("ptrtoint", pointer, I64), e.cast("ptrtoint", field.address, I64));
}

/** The function's name, and that it is none of the program's own. */
function nameOf(call: InstructionOf<"call"> & Instruction): readonly [string, boolean] {
  const [callee] = call.operands;
  const intrinsicName = callee.kind === "global" ? /^llvm\.(mem(?:cpy|move|set))\./.exec(callee.target.name) : null;
  if (intrinsicName !== null) return [intrinsicName[1], true];
  const called = calledFunction(callee);
  return called === null ? ["", false] : [calledName(called.name), called.module.origin !== "program"];
}

function mayBeFilled({ isFirst, type }: Field): boolean {
  return !isFirst && type.element.kind === "int" && type.element.bits === 8;
}

function replaceSource(block: Block, old: Block, fresh: Block): void {
  for (const phi of block.instructions) {
    if (phi.op !== "phi") return;
    phi.blocks = phi.blocks.map((from) => (from === old ? fresh : from));
  }
}
