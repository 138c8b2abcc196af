// A slow and simple interpreter of integer IR: the oracle for the tests of passes. Memory is a map of bytes, so that
// nothing of the layout or of the machine is assumed; undefined values are zero.
// With `strict`, it asks of every access what instrumentation promises: either it is marked as safe, and lies in a
// variable that is in scope, or a check of these bytes was executed before, and nothing that may forbid them since.

import assert from "node:assert/strict";
import { calledFunction } from "../analysis/call-graph.js";
import { lifetimePointer } from "../analysis/lifetimes.js";
import { DataLayout } from "../data-layout.js";
import type { IrFunction } from "../module.js";
import type { Type } from "../types.js";
import { type AccessExtra, type Block, type Body, type Instruction, intValue, type Value } from "../values.js";
import { foldBinary, foldCompare } from "./fold.js";

type Datum = bigint | readonly Datum[];

const MAX_STEPS = 200_000;

interface Range {
  readonly start: number;
  readonly end: number;
  readonly write: boolean;
}

export class Interpreter {
  readonly layout = new DataLayout();
  readonly memory = new Map<number, number>();
  /** What was checked and not forbidden since. */
  private known: Range[] = [];
  /** Variables in scope. */
  private readonly objects = new Map<number, Range>();
  private steps = 0;
  private nextAddress = 0x1000;
  private readonly globals = new Map<unknown, bigint>();

  /** Coverage numbers that `shadow cover-if` instructions have noted, and blocks entered. */
  readonly noted = new Set<number>();
  readonly entered = new Set<Block>();

  constructor(
    readonly bodyOf: (fn: IrFunction) => Body | null,
    readonly strict = false,
  ) {}

  call(fn: IrFunction, args: readonly Datum[]): Datum {
    const body = this.bodyOf(fn);
    assert.ok(body !== null, `${fn.name} has no body`);
    const values = new Map<Value, Datum>();
    body.args.forEach((arg, k) => {
      const { byval } = fn.params[k];
      values.set(arg, byval === null ? args[k] : this.copyOf(args[k], this.layout.sizeOf(byval)));
    });
    let from: Block | null = null;
    let block = body.blocks[0];
    for (;;) {
      this.entered.add(block);
      const phis = block.instructions.filter((i) => i.op === "phi");
      // All phis read before any is written.
      const incoming = phis.map((phi) => this.value(phi.operands[phi.blocks.indexOf(from as Block)], values));
      phis.forEach((phi, k) => {
        values.set(phi, incoming[k]);
      });
      for (const i of block.instructions.slice(phis.length, -1)) values.set(i, this.execute(i, values));
      const last = block.terminator;
      assert.ok(++this.steps < MAX_STEPS, "too many steps");
      if (last.op === "ret") return last.operands.length === 0 ? 0n : this.value(last.operands[0], values);
      from = block;
      block = this.next(last, values);
    }
  }

  private copyOf(source: Datum, size: number): bigint {
    const copy = this.allocate(size);
    for (let k = 0; k < size; k++) this.memory.set(Number(copy) + k, this.memory.get(Number(source) + k) ?? 0);
    return copy;
  }

  private next(last: Instruction, values: Map<Value, Datum>): Block {
    switch (last.op) {
      case "br":
        return last.blocks[0];
      case "condbr":
        return last.blocks[this.value(last.operands[0], values) === 1n ? 0 : 1];
      case "switch": {
        const value = this.value(last.operands[0], values);
        return last.blocks[last.extra.cases.indexOf(value as bigint) + 1];
      }
      default:
        throw new Error(`reached ${last.op}`);
    }
  }

  private value(value: Value, values: Map<Value, Datum>): Datum {
    const known = values.get(value);
    if (known !== undefined) return known;
    const number = intValue(value);
    if (number !== null) return number;
    switch (value.kind) {
      case "undef":
      case "zero":
        return this.zero(value.type);
      case "aggregate":
        return value.elements.map((element) => this.value(element, values));
      case "global":
        return this.addressOfGlobal(value.target.resolved ?? value.target);
      default:
        throw new Error(`no value for ${value.kind}`);
    }
  }
  private zero(type: Type): Datum {
    if (type.kind === "struct") return type.fields.map((field) => this.zero(field));
    if (type.kind === "array") return Array.from({ length: type.count }, () => this.zero(type.element));
    return 0n;
  }
  private addressOfGlobal(target: unknown): bigint {
    let address = this.globals.get(target);
    if (address === undefined) {
      address = this.allocate(64);
      this.globals.set(target, address);
    }
    return address;
  }
  private allocate(size: number): bigint {
    const address = this.nextAddress;
    this.objects.set(address, { start: address, end: address + size, write: true });
    this.nextAddress += Math.ceil(size / 16) * 16 + 16;
    return BigInt(address);
  }

  private execute(i: Instruction, values: Map<Value, Datum>): Datum {
    const operands = i.op === "call" ? [] : i.operands.map((operand) => this.value(operand, values));
    const [a, b] = operands as bigint[];
    const bits = i.type.kind === "int" ? i.type.bits : 64;
    switch (i.op) {
      case "alloca":
        return this.allocate(Number(a) * this.layout.sizeOf(i.extra.allocated));
      case "load":
        this.access(Number(a), i.extra, false);
        return this.load(Number(a), i.extra.accessType);
      case "store":
        this.access(Number(b), i.extra, true);
        this.store(Number(b), operands[0], i.extra.accessType);
        return 0n;
      case "shadow":
        assert.ok(i.extra.what === "cover-if");
        if (a === 1n) this.noted.add(i.extra.number);
        return 0n;
      case "check":
        this.known.push({ start: Number(a), end: Number(a) + i.extra.size, write: i.extra.write });
        return 0n;
      case "getelementptr": {
        const terms = this.layout.gepTerms(i.extra.sourceType, i.operands.slice(1));
        assert.ok(terms !== null);
        let address = a + terms.offset;
        for (const { index, scale } of terms.terms) {
          const width = index.type.kind === "int" ? index.type.bits : 64;
          address += BigInt.asIntN(width, this.value(index, values) as bigint) * BigInt(scale);
        }
        return BigInt.asUintN(64, address);
      }
      case "icmp":
        return foldCompare(i.extra.predicate, widthOf(i.operands[0].type), a, b) ? 1n : 0n;
      case "select":
        return a === 1n ? operands[1] : operands[2];
      case "zext":
      case "ptrtoint":
      case "inttoptr":
      case "trunc":
        return BigInt.asUintN(bits, a);
      case "sext":
        return BigInt.asUintN(bits, BigInt.asIntN(widthOf(i.operands[0].type), a));
      case "freeze":
      case "bitcast":
        return operands[0];
      case "extractvalue":
        return i.extra.indices.reduce<Datum>((value, k) => (value as readonly Datum[])[k], operands[0]);
      case "insertvalue":
        return insert(operands[0], operands[1], i.extra.indices);
      case "call":
        return this.interpretCall(i, values);
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
        return foldBinary(i.op, bits, a, b) ?? 0n;
      default:
        throw new Error(`the interpreter does not know ${i.op}`);
    }
  }

  private access(start: number, { accessType, unchecked }: AccessExtra, write: boolean): void {
    if (!this.strict) return;
    const end = start + this.layout.storeSize(accessType);
    const covers = (range: Range): boolean => range.start <= start && end <= range.end && (range.write || !write);
    // The parts of a copy are covered by the check of the whole.
    const allowed = this.known.some(covers) || (unchecked && [...this.objects.values()].some(covers));
    assert.ok(allowed, `an access of ${end - start} bytes is neither checked nor safe`);
  }

  private interpretCall(i: Instruction, values: Map<Value, Datum>): Datum {
    const [callee, ...rest] = i.operands;
    const fn = calledFunction(callee);
    assert.ok(fn !== null);
    if (fn.name === "unknown") {
      this.known = [];
      return 0n;
    }
    if (fn.name.startsWith("llvm.lifetime.")) {
      this.scope(Number(this.value(lifetimePointer(i), values)), fn.name.startsWith("llvm.lifetime.start"));
      return 0n;
    }
    const args = rest.map((arg) => this.value(arg, values));
    if (!fn.name.startsWith("llvm.mem")) return this.call(fn, args);
    const [to, from, size] = (args as bigint[]).map(Number);
    const bytes = Array.from({ length: size }, (_, k) =>
      fn.name.startsWith("llvm.memset") ? from & 0xff : (this.memory.get(from + k) ?? 0),
    );
    bytes.forEach((byte, k) => {
      this.memory.set(to + k, byte);
    });
    return 0n;
  }

  /** Only variables of 4 bytes have scopes in our programs. */
  private scope(address: number, starts: boolean): void {
    if (starts) this.objects.set(address, { start: address, end: address + 4, write: true });
    else {
      this.objects.delete(address);
      this.known = this.known.filter((range) => range.end <= address || range.start >= address + 4);
    }
  }

  private load(address: number, type: Type): Datum {
    if (type.kind === "struct") {
      const { offsets } = this.layout.structLayout(type);
      return type.fields.map((field, k) => this.load(address + offsets[k], field));
    }
    let value = 0n;
    for (let k = this.layout.storeSize(type) - 1; k >= 0; k--) {
      value = (value << 8n) | BigInt(this.memory.get(address + k) ?? 0);
    }
    return BigInt.asUintN(widthOf(type), value);
  }
  private store(address: number, value: Datum, type: Type): void {
    if (type.kind === "struct") {
      const { offsets } = this.layout.structLayout(type);
      type.fields.forEach((field, k) => {
        this.store(address + offsets[k], (value as readonly Datum[])[k], field);
      });
      return;
    }
    for (let k = 0; k < this.layout.storeSize(type); k++) {
      this.memory.set(address + k, Number(((value as bigint) >> BigInt(8 * k)) & 0xffn));
    }
  }
}

function widthOf(type: Type): number {
  return type.kind === "int" ? type.bits : 64;
}
function insert(whole: Datum, part: Datum, path: readonly number[]): Datum {
  if (path.length === 0) return part;
  const copy = [...(whole as readonly Datum[])];
  copy[path[0]] = insert(copy[path[0]], part, path.slice(1));
  return copy;
}
